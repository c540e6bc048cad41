/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/windows.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/ranks.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum {
	MOST_POINTS = 1000, /* for slopes of all pairs; longer runs are thinned out */
	LEAST_POINTS = 12,  /* for a drift */
	MOST_EPISODES = 2,  /* more of them are irregular spikes */
	QUARTERS = 4,
};

static const double stall_factor = 5, single_factor = 10, warm_factor = 1.5;
static const double drift_level = 0.001, drift_least = 0.1;
static const double silent_default = 30;

/* The windows that are neither warm-up nor a stall that ended. */
struct steady {
	double *values;
	double *places; /* window numbers */
	size_t count;
};

static void steady_finish(struct steady *steady)
{
	free(steady->values);
	free(steady->places);
}

/* How many times slower than the median; 1 where nothing can be said. */
static double slowness(const struct windows_input *input, double value, double median)
{
	double over = input->throughput ? median : value;
	double under = input->throughput ? value : median;

	if (under > 0)
		return over / under;
	return over > 0 ? INFINITY : 1;
}

static double median_of(const double *values, size_t count, double *scratch)
{
	memcpy(scratch, values, count * sizeof(*scratch));
	return summary_median(scratch, count);
}

/* Slow beyond doubt: by a factor, and outside what the other windows show. */
static int is_slow(const struct windows_input *input, size_t i, double median,
		   double scale, double factor)
{
	return slowness(input, input->values[i], median) >= factor &&
	       fabs(input->values[i] - median) > 5 * scale;
}

static void find_warm_up(const struct windows_input *input, double scale,
			 struct windows_judgement *j)
{
	size_t most = input->count / 4, k = 0;

	while (k < input->count && is_slow(input, k, j->median, scale, warm_factor))
		k++;
	/* Longer than a quarter is no beginning any more. */
	if (!k || k > (most ? most : 1) || input->count < 4)
		return;
	j->warm_up = k;
	j->warm_up_factor = slowness(input, input->values[0], j->median);
}

static struct stall episode_at(const struct windows_input *input, size_t start,
			       double median, double scale)
{
	struct stall stall = {.start = start};
	size_t i = start;

	for (; i < input->count && is_slow(input, i, median, scale, stall_factor); i++)
		stall.factor =
			fmax(stall.factor, slowness(input, input->values[i], median));
	stall.length = i - start;
	stall.recovered = i < input->count;
	return stall;
}

static void find_stalls(const struct windows_input *input, double scale,
			struct windows_judgement *j)
{
	size_t episodes = 0, next;

	for (size_t i = j->warm_up; i < input->count; i = next) {
		struct stall stall = episode_at(input, i, j->median, scale);

		next = i + (stall.length ? stall.length : 1);
		if (!stall.length)
			continue;
		episodes++;
		if (stall.length == 1 && stall.factor < single_factor)
			continue;
		if (stall.length * 3 <= input->count && j->stall_count < WINDOWS_STALLS)
			j->stalls[j->stall_count++] = stall;
	}
	if (episodes > MOST_EPISODES)
		j->stall_count = 0;
}

static int in_stall(const struct windows_judgement *j, size_t i)
{
	for (size_t k = 0; k < j->stall_count; k++)
		if (j->stalls[k].recovered && i >= j->stalls[k].start &&
		    i < j->stalls[k].start + j->stalls[k].length)
			return 1;
	return 0;
}

static struct steady steady_windows(const struct windows_input *input,
				    const struct windows_judgement *j)
{
	struct steady steady = {
		.values = memory_new(input->count, sizeof(double)),
		.places = memory_new(input->count, sizeof(double)),
	};

	for (size_t i = j->warm_up; i < input->count; i++) {
		if (in_stall(j, i))
			continue;
		steady.values[steady.count] = input->values[i];
		steady.places[steady.count++] = (double)i;
	}
	return steady;
}

/* Means of neighbours, so that at most MOST_POINTS are left. */
static void thin_out(struct steady *steady)
{
	size_t group = (steady->count + MOST_POINTS - 1) / MOST_POINTS, kept = 0;

	for (size_t i = 0; group > 1 && i < steady->count; i += group) {
		size_t end = i + group < steady->count ? i + group : steady->count;
		double value = 0, place = 0;

		for (size_t k = i; k < end; k++) {
			value += steady->values[k] / (double)(end - i);
			place += steady->places[k] / (double)(end - i);
		}
		steady->values[kept] = value;
		steady->places[kept++] = place;
	}
	if (group > 1)
		steady->count = kept;
}

