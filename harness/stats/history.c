/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/history.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/split.h"
#include "stats/summary.h"
#include "stats/tails.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	NEIGHBOURS = 3, /* on each side of a point that may be a spike */
	TREND_POINTS = 16,
	REFINEMENTS = 4,
};

static const double spike_deviations = 6;
static const double outlier_deviations = 5;
static const double trend_level = 0.01;

/* Borders of levels: 0, first points of new levels, count. */
struct borders {
	size_t *at;
	size_t count; /* of entries; levels are one fewer */
	size_t capacity;
};

static void borders_finish(struct borders *borders)
{
	free(borders->at);
}

void history_finish(struct history *history)
{
	free(history->changes);
	free(history->outliers);
	free(history->levels);
	*history = (struct history){0};
}

static void add_border(struct borders *borders, size_t at)
{
	borders->at = memory_grow(borders->at, borders->count, &borders->capacity,
				  sizeof(*borders->at));
	borders->at[borders->count++] = at;
}

static double median_of(const double *values, size_t from, size_t to, double *scratch)
{
	memcpy(scratch, values + from, (to - from) * sizeof(*scratch));
	return summary_median(scratch, to - from);
}

/* How far a point stands from the median of its neighbours. */
static double departure(const double *values, size_t count, size_t i)
{
	double around[2 * NEIGHBOURS];
	size_t from = i > NEIGHBOURS ? i - NEIGHBOURS : 0, used = 0;
	size_t to = i + NEIGHBOURS < count ? i + NEIGHBOURS : count - 1;

	for (size_t k = from; k <= to; k++)
		if (k != i)
			around[used++] = values[k];
	return values[i] - summary_median(around, used);
}

static int is_spike(const double *departures, size_t i, double limit)
{
	double here = departures[i], left = departures[i - 1], right = departures[i + 1];

	return fabs(here) > limit && left * here < here * here / 4 &&
	       right * here < here * here / 4;
}

/*
 * Marks single points far from both neighbours, one in twenty at most: more of them are
 * the noise of this series. The ends cannot be told from a new level.
 */
static unsigned char *find_spikes(const double *values, size_t count)
{
	unsigned char *spikes = memory_new(count, 1);
	CLEANUP(cleanup_free) double *departures = memory_new(count, 8);
	CLEANUP(cleanup_free) double *scratch = memory_new(count, 8);
	size_t found = 0, most = count / 20 > 1 ? count / 20 : 1;
	double limit;

	if (count < 2 * NEIGHBOURS)
		return spikes;
	for (size_t i = 0; i < count; i++)
		departures[i] = departure(values, count, i);
	limit = spike_deviations * summary_scale(departures, count, 0, scratch);
	for (size_t i = 1; i + 1 < count; i++) {
		spikes[i] = is_spike(departures, i, limit);
		found += spikes[i];
	}
	if (found > most)
		memset(spikes, 0, count);
	return spikes;
}

/* Splits from..to-1 until nothing is left to find; borders come in order. */
static void divide(const double *values, const unsigned char *spikes, size_t from,
		   size_t to, struct borders *borders)
{
	size_t places[SPLIT_MOST], start = from;
	size_t found = split_find(values + from, spikes + from, to - from, places);

	for (size_t i = 0; i < found; i++) {
		size_t at = from + places[i];

		divide(values, spikes, start, at, borders);
		add_border(borders, at);
		start = at;
	}
	if (found)
		divide(values, spikes, start, to, borders);
}

/* The place between two levels that leaves the least distance from both medians. */
static size_t best_place(const double *values, size_t from, size_t at, size_t to,
			 double *scratch)
{
	double left = median_of(values, from, at, scratch);
	double right = median_of(values, at, to, scratch), cost = 0, least = INFINITY;
	size_t best = at;

	for (size_t i = from; i + SPLIT_SIDE <= to; i++) {
		if (i >= from + SPLIT_SIDE && cost < least) {
			least = cost;
			best = i;
		}
		cost += fabs(values[i] - left) - fabs(values[i] - right);
	}
	return best;
}

