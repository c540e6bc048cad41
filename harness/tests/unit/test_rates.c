/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the judgement is wrong, and how often it finds what is there, measured on
 * constructed series with fixed seeds. "make bench-verdicts" runs it at full size and
 * prints the table; as a unit test it is reduced, with room for chance in the bounds.
 */
#include "stats/family.h"
#include "stats/history.h"
#include "stats/random.h"
#include "stats/sequential.h"
#include "stats/summary.h"
#include "stats/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { METRICS = 100, MOST_BOOTS = 12, MOST_POINTS = 1000, OPERATIONS = 20 };

static int full_size(void)
{
	const char *size = getenv("KREGRESS_BENCH");

	return size && !strcmp(size, "full");
}

static int repeats(int full, int reduced)
{
	return full_size() ? full : reduced;
}

/* One row of the table; at most (or at least) "bound" of the repeats. */
static void report(const char *what, const char *others, int hits, int of, double bound,
		   int at_least)
{
	double share = (double)hits / of, spread = sqrt(bound * (1 - bound) / of);

	if (full_size())
		printf("# %-58s %6.2f %%  %s %5.1f %%  %s\n", what, 100 * share,
		       at_least ? "at least" : "at most ", 100 * bound, others);
	fflush(stdout);
	/* Three deviations for chance at the reduced size, none at full size. */
	spread *= full_size() ? 0 : 3;
	if (at_least)
		assert_true(share >= bound - spread);
	else
		assert_true(share <= bound + spread + (full_size() ? 0 : 1.0 / of));
}

/* Noise of mean 100 and a deviation of 5, so that two deviations are 10 %. */
static double normal(struct random *random)
{
	return 100 + 5 * random_normal(random);
}

static double with_outliers(struct random *random)
{
	double value = normal(random);

	return random_uniform(random) < 0.05 ? value + 50 * random_uniform(random)
					     : value;
}

static double lognormal(struct random *random)
{
	return 100 * exp(0.5 * random_normal(random));
}

static double bimodal(struct random *random)
{
	return (random_uniform(random) < 0.3 ? 130 : 100) + random_normal(random);
}

static double rare_mode(struct random *random)
{
	return (random_uniform(random) < 0.05 ? 130 : 100) + random_normal(random);
}

typedef double (*noise)(struct random *random);

static const struct {
	const char *name;
	noise draw;
} noises[] = {
	{"normal", normal},
	{"lognormal", lognormal},
	{"two modes", bimodal},
	{"5 % in a second mode", rare_mode},
	{"5 % outliers", with_outliers},
};

enum { NOISES = sizeof(noises) / sizeof(*noises) };

static struct comparison compare(const double *a, const double *b, size_t boots,
				 struct ranks *ranks)
{
	struct level before = {.boots = a, .count = boots};
	struct level after = {.boots = b, .count = boots};
	struct question question = {
		.name = {"s", "c", "m", "ns", BETTER_LOWER},
		.a_version = "a",
		.b_version = "b",
		.a = &before,
		.b = &after,
		.policy = policy_statistical,
	};
	struct comparison comparison;

	comparison_measure(&question, ranks, &comparison);
	return comparison;
}

static int any_regression(const struct comparison *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].verdict == VERDICT_REGRESSION)
			return 1;
	return 0;
}

/* A night of metrics without any change; looks: the whole plan, or 8 boots at once. */
static int false_night(noise draw, int sequential, struct random *random,
		       struct ranks *ranks)
{
	static double a[METRICS][MOST_BOOTS], b[METRICS][MOST_BOOTS];
	struct comparison list[METRICS];
	struct look fixed = {8, 0.05};
	int looks = sequential ? SEQUENTIAL_LOOKS : 1;

	for (int m = 0; m < METRICS; m++)
		for (int i = 0; i < MOST_BOOTS; i++) {
			a[m][i] = draw(random);
			b[m][i] = draw(random);
		}
	for (int k = 0; k < looks; k++) {
		struct look look = sequential ? sequential_plan[k] : fixed;

		for (int m = 0; m < METRICS; m++)
			list[m] = compare(a[m], b[m], look.boots, ranks);
		comparisons_decide(list, METRICS, look.level);
		if (any_regression(list, METRICS))
			return 1;
	}
	return 0;
}

static void few_nights_alarm(void **state)
{
	struct ranks ranks = {0};
	int nights = repeats(1000, 12);
	char what[80];

	(void)state;
	for (int n = 0; n < NOISES; n++)
		for (int sequential = 0; sequential < 2; sequential++) {
			struct random random;
			int hits = 0;

			random_init(&random, 100 + (uint64_t)n);
			for (int night = 0; night < nights; night++)
				hits += false_night(noises[n].draw, sequential, &random,
						    &ranks);
			snprintf(what, sizeof(what), "nights with a false alarm, %s, %s",
				 noises[n].name, sequential ? "5/8/12" : "8 boots");
			report(what, "12.5 % of groups in a public year", hits, nights,
			       0.05, 0);
		}
	ranks_finish(&ranks);
}

