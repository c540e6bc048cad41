/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/noise.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/random.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum {
	FLOOR_DRAWS = 1000,
	FIND_DRAWS = 200,
	FIND_STEPS = 12,    /* halvings: to 1/4000 of the largest change */
	SIDE_MOST = 12,     /* boots of the last look */
	ALARM_STRETCH = 10, /* boots of one trial: the first look, two sides */
};

static const double floor_share = 0.95; /* of comparisons show less by chance */
static const double find_share = 0.8;   /* of sessions find it */
static const double alpha = 0.05;

struct lab {
	const struct series_name *name;
	const struct verdict_policy *policy;
	const double *boots;
	size_t count;
	double jitter; /* far below the noise: no draw is tied */
	struct random random;
	struct ranks ranks;
};

static struct comparison compare(struct lab *lab, const double *a, const double *b,
				 size_t boots)
{
	struct level before = {.boots = a, .count = boots};
	struct level after = {.boots = b, .count = boots};
	struct question question = {
		.name = *lab->name,
		.a_version = "",
		.b_version = "",
		.a = &before,
		.b = &after,
		.policy = *lab->policy,
	};
	struct comparison c;

	comparison_measure(&question, &lab->ranks, &c);
	comparisons_decide(&c, 1, alpha);
	return c;
}

static void draw(struct lab *lab, double *side, size_t boots)
{
	for (size_t i = 0; i < boots; i++)
		side[i] = lab->boots[random_below(&lab->random, lab->count)] +
			  lab->jitter * random_normal(&lab->random);
}

/* Blocks of two boots, one for each side by chance. */
static int stretch_alarms(struct lab *lab, const double *boots)
{
	double sides[2][ALARM_STRETCH / 2];
	struct comparison c;

	for (size_t i = 0; i < ALARM_STRETCH / 2; i++) {
		size_t first = random_below(&lab->random, 2);

		sides[first][i] = boots[2 * i];
		sides[1 - first][i] = boots[2 * i + 1];
	}
	c = compare(lab, sides[0], sides[1], ALARM_STRETCH / 2);
	return c.verdict == VERDICT_REGRESSION || c.verdict == VERDICT_IMPROVEMENT;
}

static void count_alarms(struct lab *lab, struct noise *noise)
{
	for (size_t at = 0; at + ALARM_STRETCH <= lab->count; at += ALARM_STRETCH) {
		noise->trials++;
		noise->alarms += (unsigned)stretch_alarms(lab, lab->boots + at);
	}
}

static double quantile(double *values, size_t count, double share)
{
	size_t at = (size_t)ceil(share * (double)count) - 1;

	summary_sort(values, count);
	return values[at];
}

/* As the judgement sees an effect: the smaller of both estimates. */
static double find_floor(struct lab *lab, double median)
{
	double effects[FLOOR_DRAWS], a[SIDE_MOST], b[SIDE_MOST];

	for (int i = 0; i < FLOOR_DRAWS; i++) {
		struct comparison c;

		draw(lab, a, SIDE_MOST);
		draw(lab, b, SIDE_MOST);
		c = compare(lab, a, b, SIDE_MOST);
		effects[i] = fmin(fabs(c.b.median - c.a.median), fabs(c.shift));
	}
	return quantile(effects, FLOOR_DRAWS, floor_share) / fabs(median) * 100;
}

static int is_found(struct lab *lab, const double *a, const double *b, size_t boots,
		    double loss)
{
	double factor = lab->name->better == BETTER_HIGHER ? 1 - loss : 1 + loss;
	double worse[SIDE_MOST];

	for (size_t i = 0; i < boots; i++)
		worse[i] = b[i] * factor;
	return compare(lab, a, worse, boots).verdict == VERDICT_REGRESSION;
}

/* The least loss that these two sides would show; INFINITY: not even 100 %. */
static double least_found(struct lab *lab, size_t boots)
{
	double a[SIDE_MOST], b[SIDE_MOST], low = 0, high = 1;

	draw(lab, a, boots);
	draw(lab, b, boots);
	if (!is_found(lab, a, b, boots, high))
		return INFINITY;
	for (int step = 0; step < FIND_STEPS; step++) {
		double middle = (low + high) / 2;

		if (is_found(lab, a, b, boots, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

static double find_smallest(struct lab *lab, size_t boots)
{
	double losses[FIND_DRAWS], found;

	for (int i = 0; i < FIND_DRAWS; i++)
		losses[i] = least_found(lab, boots);
	found = quantile(losses, FIND_DRAWS, find_share);
	return isfinite(found) ? found * 100 : NAN;
}

static double median_of(const double *boots, size_t count)
{
	CLEANUP(cleanup_free) double *copy = memory_new(count, sizeof(*copy));

	memcpy(copy, boots, count * sizeof(*copy));
	return summary_median(copy, count);
}

struct noise noise_measure(const struct series_name *name, const double *boots,
			   size_t count, const struct verdict_policy *policy,
			   uint64_t seed)
{
	CLEANUP(cleanup_free) double *scratch = memory_new(count, sizeof(*scratch));
	struct lab lab = {name, policy, boots, count, .jitter = 0};
	struct noise noise = {.boots = count, .median = median_of(boots, count)};
	double spread = summary_scale(boots, count, noise.median, scratch);
	struct verdict_policy raised = *policy;

	random_init(&lab.random, seed);
	count_alarms(&lab, &noise);
	noise.spread_percent = noise.floor_percent = NAN;
	for (int i = 0; i < SEQUENTIAL_LOOKS; i++)
		noise.finds_percent[i] = NAN;
	if (noise.median != 0) {
		noise.spread_percent = spread / fabs(noise.median) * 100;
		lab.jitter = fmax(spread, 1e-6 * fabs(noise.median)) * 1e-6;
		noise.floor_percent = find_floor(&lab, noise.median);
		raised.minimum_effect =
			fmax(policy->minimum_effect, noise.floor_percent / 100);
		lab.policy = &raised;
		for (int i = 0; i < SEQUENTIAL_LOOKS; i++)
			noise.finds_percent[i] =
				find_smallest(&lab, sequential_plan[i].boots);
	}
	ranks_finish(&lab.ranks);
	return noise;
}

static size_t count_equal(const double *boots, size_t count, double value)
{
	size_t equal = 0;

	for (size_t i = 0; i < count; i++)
		equal += boots[i] == value;
	return equal;
}

struct noise_identity noise_identity(const double *boots, size_t count)
{
	struct noise_identity identity = {.boots = count};
	double mode = NAN, farthest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t equal = count_equal(boots, count, boots[i]);

		if (equal <= identity.agreeing)
			continue;
		identity.agreeing = equal;
		mode = boots[i];
	}
	for (size_t i = 0; i < count; i++)
		farthest = fmax(farthest, fabs(boots[i] - mode));
	if (farthest > 0)
		identity.stray_percent = mode == 0 ? NAN : farthest / fabs(mode) * 100;
	return identity;
}
