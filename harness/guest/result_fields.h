/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of each record, inside the codec only: result_write.c and result_read.c walk
 * the one table of result.c.
 */
#ifndef GUEST_RESULT_FIELDS_H
#define GUEST_RESULT_FIELDS_H

#include "guest/result.h"

/*
 * Each type is a list of fields, and both directions walk it: the lines of a record come
 * in exactly this order.
 */
enum field_kind {
	FIELD_NUMBER, /* uint64_t */
	FIELD_STRING, /* char[RESULT_STRING_SIZE] */
	FIELD_TEXT,   /* char[RESULT_TEXT_SIZE] */
	FIELD_VALUES, /* struct metric_values: a line each */
	FIELD_POINTS, /* struct result_series: count and value */
	FIELD_HITS,   /* struct result_histogram */
	FIELD_BYTES,  /* struct result_output: the rest of the record */
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset; /* in struct result */
};

enum { FIELDS_MAX = 13 };

struct record {
	const char *name;
	struct field fields[FIELDS_MAX]; /* ends with a NULL key */
};

/* NULL where there is no such type. */
const struct record *result_find_record(unsigned type);

#endif
