/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/family.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double alpha_fixed = 0.05;

void comparisons_finish(struct comparisons *comparisons)
{
	free(comparisons->items);
	*comparisons = (struct comparisons){0};
}

static struct comparison *add(struct comparisons *list)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	return &list->items[list->count++];
}

/* Medians of all levels of a series; the caller frees. */
static double *medians_of(const struct series *series)
{
	double *medians = memory_new(series->count, sizeof(*medians));

	for (size_t i = 0; i < series->count; i++) {
		const struct level *level = &series->levels[i];
		CLEANUP(cleanup_free) double *boots = memory_new(level->count, 8);

		if (level->count)
			memcpy(boots, level->boots, level->count * sizeof(*boots));
		medians[i] = level->count ? summary_median(boots, level->count) : NAN;
	}
	return medians;
}

/* Several steps lie between two levels and none reaches the minimum effect. */
static int small_steps(const double *medians, size_t from, size_t to,
		       const struct verdict_policy *policy)
{
	if (to < from + 2)
		return 0;
	for (size_t i = from + 1; i <= to; i++)
		if (fabs(medians[i] - medians[i - 1]) >=
		    fmax(policy->minimum_effect * fabs(medians[i - 1]),
			 policy->minimum_change))
			return 0;
	return 1;
}

/* "gradual" was noted beforehand; it says something of a loss or a gain only. */
void comparisons_settle(struct comparisons *list)
{
	comparisons_decide(list->items, list->count, alpha_fixed);
	for (size_t i = 0; i < list->count; i++) {
		struct comparison *c = &list->items[i];

		if (c->verdict != VERDICT_REGRESSION && c->verdict != VERDICT_IMPROVEMENT)
			c->reasons &= ~(1u << REASON_GRADUAL);
	}
}

static const char *key_of(const struct level *level)
{
	return level->environment ? level->environment : "";
}

/* Unlike environments that the user wants compared. */
static int may_differ(const struct measurements *all, const struct level *a,
		      const struct level *b)
{
	return all->may_differ && !a->environment_mixed && !b->environment_mixed &&
	       all->may_differ(all->context, key_of(a), key_of(b));
}

static size_t find_level(const struct series *series, size_t version)
{
	for (size_t i = 0; i < series->count; i++)
		if (series->levels[i].version == version && series->levels[i].count)
			return i;
	return series->count;
}

static void measure_pair(const struct measurements *all, const struct series *series,
			 struct question *question, size_t a, size_t b,
			 struct ranks *ranks, struct comparisons *list)
{
	size_t from = find_level(series, a), to = find_level(series, b);
	struct comparison *c;

	if (from == series->count && to == series->count)
		return;
	question->name = series->name;
	question->a_version = all->versions[a];
	question->b_version = all->versions[b];
	question->a = from < series->count ? &series->levels[from] : NULL;
	question->b = to < series->count ? &series->levels[to] : NULL;
	question->allow_difference =
		question->a && question->b && may_differ(all, question->a, question->b);
	c = add(list);
	comparison_measure(question, ranks, c);
	if (question->a && question->b) {
		CLEANUP(cleanup_free) double *medians = medians_of(series);

		if (small_steps(medians, from < to ? from : to, from < to ? to : from,
				&question->policy))
			comparison_add_reason(c, REASON_GRADUAL);
	}
}

/* A metric may have a minimum effect of its own, and noise a floor. */
static struct verdict_policy policy_for(const struct series *series,
					const struct verdict_policy *policy)
{
	struct verdict_policy own = *policy;

	own.minimum_effect = series_minimum_effect(series, policy->minimum_effect);
	if (series->minimum_change > 0)
		own.minimum_change = series->minimum_change;
	return own;
}

void compare_pair(const struct measurements *measurements, size_t a, size_t b,
		  const struct verdict_policy *policy, struct comparisons *comparisons)
{
	CLEANUP(ranks_finish) struct ranks ranks = {0};
	struct question question = {.role = ROLE_PAIR};

	for (size_t i = 0; i < measurements->count; i++) {
		const struct series *series = &measurements->series[i];

		question.policy = policy_for(series, policy);
		if (series->name.better != BETTER_NONE)
			measure_pair(measurements, series, &question, a, b, &ranks,
				     comparisons);
	}
}

/*
 * The worst plausible median of a level: the order statistic two deviations of a binomial
 * count above (below) the middle.
 */
static double plausible_worst(const struct level *level, enum better better)
{
	CLEANUP(cleanup_free) double *boots = memory_new(level->count, sizeof(*boots));
	double middle = (double)level->count / 2, reach = sqrt((double)level->count);
	size_t rank = (size_t)fmin((double)level->count, ceil(middle + reach));

	if (!level->count)
		return NAN;
	memcpy(boots, level->boots, level->count * sizeof(*boots));
	summary_sort(boots, level->count);
	return better == BETTER_HIGHER ? boots[level->count - rank] : boots[rank - 1];
}

