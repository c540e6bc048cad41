/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Case labels, taken apart: "block_size=4096,mode=extend,run=first". The pieces point
 * into the label.
 */
#ifndef REPORT_LABEL_PRIVATE_H
#define REPORT_LABEL_PRIVATE_H

#include "base/text.h"

enum { LABEL_PARAMETERS = 16 };

struct label_parameter {
	const char *name, *value;
	size_t name_length, value_length;
};

/* How many there are, at most LABEL_PARAMETERS. */
size_t label_split(const char *label,
		   struct label_parameter parameters[LABEL_PARAMETERS]);
int label_is_named(const struct label_parameter *parameter, const char *name);
/* The one of the same name; NULL: none. */
const struct label_parameter *label_find(const struct label_parameter *list, size_t count,
					 const struct label_parameter *like);

/* The label without "run=first" or "run=later" at its end; the caller frees. */
char *label_without_run(const char *label);

/* Appends the label without one parameter to rest and that one's value to value. */
void label_take_out(const char *label, const char *name, struct text *rest,
		    struct text *value);

#endif
