/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/verdict.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/multiple.h"
#include "stats/needed.h"
#include "stats/sequential.h"
#include "stats/shift.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

const struct verdict_policy policy_statistical = {RULE_STATISTICAL, 0.03, 0.85, 0, 0};
const struct verdict_policy policy_sequential = {RULE_STATISTICAL, 0.03, 0.85, 1, 0};
const struct verdict_policy policy_exact = {RULE_EXACT, 0.005, 0.85, 0, 0};

double comparison_room(const struct comparison *comparison)
{
	const struct verdict_policy *policy = &comparison->policy;

	return fmax(policy->minimum_effect * fabs(comparison->a.median),
		    policy->minimum_change);
}

int comparison_has(const struct comparison *comparison, enum reason reason)
{
	return comparison->reasons >> reason & 1;
}

void comparison_add_reason(struct comparison *comparison, enum reason reason)
{
	comparison->reasons |= 1u << reason;
}

/* A boot is an outlier five deviations from the median of its side. */
static void name_outliers(const struct level *level, const double *sorted,
			  double *distances, struct side_summary *summary)
{
	double scale = summary_scale(sorted, level->count, summary->median, distances);
	double limit, farthest = 0;

	/* Where most boots agree, half a percent is no outlier yet. */
	limit = 5 * fmax(scale, fabs(summary->median) * 1e-3);
	for (size_t i = 0; level->count >= 5 && i < level->count; i++) {
		double distance = fabs(level->boots[i] - summary->median);

		if (distance <= limit)
			continue;
		summary->outliers++;
		if (distance <= farthest)
			continue;
		farthest = distance;
		summary->outlier_name = level->boot_names ? level->boot_names[i] : NULL;
		summary->outlier_number = i + 1;
		summary->outlier_value = level->boots[i];
	}
}

static struct side_summary summarize(const struct level *level, const double *sorted,
				     double *distances)
{
	struct side_summary summary = {.boots = level ? level->count : 0};

	summary.median = summary.min = summary.max = NAN;
	if (!summary.boots)
		return summary;
	summary.median = summary_median_sorted(sorted, level->count);
	summary.min = sorted[0];
	summary.max = sorted[level->count - 1];
	name_outliers(level, sorted, distances, &summary);
	return summary;
}

static double finite_or_nan(double value)
{
	return isfinite(value) ? value : NAN;
}

static double percent_of(double part, double whole)
{
	/* The zero is added so that nothing prints as -0. */
	return whole == 0 ? NAN : finite_or_nan(part / whole * 100) + 0.0;
}

static void set_interval(struct comparison *c, double low, double high)
{
	double from = percent_of(low, c->a.median), to = percent_of(high, c->a.median);

	c->shift_ci[0] = low;
	c->shift_ci[1] = high;
	if (isnan(from) || isnan(to))
		return;
	c->ci_percent[0] = fmin(from, to);
	c->ci_percent[1] = fmax(from, to);
}

static void test_sides(const struct level *a, const struct level *b,
		       const double *a_sorted, const double *b_sorted,
		       struct ranks *ranks, struct comparison *c)
{
	size_t critical = ranks_critical(ranks, a->count, b->count, 0.025);
	struct ranks_result result =
		ranks_test(ranks, a_sorted, a->count, b_sorted, b->count);
	struct shift shift =
		shift_estimate(a_sorted, a->count, b_sorted, b->count, critical);

	c->p = result.p;
	c->superiority = c->name.better == BETTER_HIGHER ? 1 - result.superiority
							 : result.superiority;
	c->shift = shift.median;
	set_interval(c, shift.low, shift.high);
}

/* Identical boots on both sides: the difference is known, not estimated. */
static void measure_exactly(struct comparison *c)
{
	double loss = better_loss(c->name.better, c->a.median, c->b.median);

	comparison_add_reason(c, REASON_EXACT);
	c->superiority = loss == 0 ? 0.5 : loss > 0;
	c->shift = c->b.median - c->a.median;
	set_interval(c, c->shift, c->shift);
}

static int agree(const struct comparison *c, const struct question *question)
{
	return c->a.min == c->a.max && c->b.min == c->b.max &&
	       !question->a->identity_failed && !question->b->identity_failed;
}