static int comparable(const struct measurements *all, const struct level *a,
		      const struct level *b)
{
	const char *key = key_of(a), *other = key_of(b);

	if (a->environment_mixed || b->environment_mixed)
		return 0;
	return key == other || !strcmp(key, other) || may_differ(all, a, b);
}

/* An accepted change lies between the two. */
static int is_outdated(const struct series *series, size_t i, size_t position)
{
	return series->levels[i].version < series->first_baseline &&
	       series->levels[position].version >= series->first_baseline;
}

/* The best level before "position" and how many there were; position where none. */
static size_t find_best(const struct measurements *all, const struct series *series,
			const double *worst, size_t position, size_t *ret_candidates)
{
	size_t best = position;

	*ret_candidates = 0;
	for (size_t i = 0; i < position; i++) {
		if (isnan(worst[i]) || is_outdated(series, i, position) ||
		    !comparable(all, &series->levels[i], &series->levels[position]))
			continue;
		++*ret_candidates;
		if (best == position ||
		    better_loss(series->name.better, worst[best], worst[i]) < 0)
			best = i;
	}
	return best;
}

/* The version that the user named; position where it does not come before that. */
static size_t find_named(const struct measurements *all, const struct series *series,
			 size_t position)
{
	for (size_t i = 0; all->baseline && i < position; i++)
		if (series->levels[i].count && !is_outdated(series, i, position) &&
		    !strcmp(all->versions[series->levels[i].version], all->baseline))
			return i;
	return position;
}

static size_t find_baseline(const struct measurements *all, const struct series *series,
			    const double *worst, size_t position, size_t *ret_candidates)
{
	size_t named = find_named(all, series, position);

	if (named == position)
		return find_best(all, series, worst, position, ret_candidates);
	*ret_candidates = 1;
	return named;
}

static void ask(const struct measurements *all, const struct series *series, size_t from,
		size_t to, struct question *question, struct ranks *ranks,
		struct comparisons *list)
{
	question->name = series->name;
	question->a = &series->levels[from];
	question->b = &series->levels[to];
	question->a_version = all->versions[question->a->version];
	question->b_version = all->versions[question->b->version];
	question->allow_difference = may_differ(all, question->a, question->b);
	comparison_measure(question, ranks, add(list));
}

static void measure_series(const struct measurements *all, const struct series *series,
			   const struct verdict_policy *general, struct ranks *ranks,
			   struct comparisons *list)
{
	struct verdict_policy policy = policy_for(series, general);
	struct question neighbour = {.role = ROLE_NEIGHBOUR, .policy = policy};
	struct question baseline = {.role = ROLE_BASELINE, .policy = policy};
	CLEANUP(cleanup_free) double *medians = medians_of(series);
	CLEANUP(cleanup_free)
	double *worst = memory_new(series->count, sizeof(*worst));

	for (size_t i = 0; i < series->count; i++) {
		worst[i] = plausible_worst(&series->levels[i], series->name.better);
		if (i)
			ask(all, series, i - 1, i, &neighbour, ranks, list);
	}
	for (size_t i = 2; i < series->count; i++) {
		size_t best = find_baseline(all, series, worst, i, &baseline.candidates);

		if (best >= i - 1)
			continue;
		ask(all, series, best, i, &baseline, ranks, list);
		if (small_steps(medians, best, i, &policy))
			comparison_add_reason(&list->items[list->count - 1],
					      REASON_GRADUAL);
	}
}

void compare_all(const struct measurements *measurements,
		 const struct verdict_policy *policy, struct comparisons *comparisons)
{
	CLEANUP(ranks_finish) struct ranks ranks = {0};

	for (size_t i = 0; i < measurements->count; i++)
		if (measurements->series[i].name.better != BETTER_NONE)
			measure_series(measurements, &measurements->series[i], policy,
				       &ranks, comparisons);
}

static int boots_agree(const struct series *series)
{
	for (size_t i = 0; i < series->count; i++)
		for (size_t k = 1; k < series->levels[i].count; k++)
			if (series->levels[i].boots[k] != series->levels[i].boots[0])
				return 0;
	return 1;
}

void measurements_check_identity(struct measurements *measurements)
{
	for (size_t i = 0; i < measurements->count; i++) {
		struct series *series = &measurements->series[i];
		int failed = !boots_agree(series);

		for (size_t k = 0; k < series->count; k++)
			series->levels[k].identity_failed = failed;
	}
}

int comparisons_regressed(const struct comparisons *comparisons)
{
	for (size_t i = 0; i < comparisons->count; i++)
		if (comparisons->items[i].verdict == VERDICT_REGRESSION)
			return 1;
	return 0;
}
