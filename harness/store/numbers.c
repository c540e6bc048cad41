/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/numbers_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void numbers_write(struct text *text, const double *values, size_t count)
{
	text_add_char(text, '[');
	for (size_t i = 0; i < count; i++)
		text_format(text, i ? ",%.17g" : "%.17g", values[i]);
	text_add_char(text, ']');
}

/* strtod() alone would take "nan" and leading blanks too. */
static int read_one(const char **text, double *ret_value)
{
	char *end;

	if (!strchr("-0123456789", **text) || !**text)
		return -1;
	*ret_value = strtod(*text, &end);
	if (end == *text || !isfinite(*ret_value))
		return -1;
	*text = end;
	return 0;
}

int numbers_read(const char *text, double **ret_values, size_t *ret_count)
{
	CLEANUP(cleanup_free) double *values = NULL;
	size_t count = 0, capacity = 0;

	if (*text++ != '[')
		return -1;
	for (char next = *text == ']' ? *text++ : ','; next != ']'; next = *text++) {
		values = memory_grow(values, count, &capacity, sizeof(*values));
		if (next != ',' || read_one(&text, &values[count++]) < 0)
			return -1;
	}
	if (*text)
		return -1;
	*ret_values = TAKE(values);
	*ret_count = count;
	return 0;
}