/*
 * Theil (1950) and Sen (1968): the median slope of all pairs, its interval from Kendall's
 * statistic. Returns the two-sided p that there is no trend.
 */
static double fit_slope(const struct steady *steady, struct windows_judgement *j)
{
	size_t n = steady->count, pairs = n * (n - 1) / 2, count = 0, reach;
	CLEANUP(cleanup_free) double *slopes = memory_new(pairs, sizeof(*slopes));
	double up = 0, deviation = sqrt((double)(n * (n - 1) * (2 * n + 5)) / 18);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = i + 1; k < n; k++) {
			double rise = steady->values[k] - steady->values[i];

			slopes[count++] = rise / (steady->places[k] - steady->places[i]);
			up += (rise > 0) - (rise < 0);
		}
	}
	j->slope = summary_median(slopes, pairs);
	reach = (size_t)fmin(1.959964 * deviation, (double)pairs - 1);
	j->slope_ci[0] = slopes[(pairs - 1 - reach) / 2];
	j->slope_ci[1] = slopes[(pairs - 1 + reach + 1) / 2];
	return ranks_normal_p(fmax(0, fabs(up) - 1) / deviation);
}

/*
 * The quarters of the run go on in one direction: none turns back and two at least move,
 * each by a twentieth of the whole way. A cycle turns back, a step moves once.
 */
static int goes_on(const struct steady *steady)
{
	CLEANUP(cleanup_free) double *scratch = memory_new(steady->count, 8);
	double medians[QUARTERS], way, least;
	int moves = 0;

	for (size_t q = 0; q < QUARTERS; q++) {
		size_t from = steady->count * q / QUARTERS;
		size_t to = steady->count * (q + 1) / QUARTERS;

		medians[q] = median_of(steady->values + from, to - from, scratch);
	}
	way = medians[QUARTERS - 1] - medians[0];
	least = fabs(way) / 20;
	for (size_t q = 1; q < QUARTERS; q++) {
		double step = (medians[q] - medians[q - 1]) * (way < 0 ? -1 : 1);

		if (step < -least)
			return 0;
		moves += step >= least && step > 0;
	}
	return moves >= 2;
}

static void find_drift(const struct windows_input *input, struct windows_judgement *j)
{
	CLEANUP(steady_finish) struct steady steady = steady_windows(input, j);
	double p, begin, per_operation;

	if (steady.count < LEAST_POINTS)
		return;
	thin_out(&steady);
	p = fit_slope(&steady, j);
	j->drift_total = j->slope * (steady.places[steady.count - 1] - steady.places[0]);
	/* The line goes through the middle: the median at the middle place. */
	begin = j->median - j->drift_total / 2;
	j->drift_percent = begin > 0 ? j->drift_total / begin * 100 : NAN;
	per_operation =
		input->operations ? fabs(j->slope) / (double)input->operations : INFINITY;
	j->drifts = p <= drift_level && per_operation >= input->floor &&
		    fabs(j->drift_total) >= drift_least * fabs(j->median) &&
		    goes_on(&steady);
	j->drift_worse = input->throughput ? j->slope < 0 : j->slope > 0;
}

/* What only grows to the end is the drift, not a stall that never recovered. */
static void drop_tail_stall(struct windows_judgement *j)
{
	if (j->drifts && j->stall_count && !j->stalls[j->stall_count - 1].recovered)
		j->stall_count--;
}

static double variation_of(const double *values, size_t count)
{
	double mean = 0, squares = 0;

	if (count < 2)
		return NAN;
	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return mean > 0 ? sqrt(squares / (double)(count - 1)) / mean : NAN;
}

struct windows_judgement windows_judge(const struct windows_input *input)
{
	CLEANUP(cleanup_free) double *scratch = memory_new(input->count, 8);
	struct windows_judgement j = {.median = NAN, .drift_percent = NAN};
	double limit = input->silent_limit > 0 ? input->silent_limit : silent_default;
	double scale;

	j.hung = !input->complete && input->silent >= limit;
	j.variation = variation_of(input->values, input->count);
	if (!input->count)
		return j;
	j.median = median_of(input->values, input->count, scratch);
	scale = summary_scale(input->values, input->count, j.median, scratch);
	find_warm_up(input, scale, &j);
	find_stalls(input, scale, &j);
	find_drift(input, &j);
	drop_tail_stall(&j);
	return j;
}