static void refine(const double *values, struct borders *borders, double *scratch)
{
	int moved = 1;

	for (int round = 0; moved && round < REFINEMENTS; round++) {
		moved = 0;
		for (size_t i = 1; i + 1 < borders->count; i++) {
			size_t at = best_place(values, borders->at[i - 1], borders->at[i],
					       borders->at[i + 1], scratch);

			moved |= at != borders->at[i];
			borders->at[i] = at;
		}
	}
}

static double relative(double before, double after)
{
	if (before == after)
		return 0;
	return before == 0 ? INFINITY : fabs((after - before) / before);
}

static void remove_border(struct borders *borders, size_t i)
{
	memmove(borders->at + i, borders->at + i + 1,
		(borders->count - i - 1) * sizeof(*borders->at));
	borders->count--;
}

/* The border with the smallest change; 0 where there is none. */
static size_t weakest(const double *levels, const struct borders *borders,
		      double *ret_change)
{
	size_t found = 0;

	*ret_change = INFINITY;
	for (size_t i = 1; i + 1 < borders->count; i++) {
		double change = relative(levels[i - 1], levels[i]);

		if (!found || change < *ret_change) {
			*ret_change = change;
			found = i;
		}
	}
	return found;
}

/* Joins levels that differ by less than the minimum effect, the nearest first. */
static void prune(const double *values, struct borders *borders, double minimum,
		  double *scratch)
{
	CLEANUP(cleanup_free) double *levels = memory_new(borders->count, 8);

	for (size_t i = 0; i + 1 < borders->count; i++)
		levels[i] =
			median_of(values, borders->at[i], borders->at[i + 1], scratch);
	for (;;) {
		double change;
		size_t i = weakest(levels, borders, &change);

		if (!i || change >= minimum)
			return;
		remove_border(borders, i);
		memmove(levels + i, levels + i + 1,
			(borders->count - i) * sizeof(*levels));
		levels[i - 1] =
			median_of(values, borders->at[i - 1], borders->at[i], scratch);
	}
}

static void find_levels(const double *values, size_t from, size_t to, double minimum,
			struct borders *ret_borders)
{
	CLEANUP(cleanup_free)
	unsigned char *spikes = find_spikes(values + from, to - from);
	CLEANUP(cleanup_free) double *scratch = memory_new(to - from, 8);

	add_border(ret_borders, 0);
	divide(values + from, spikes, 0, to - from, ret_borders);
	add_border(ret_borders, to - from);
	refine(values + from, ret_borders, scratch);
	prune(values + from, ret_borders, minimum, scratch);
	refine(values + from, ret_borders, scratch);
	prune(values + from, ret_borders, minimum, scratch);
	for (size_t i = 0; i < ret_borders->count; i++)
		ret_borders->at[i] += from;
}

static void add_change(struct history *history, size_t index, double before, double after,
		       enum better better)
{
	history->changes[history->change_count++] = (struct change_point){
		.index = index,
		.before = before,
		.after = after,
		.change_percent = before == 0 ? NAN : (after - before) / before * 100,
		.worse = better_loss(better, before, after) > 0,
	};
}

/*
 * Points far from the median of their level, by the spread of all levels together.
 * Where most points agree, what is below the minimum effect is no outlier yet.
 */
static void name_outliers(const double *values, const struct borders *borders,
			  double minimum, double *distances, struct history *history)
{
	size_t from = borders->at[0], to = borders->at[borders->count - 1];
	CLEANUP(cleanup_free) double *scratch = memory_new(to - from, 8);
	CLEANUP(cleanup_free) double *levels = memory_new(to, 8);
	double limit;

	for (size_t i = 0; i + 1 < borders->count; i++) {
		double level =
			median_of(values, borders->at[i], borders->at[i + 1], scratch);

		for (size_t k = borders->at[i]; k < borders->at[i + 1]; k++) {
			levels[k] = level;
			distances[k] = fabs(values[k] - level);
		}
	}
	if (to - from < 2 * NEIGHBOURS)
		return;
	limit = outlier_deviations *
		summary_scale(distances + from, to - from, 0, scratch);
	for (size_t k = from; k < to; k++)
		if (distances[k] > limit && relative(levels[k], values[k]) >= minimum)
			history->outliers[history->outlier_count++] = k;
}