/*
 * Five versions of ten metrics without any change: neighbours, and each version against
 * the one that luck made the best.
 */
static int false_week(noise draw, struct random *random)
{
	enum { VERSIONS = 5, WEEK_METRICS = 10, BOOTS = 8 };
	static const char *const names[] = {"v1", "v2", "v3", "v4", "v5"};
	static double boots[WEEK_METRICS][VERSIONS][BOOTS];
	struct level levels[WEEK_METRICS][VERSIONS];
	struct series series[WEEK_METRICS];
	struct measurements all = {names, VERSIONS, series, WEEK_METRICS};
	struct comparisons list = {0};
	int regressed;

	for (int m = 0; m < WEEK_METRICS; m++) {
		series[m] = (struct series){
			{"s", "c", "m", "ns", BETTER_LOWER}, levels[m], VERSIONS};
		for (size_t v = 0; v < VERSIONS; v++) {
			levels[m][v] = (struct level){
				.version = v, .boots = boots[m][v], .count = BOOTS};
			for (int i = 0; i < BOOTS; i++)
				boots[m][v][i] = draw(random);
		}
	}
	compare_all(&all, &policy_statistical, &list);
	comparisons_settle(&list);
	regressed = comparisons_regressed(&list);
	comparisons_finish(&list);
	return regressed;
}

static void luck_makes_no_baseline(void **state)
{
	int count = repeats(5000, 60);
	char what[80];

	(void)state;
	for (int n = 0; n < NOISES; n++) {
		struct random random;
		int hits = 0;

		random_init(&random, 800 + (uint64_t)n);
		for (int i = 0; i < count; i++)
			hits += false_week(noises[n].draw, &random);
		snprintf(what, sizeof(what), "5 versions with a false alarm, %s",
			 noises[n].name);
		report(what, "", hits, count, 0.05, 0);
	}
}

/* Whether a shift of two deviations is called a regression within so many looks. */
static int found(noise draw, int looks, int fixed_boots, struct random *random,
		 struct ranks *ranks)
{
	double a[MOST_BOOTS], b[MOST_BOOTS];
	struct look fixed = {(size_t)fixed_boots, 0.05};

	for (int i = 0; i < MOST_BOOTS; i++) {
		a[i] = draw(random);
		b[i] = draw(random) + 10;
	}
	for (int k = 0; k < looks; k++) {
		struct look look = fixed_boots ? fixed : sequential_plan[k];
		struct comparison c = compare(a, b, look.boots, ranks);

		comparisons_decide(&c, 1, look.level);
		if (c.verdict == VERDICT_REGRESSION)
			return 1;
	}
	return 0;
}

static void shifts_are_found(void **state)
{
	static const struct {
		const char *what;
		noise draw;
		int looks, boots;
		double bound;
	} rows[] = {
		{"2 sigma found, 8 boots, normal", normal, 1, 8, 0.75},
		{"2 sigma found, 8 boots, 5 % outliers", with_outliers, 1, 8, 0.65},
		{"2 sigma found, 10 boots, normal", normal, 1, 10, 0.75},
		{"2 sigma found, 12 boots at once, normal", normal, 1, 12, 0.85},
		{"2 sigma found by the second look, normal", normal, 2, 0, 0.75},
		{"2 sigma found by the second look, 5 % outliers", with_outliers, 2, 0,
		 0.65},
		{"2 sigma found by the last look (12), normal", normal, 3, 0, 0.90},
		{"2 sigma found by the last look (12), 5 % outliers", with_outliers, 3, 0,
		 0.80},
	};
	struct ranks ranks = {0};
	int count = repeats(20000, 300);

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		struct random random;
		int hits = 0;

		random_init(&random, 200 + r);
		for (int i = 0; i < count; i++)
			hits += found(rows[r].draw, rows[r].looks, rows[r].boots, &random,
				      &ranks);
		report(rows[r].what, "0.75 % (n=10, no root of n), 4.5 % (min/max)", hits,
		       count, rows[r].bound, 1);
	}
	ranks_finish(&ranks);
}

static void plan_keeps_its_alpha(void **state)
{
	struct ranks ranks = {0};
	struct random random;
	int count = repeats(1000000, 3000), hits = 0;

	(void)state;
	random_init(&random, 300);
	for (int i = 0; i < count; i++) {
		double a[MOST_BOOTS], b[MOST_BOOTS];
		int rejected = 0;

		for (int k = 0; k < MOST_BOOTS; k++) {
			a[k] = random_uniform(&random);
			b[k] = random_uniform(&random);
		}
		for (int k = 0; k < SEQUENTIAL_LOOKS && !rejected; k++)
			rejected = ranks_test(&ranks, a, sequential_plan[k].boots, b,
					      sequential_plan[k].boots)
					   .p <= sequential_plan[k].level;
		hits += rejected;
	}
	/* 0.0003: what chance leaves of a million. */
	report("sequential plan, any look significant in noise", "", hits, count, 0.0503,
	       0);
	ranks_finish(&ranks);
}

