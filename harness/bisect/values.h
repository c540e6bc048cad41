/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of each tested commit, for the models. */
#ifndef BISECT_VALUES_H
#define BISECT_VALUES_H

#include <stddef.h>

struct value_row {
	double *items;
	size_t count, capacity;
};

struct values {
	struct value_row *rows; /* of tested commits */
	size_t tests, capacity;
	size_t count; /* of all rows */
};

void values_finish(struct values *values);
/* Returns 1 when that made a new row. */
int values_add(struct values *values, size_t test, double value);
/* Of a row that is not empty. */
double values_median(const struct value_row *row);
/* The median of an array, which gets sorted; count is not 0. */
double median_sorting(double *items, size_t count);

#endif