/* Cox and Stuart (1955): every point of the first half against its partner. */
static struct trend find_trend(const double *values, size_t count, enum better better)
{
	CLEANUP(cleanup_free) double *scratch = memory_new(count, 8);
	size_t half = count / 2, late = count - half;
	struct trend trend = {.change_percent = NAN};
	unsigned up = 0, down = 0;
	double before, after;

	if (count < TREND_POINTS)
		return trend;
	for (size_t i = 0; i < half; i++) {
		up += values[late + i] > values[i];
		down += values[late + i] < values[i];
	}
	before = median_of(values, 0, half, scratch);
	after = median_of(values, late, count, scratch);
	trend.points = count;
	trend.p = tails_sign(up, up + down);
	trend.found = trend.p <= trend_level;
	trend.worse = better == BETTER_HIGHER ? down > up : up > down;
	if (before != 0)
		trend.change_percent = (after - before) / before * 100;
	return trend;
}

/* Is the last level worse than ever? */
static int is_regressed(const struct history_level *levels, size_t count,
			enum better better, double minimum)
{
	const struct history_level *last = &levels[count - 1];

	for (size_t i = 0; i + 1 < count; i++) {
		double before = levels[i].value;

		if (levels[i].segment == last->segment &&
		    better_loss(better, before, last->value) > 0 &&
		    relative(before, last->value) >= minimum)
			return 1;
	}
	return 0;
}

/* One run of points of the same environment. */
struct stretch_job {
	const double *values;
	enum better better;
	double minimum;
	double *scratch; /* as many as values */
};

static void judge_stretch(struct stretch_job *job, size_t from, size_t to, size_t segment,
			  struct history *history)
{
	CLEANUP(borders_finish) struct borders borders = {0};
	double before = NAN;

	find_levels(job->values, from, to, job->minimum, &borders);
	for (size_t i = 0; i + 1 < borders.count; i++) {
		double level = median_of(job->values, borders.at[i], borders.at[i + 1],
					 job->scratch);

		if (i)
			add_change(history, borders.at[i], before, level, job->better);
		before = level;
		history->levels[history->level_count++] =
			(struct history_level){borders.at[i], level, segment};
	}
	name_outliers(job->values, &borders, job->minimum, job->scratch, history);
	from = borders.at[borders.count - 2];
	history->trend = find_trend(job->values + from, to - from, job->better);
}

void history_find(const double *values, const size_t *segments, size_t count,
		  enum better better, double minimum_effect, struct history *ret_history)
{
	CLEANUP(cleanup_free) double *scratch = memory_new(count, 8);
	struct stretch_job job = {values, better, minimum_effect, scratch};
	struct history history = {
		.changes = memory_new(count, sizeof(*history.changes)),
		.outliers = memory_new(count, sizeof(*history.outliers)),
		.levels = memory_new(count, sizeof(*history.levels)),
	};
	size_t to;

	for (size_t from = 0; from < count; from = to) {
		size_t segment = segments ? segments[from] : 0;

		for (to = from + 1; to < count; to++)
			if (segments && segments[to] != segment)
				break;
		judge_stretch(&job, from, to, segment, &history);
	}
	if (history.level_count)
		history.regressed = is_regressed(history.levels, history.level_count,
						 better, minimum_effect);
	*ret_history = history;
}

void history_accept(struct history *history, size_t point, enum better better,
		    double minimum_effect)
{
	size_t level = 0;

	while (level + 1 < history->level_count &&
	       history->levels[level + 1].first <= point)
		level++;
	for (size_t i = 0; i < history->change_count; i++)
		history->changes[i].acknowledged |=
			history->changes[i].worse &&
			history->changes[i].index == history->levels[level].first;
	if (history->level_count)
		history->regressed = is_regressed(history->levels + level,
						  history->level_count - level, better,
						  minimum_effect);
}