static double boot_median(double boot, struct random *random)
{
	double operations[OPERATIONS];

	/* 80 % of the variance lies between boots. */
	for (int i = 0; i < OPERATIONS; i++)
		operations[i] = boot + sqrt(0.2) * random_normal(random);
	return summary_median(operations, OPERATIONS);
}

static void boots_not_operations_count(void **state)
{
	struct ranks ranks = {0};
	struct random random;
	int count = repeats(50000, 600), hits = 0;

	(void)state;
	random_init(&random, 400);
	for (int i = 0; i < count; i++) {
		double a[8], b[8];

		for (int k = 0; k < 8; k++) {
			a[k] = boot_median(sqrt(0.8) * random_normal(&random), &random);
			b[k] = boot_median(sqrt(0.8) * random_normal(&random), &random);
		}
		hits += ranks_test(&ranks, a, 8, b, 8).p <= 0.05;
	}
	report("p at most 0.05 in noise, 80 % of it between boots",
	       "37 to 74 % with operations as samples", hits, count, 0.05, 0);
	ranks_finish(&ranks);
}

/* The host slows down by two deviations over the session of 16 boots. */
static void interleaving_beats_drift(void **state)
{
	struct ranks ranks = {0};
	struct random random;
	int count = repeats(50000, 600), hits = 0, blocked = 0;

	(void)state;
	random_init(&random, 500);
	for (int i = 0; i < count; i++) {
		double a[8], b[8], in_turn[16];

		for (int k = 0; k < 8; k++) {
			int first = (int)random_below(&random, 2);

			a[k] = random_normal(&random) + 2 * (2 * k + first) / 15.0;
			b[k] = random_normal(&random) + 2 * (2 * k + !first) / 15.0;
		}
		hits += ranks_test(&ranks, a, 8, b, 8).p <= 0.05;
		for (int k = 0; k < 16; k++)
			in_turn[k] = random_normal(&random) + 2 * k / 15.0;
		blocked += ranks_test(&ranks, in_turn, 8, in_turn + 8, 8).p <= 0.05;
	}
	report("p at most 0.05 under 2 sigma of host drift, interleaved", "", hits, count,
	       0.06, 0);
	if (full_size())
		printf("#   (the same boots A first, then B: %.1f %%)\n",
		       100.0 * blocked / count);
	assert_true(blocked > hits);
	ranks_finish(&ranks);
}

static int false_change(noise draw, size_t points, struct random *random)
{
	double values[MOST_POINTS];
	struct history history;
	int any;

	for (size_t i = 0; i < points; i++)
		values[i] = draw(random);
	history_find(values, NULL, points, BETTER_LOWER, 0.03, &history);
	any = history.change_count > 0;
	history_finish(&history);
	return any;
}

static void noise_has_no_changes(void **state)
{
	static const struct {
		size_t points;
		int full, reduced;
		const char *others;
	} lengths[] = {
		{20, 20000, 100, ""},
		{50, 20000, 100, "2.5 % at default settings"},
		{100, 20000, 100, "6 % at default settings"},
		{200, 20000, 100, "12 % at default settings"},
		{1000, 2000, 5, ""},
	};
	char what[80];

	(void)state;
	for (int n = 0; n < NOISES; n++)
		for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
			int count = repeats(lengths[l].full, lengths[l].reduced);
			struct random random;
			int hits = 0;

			random_init(&random, 600 + 10 * (uint64_t)n + l);
			for (int i = 0; i < count; i++)
				hits += false_change(noises[n].draw, lengths[l].points,
						     &random);
			snprintf(what, sizeof(what), "false change, length %zu, %s",
				 lengths[l].points, noises[n].name);
			report(what, lengths[l].others, hits, count, 0.01, 0);
		}
}

/* A step of two deviations at three quarters of 200 points, found within five points. */
static void steps_are_found(void **state)
{
	int count = repeats(5000, 50), hits = 0;
	struct random random;

	(void)state;
	random_init(&random, 700);
	for (int i = 0; i < count; i++) {
		double values[200];
		struct history history;

		for (int k = 0; k < 200; k++)
			values[k] = with_outliers(&random) + (k >= 150 ? 10 : 0);
		history_find(values, NULL, 200, BETTER_LOWER, 0.03, &history);
		hits += history.change_count == 1 && history.changes[0].index > 144 &&
			history.changes[0].index < 156;
		history_finish(&history);
	}
	report("2 sigma step in 200 points, 5 % outliers, within 5 points", "", hits,
	       count, 0.90, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_nights_alarm),
		cmocka_unit_test(luck_makes_no_baseline),
		cmocka_unit_test(shifts_are_found),
		cmocka_unit_test(plan_keeps_its_alpha),
		cmocka_unit_test(boots_not_operations_count),
		cmocka_unit_test(interleaving_beats_drift),
		cmocka_unit_test(noise_has_no_changes),
		cmocka_unit_test(steps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