static void measure_figures(const struct question *question, const double *a_sorted,
			    const double *b_sorted, struct ranks *ranks,
			    struct comparison *c)
{
	c->change_percent = percent_of(c->b.median - c->a.median, c->a.median);
	if (c->policy.rule == RULE_EXACT && agree(c, question)) {
		measure_exactly(c);
		return;
	}
	if (c->policy.rule == RULE_EXACT) {
		c->policy.rule = RULE_STATISTICAL;
		comparison_add_reason(c, REASON_IDENTITY_FAILED);
	}
	test_sides(question->a, question->b, a_sorted, b_sorted, ranks, c);
}

static int key_is(const char *key, const char *other)
{
	return !strcmp(key ? key : "", other ? other : "");
}

static int environments_differ(const struct question *question)
{
	const struct level *a = question->a, *b = question->b;

	return question->difference || a->environment_mixed || b->environment_mixed ||
	       !key_is(a->environment, b->environment);
}

static int level_moved(const struct level *level, const struct verdict_policy *policy)
{
	size_t at = summary_moved_at(level->boots, level->count);
	double before = at ? level->boots[0] : 0, after = at ? level->boots[at] : 0;

	return fabs(after - before) >
	       fmax(policy->minimum_effect * fabs(before), policy->minimum_change);
}

static void find_obstacles(const struct question *question, struct comparison *c)
{
	int statistical = c->policy.rule == RULE_STATISTICAL;

	if (environments_differ(question)) {
		comparison_add_reason(c, REASON_ENVIRONMENT_DIFFERS);
		c->difference = question->difference;
		c->a_environment = question->a->environment;
		c->b_environment = question->b->environment;
		if (!question->allow_difference)
			c->verdict = VERDICT_NOT_COMPARABLE;
	}
	if (question->a->reference_moved || question->b->reference_moved ||
	    (statistical && (level_moved(question->a, &c->policy) ||
			     level_moved(question->b, &c->policy)))) {
		comparison_add_reason(c, REASON_REFERENCE_MOVED);
		c->verdict = VERDICT_NOT_COMPARABLE;
	}
}

static double *sorted_copy(const struct level *level)
{
	size_t count = level ? level->count : 0;
	double *copy = memory_new(count, sizeof(*copy));

	if (count)
		memcpy(copy, level->boots, count * sizeof(*copy));
	summary_sort(copy, count);
	return copy;
}

void comparison_measure(const struct question *question, struct ranks *ranks,
			struct comparison *ret_comparison)
{
	const struct level *a = question->a, *b = question->b;
	CLEANUP(cleanup_free) double *a_sorted = sorted_copy(a);
	CLEANUP(cleanup_free) double *b_sorted = sorted_copy(b);
	size_t most = (a ? a->count : 0) + (b ? b->count : 0);
	CLEANUP(cleanup_free) double *scratch = memory_new(most, sizeof(*scratch));
	struct comparison c = {
		.name = question->name,
		.role = question->role,
		.a_version = question->a_version,
		.b_version = question->b_version,
		.policy = question->policy,
		.a = summarize(a, a_sorted, scratch),
		.b = summarize(b, b_sorted, scratch),
		.change_percent = NAN,
		.ci_percent = {NAN, NAN},
		.p = NAN,
		.q = NAN,
		.holm = NAN,
		.superiority = NAN,
		.shift = NAN,
		.shift_ci = {NAN, NAN},
		.candidates = question->candidates ? question->candidates : 1,
		.verdict = VERDICT_INCONCLUSIVE,
	};

	if (!c.a.boots || !c.b.boots) {
		comparison_add_reason(&c, REASON_ONE_SIDED_METRIC);
		c.verdict = VERDICT_NOT_COMPARABLE;
	} else {
		measure_figures(question, a_sorted, b_sorted, ranks, &c);
		find_obstacles(question, &c);
	}
	if (c.a.outliers || c.b.outliers)
		comparison_add_reason(&c, REASON_OUTLIERS);
	if (c.verdict == VERDICT_NOT_COMPARABLE)
		c.p = NAN;
	*ret_comparison = c;
}

/* What the three conditions say of one comparison. */
struct findings {
	int worse, better; /* by the medians */
	int significant, large, separated;
	int same;
};

static int at_least(double effect, double minimum)
{
	/* A change of exactly the minimum must not depend on its last binary digit. */
	return effect >= minimum * (1 - 1e-9);
}

static int shown_same(const struct comparison *c, double room)
{
	double change = fabs(c->b.median - c->a.median);

	if (isnan(c->shift_ci[0]))
		return 0;
	if (room == 0)
		return c->shift_ci[0] == 0 && c->shift_ci[1] == 0 && change == 0;
	return c->shift_ci[0] > -room && c->shift_ci[1] < room && change < room;
}

