/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/values.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void values_finish(struct values *values)
{
	for (size_t i = 0; i < values->tests; i++)
		free(values->rows[i].items);
	free(values->rows);
	*values = (struct values){0};
}

int values_add(struct values *values, size_t test, double value)
{
	struct value_row *row;
	int is_new = test >= values->tests;

	while (test >= values->tests) {
		values->rows = memory_grow(values->rows, values->tests, &values->capacity,
					   sizeof(*values->rows));
		values->rows[values->tests++] = (struct value_row){0};
	}
	row = &values->rows[test];
	row->items =
		memory_grow(row->items, row->count, &row->capacity, sizeof(*row->items));
	row->items[row->count++] = value;
	values->count++;
	return is_new;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median_sorting(double *items, size_t count)
{
	qsort(items, count, sizeof(*items), compare);
	return count % 2 ? items[count / 2]
			 : items[count / 2 - 1] / 2 + items[count / 2] / 2;
}

double values_median(const struct value_row *row)
{
	CLEANUP(cleanup_free)
	double *copy = memory_new(row->count, sizeof(*copy));

	memcpy(copy, row->items, row->count * sizeof(*copy));
	return median_sorting(copy, row->count);
}
