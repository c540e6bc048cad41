/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of one scenario while it is made. */
#ifndef REPORT_BUILDER_PRIVATE_H
#define REPORT_BUILDER_PRIVATE_H

#include "report/label_private.h"
#include "report/layout_private.h"

enum { TABLE_VERSIONS = 6 };

struct builder {
	struct store *store;
	struct report_section *section;
	const char *scenario;
	const struct layout *layout;
	struct table *table;
	int versions[TABLE_VERSIONS];
	size_t version_count;
	struct text_list labels; /* of the rows */
	struct label_parameter keys[LABEL_PARAMETERS];
	size_t key_count;
	struct boot_list boots; /* one for each version, or fewer */
};

/* The number behind a cell; NAN where there is none. */
double builder_sample(const struct builder *builder, const char *label,
		      enum layout_source source, const char *metric, int version);

/* Adds the text of a cell to the table. */
void builder_add_cell(struct builder *builder, const char *label,
		      const struct layout_column *column, int version);

/* Sentences on the best value of the layout's parameter, as remarks of the table. */
void builder_name_best(struct builder *builder);

#endif