static struct findings examine(const struct comparison *c, double alpha)
{
	double loss = better_loss(c->name.better, c->a.median, c->b.median);
	double room = comparison_room(c);
	double effect = fmin(fabs(c->b.median - c->a.median), fabs(c->shift));
	double apart = c->policy.separation;
	struct findings f = {.worse = loss > 0, .better = loss < 0};

	f.significant = c->q <= alpha;
	f.large = effect > 0 && at_least(effect, room);
	f.separated = (f.worse && c->superiority >= apart) ||
		      (f.better && 1 - c->superiority >= apart);
	f.same = shown_same(c, room);
	return f;
}

static void give_reasons(struct comparison *c, const struct findings *f, double alpha)
{
	int decided =
		c->verdict == VERDICT_REGRESSION || c->verdict == VERDICT_IMPROVEMENT;

	comparison_add_reason(c, f->significant ? REASON_SIGNIFICANT
						: REASON_NOT_SIGNIFICANT);
	if (!f->large)
		comparison_add_reason(c, REASON_EFFECT_BELOW_MINIMUM);
	if (c->a.median == 0 && c->b.median != 0)
		comparison_add_reason(c, REASON_ZERO_BASELINE);
	if (decided || c->verdict == VERDICT_SAME)
		return;
	if (ranks_least_p(c->a.boots, c->b.boots) > alpha)
		comparison_add_reason(c, REASON_TOO_FEW_BOOTS);
	if (!f->separated)
		comparison_add_reason(c, REASON_NOT_SEPARATED);
}

static void decide_statistically(struct comparison *c, size_t tests, double alpha)
{
	struct findings f = examine(c, alpha);

	c->verdict = f.same ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
	if (f.significant && f.large && f.separated && c->name.better != BETTER_NONE)
		c->verdict = f.worse ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
	give_reasons(c, &f, alpha);
	if (c->verdict == VERDICT_INCONCLUSIVE)
		c->boots_needed = boots_needed(c, tests, alpha);
}

static void decide_exactly(struct comparison *c)
{
	double loss = better_loss(c->name.better, c->a.median, c->b.median);
	double room = comparison_room(c);
	int large = loss != 0 && at_least(fabs(loss), room);

	if (c->a.median == 0 && loss != 0)
		comparison_add_reason(c, REASON_ZERO_BASELINE);
	if (!large && loss != 0)
		comparison_add_reason(c, REASON_EFFECT_BELOW_MINIMUM);
	c->verdict = VERDICT_SAME;
	if (large && c->name.better == BETTER_NONE)
		c->verdict = VERDICT_INCONCLUSIVE;
	else if (large)
		c->verdict = loss > 0 ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
}

/* q and Holm's p of every comparison that was tested; returns how many were. */
static size_t correct(struct comparison *list, size_t count)
{
	CLEANUP(cleanup_free) double *p = memory_new(count, sizeof(*p));
	CLEANUP(cleanup_free) double *holm = memory_new(count, sizeof(*holm));
	size_t tests = 0;

	for (size_t i = 0; i < count; i++) {
		p[i] = fmin(1, list[i].p * (double)list[i].candidates);
		/* fmin() prefers the number. */
		if (isnan(list[i].p))
			p[i] = NAN;
		tests += !isnan(p[i]);
	}
	multiple_holm(p, count, holm);
	multiple_benjamini_hochberg(p, count, p);
	for (size_t i = 0; i < count; i++) {
		list[i].q = p[i];
		list[i].holm = holm[i];
	}
	return tests;
}

/* Of the look that both sides have reached, where sampling goes by the plan. */
static double level_of(const struct comparison *c, double alpha)
{
	size_t boots = c->a.boots < c->b.boots ? c->a.boots : c->b.boots;
	const struct look *look = sequential_reached(boots);

	if (!c->policy.sequential)
		return alpha;
	return look ? look->level : sequential_plan[0].level;
}

void comparisons_decide(struct comparison *list, size_t count, double alpha)
{
	size_t tests = correct(list, count);

	for (size_t i = 0; i < count; i++) {
		struct comparison *c = &list[i];
		double level = level_of(c, alpha);
		int exact = comparison_has(c, REASON_EXACT);

		if (c->verdict == VERDICT_NOT_COMPARABLE)
			continue;
		if (exact)
			decide_exactly(c);
		else
			decide_statistically(c, tests, level);
		c->starts_search =
			c->verdict == VERDICT_REGRESSION && (exact || c->holm <= level);
	}
}
