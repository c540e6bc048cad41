/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics of a few numbers: median, spread, outliers.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include <stddef.h>

/* Ascending, in place. */
void summary_sort(double *values, size_t count);

/* Mean of the middle two for an even count; count at least 1. */
double summary_median_sorted(const double *sorted, size_t count);

/* The same of values in any order, which are sorted by this. */
double summary_median(double *values, size_t count);

/*
 * 1.4826 times the median distance from the centre: the standard deviation of normal
 * values, untouched by up to half of wild ones. distances: working memory for count.
 */
double summary_scale(const double *values, size_t count, double centre,
		     double *distances);

/*
 * Where a side has two levels in time: the first value of the second, or 0. Both have
 * four values at least, of ten together, and stand three times farther apart than either
 * is wide. A reference kernel that shows this has moved while it was measured.
 */
size_t summary_moved_at(const double *values, size_t count);

#endif
