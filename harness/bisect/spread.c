/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/spread.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>

/* What counts as between the ends: so far from both, and so many standard errors. */
static const double BETWEEN = 0.25, SURELY = 4.4;

double spread_noise(const struct values *values)
{
	CLEANUP(cleanup_free)
	double *distances = memory_new(values->count + 1, sizeof(*distances));
	size_t count = 0;

	for (size_t t = 0; t < values->tests; t++) {
		const struct value_row *row = &values->rows[t];
		double median, correction;

		if (row->count < 2)
			continue;
		median = values_median(row);
		correction = sqrt((double)row->count / (double)(row->count - 1));
		for (size_t i = 0; i < row->count; i++)
			distances[count++] = fabs(row->items[i] - median) * correction;
	}
	return count ? 1.4826 * median_sorting(distances, count) : 0;
}

/*
 * The standard deviation within commits, by squares: outliers and all, so that nothing is
 * called sure too early. ret_free: degrees of freedom.
 */
static double deviation(const struct values *values, size_t *ret_free)
{
	double squares = 0;

	*ret_free = 0;
	for (size_t t = 0; t < values->tests; t++) {
		const struct value_row *row = &values->rows[t];
		double mean = 0;

		for (size_t i = 0; i < row->count; i++)
			mean += row->items[i] / (double)row->count;
		for (size_t i = 0; i < row->count; i++)
			squares += (row->items[i] - mean) * (row->items[i] - mean);
		*ret_free += row->count - 1;
	}
	return *ret_free ? sqrt(squares / (double)*ret_free) : 0;
}

/*
 * The error of a mean of one value that is exceeded as rarely as SURELY standard errors
 * of known noise would be: Student's t by the approximation t^2 = f (exp(z^2 / f) - 1).
 */
static double sure_error(const struct values *values, double span)
{
	size_t count;
	double noise = deviation(values, &count), freedom = (double)count;

	if (!count)
		return INFINITY;
	noise = fmax(fmax(noise, spread_noise(values)), span / SPREAD_FINEST);
	return noise * sqrt(freedom * expm1(SURELY * SURELY / freedom));
}

/* Whether a commit's values are for sure between the two levels. */
static int is_between(const struct values *values, const struct value_row *row,
		      double good, double bad, double error)
{
	size_t ends = values->rows[0].count;
	double median = values_median(row), span = fabs(bad - good);
	double off = fmin(fabs(median - good), fabs(median - bad));

	if (values->rows[1].count < ends)
		ends = values->rows[1].count;
	return row->count > 1 && (median - good) * (bad - median) > 0 &&
	       off > BETWEEN * span &&
	       off > error * sqrt(1 / (double)row->count + 1 / (double)ends);
}

struct spread_ends spread_find_ends(const struct values *values)
{
	double good = values_median(&values->rows[0]);
	double bad = values->tests > 1 ? values_median(&values->rows[1]) : good;
	struct spread_ends ends = {.good = good, .bad = bad};
	double error = sure_error(values, fabs(bad - good));

	for (size_t t = 2; t < values->tests; t++) {
		double median = values_median(&values->rows[t]);

		if (!is_between(values, &values->rows[t], good, bad, error))
			continue;
		ends.strange++;
		if (fabs(median - good) < fabs(ends.bad - good))
			ends.bad = median;
	}
	return ends;
}
