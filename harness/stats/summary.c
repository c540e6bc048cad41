/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/summary.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { INSERTION_LIMIT = 24, MOVED_BOOTS = 10, MOVED_SIDE = 4 };

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void insertion_sort(double *values, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		double value = values[i];
		size_t j = i;

		for (; j && values[j - 1] > value; j--)
			values[j] = values[j - 1];
		values[j] = value;
	}
}

void summary_sort(double *values, size_t count)
{
	if (count <= INSERTION_LIMIT)
		insertion_sort(values, count);
	else
		qsort(values, count, sizeof(*values), by_value);
}

double summary_median_sorted(const double *sorted, size_t count)
{
	double low = sorted[(count - 1) / 2], high = sorted[count / 2];

	/* Halved first: the sum of two large values could overflow. */
	return low == high ? low : low / 2 + high / 2;
}

double summary_median(double *values, size_t count)
{
	summary_sort(values, count);
	return summary_median_sorted(values, count);
}

double summary_scale(const double *values, size_t count, double centre, double *distances)
{
	for (size_t i = 0; i < count; i++)
		distances[i] = fabs(values[i] - centre);
	return 1.4826 * summary_median(distances, count);
}

struct range {
	double low, high;
};

static struct range range_with(struct range range, double value)
{
	return (struct range){fmin(range.low, value), fmax(range.high, value)};
}

static int apart(struct range a, struct range b)
{
	double gap = fmax(a.low - b.high, b.low - a.high);

	return gap > 0 && gap > 3 * fmax(a.high - a.low, b.high - b.low);
}

size_t summary_moved_at(const double *values, size_t count)
{
	static const struct range none = {INFINITY, -INFINITY};
	CLEANUP(cleanup_free) struct range *behind = NULL;
	struct range before = none;

	if (count < MOVED_BOOTS)
		return 0;
	behind = memory_new(count + 1, sizeof(*behind));
	behind[count] = none;
	for (size_t i = count; i--;)
		behind[i] = range_with(behind[i + 1], values[i]);
	for (size_t i = 0; i + MOVED_SIDE <= count; i++) {
		if (i >= MOVED_SIDE && apart(before, behind[i]))
			return i;
		before = range_with(before, values[i]);
	}
	return 0;
}
