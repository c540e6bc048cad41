/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long series and windows of one run: what is a change, a spike, a drift, a stall. */
#include "stats/history.h"
#include "stats/random.h"
#include "stats/windows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MOST = 400 };

static void step_is_found(const double *values, size_t count, enum better better,
			  const size_t *places, size_t found)
{
	struct history history;

	history_find(values, NULL, count, better, 0.03, &history);
	if (history.change_count != found)
		fail_msg("%zu changes, expected %zu; first at %zu", history.change_count,
			 found, history.change_count ? history.changes[0].index : 0);
	for (size_t i = 0; i < found; i++)
		assert_int_equal(history.changes[i].index, places[i]);
	history_finish(&history);
}

static void short_series_have_their_steps(void **state)
{
	static const struct {
		const char *what;
		double values[20];
		size_t count, places[3], found;
	} rows[] = {
		{"two new points at the end",
		 {50, 51, 50.4, 49.8, 50.2, 50.6, 49.9, 71, 74},
		 9,
		 {7},
		 1},
		{"one new point is no change yet",
		 {50, 51, 50.4, 49.8, 50.2, 50.6, 49.9, 50.3, 74},
		 9,
		 {0},
		 0},
		{"three levels",
		 {5, 5.1, 4.9, 5, 8, 8.1, 7.9, 8, 6, 6.1, 5.9, 6.05},
		 12,
		 {4, 8},
		 2},
		{"leaves zero and comes half-way back",
		 {0, 0, 0, 0, 4, 4.2, 3.9, 2, 2.1, 1.9, 2},
		 11,
		 {4, 7},
		 2},
		{"single spike",
		 {9, 9.1, 8.9, 9, 14, 9.05, 8.95, 9.1, 9, 8.9},
		 10,
		 {0},
		 0},
		{"steps of 1 % do not count",
		 {100, 100.1, 99.9, 100, 101, 101.1, 100.9, 101},
		 8,
		 {0},
		 0},
		{"exact steps", {700, 700, 700, 700, 750, 750}, 6, {4}, 1},
		{"constant", {3, 3, 3, 3, 3, 3, 3, 3}, 8, {0}, 0},
		{"two points", {3, 30}, 2, {0}, 0},
		{"one point", {3}, 1, {0}, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		step_is_found(rows[i].values, rows[i].count, BETTER_LOWER, rows[i].places,
			      rows[i].found);
}

static void fill(double *values, size_t from, size_t to, double level, double spread,
		 struct random *random)
{
	for (size_t i = from; i < to; i++)
		values[i] = level + spread * random_normal(random);
}

/* Exact numbers that agree but for some ns, and two points of a new level. */
static void small_differences_are_no_outliers(void **state)
{
	static const double values[] = {456808, 456808, 456807, 456808,
					456808, 565393, 565401};
	struct history history;

	(void)state;
	history_find(values, NULL, 7, BETTER_LOWER, 0.005, &history);
	assert_int_equal(history.change_count, 1);
	assert_int_equal(history.changes[0].index, 5);
	assert_int_equal(history.outlier_count, 0);
	history_finish(&history);
}

static void long_series_have_their_levels(void **state)
{
	struct random random;
	struct history history;
	double values[MOST];
	static const size_t places[] = {90, 97, 300};

	(void)state;
	random_init(&random, 11);
	fill(values, 0, 90, 200, 2, &random);
	/* A bad week among good ones, and a gain. */
	fill(values, 90, 97, 260, 2, &random);
	fill(values, 97, 300, 200, 2, &random);
	fill(values, 300, 400, 180, 2, &random);
	values[40] = 300;
	values[350] = 120;
	history_find(values, NULL, MOST, BETTER_LOWER, 0.03, &history);
	assert_int_equal(history.change_count, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(history.changes[i].index, places[i]);
	assert_true(history.changes[0].worse && !history.changes[1].worse);
	assert_true(fabs(history.changes[2].change_percent + 10) < 1);
	assert_int_equal(history.outlier_count, 2);
	assert_int_equal(history.outliers[0], 40);
	assert_int_equal(history.outliers[1], 350);
	assert_false(history.regressed);
	history_finish(&history);
	/* Read the other way, the newest level is worse than the best one. */
	history_find(values, NULL, MOST, BETTER_HIGHER, 0.03, &history);
	assert_true(history.regressed);
	history_finish(&history);
}

/* A new host is no change of the kernel; levels of the same host are compared. */
static void environments_are_kept_apart(void **state)
{
	double values[60];
	size_t segments[60];
	struct random random;
	struct history history;

	(void)state;
	random_init(&random, 12);
	fill(values, 0, 20, 100, 1, &random);
	fill(values, 20, 40, 150, 1, &random);
	fill(values, 40, 60, 101, 1, &random);
	for (size_t i = 0; i < 60; i++)
		segments[i] = i / 20 == 1;
	history_find(values, segments, 60, BETTER_LOWER, 0.03, &history);
	assert_int_equal(history.change_count, 0);
	assert_false(history.regressed);
	history_finish(&history);
	fill(values, 40, 60, 110, 1, &random);
	history_find(values, segments, 60, BETTER_LOWER, 0.03, &history);
	assert_true(history.regressed);
	history_finish(&history);
}

static void slow_trend_is_named(void **state)
{
	struct random random;
	struct history history;
	double values[60];

	(void)state;
	random_init(&random, 13);
	for (int i = 0; i < 60; i++)
		values[i] = 100 + 0.04 * i + 0.3 * random_normal(&random);
	history_find(values, NULL, 60, BETTER_LOWER, 0.03, &history);
	assert_int_equal(history.change_count, 0);
	assert_true(history.trend.found && history.trend.worse);
	history_finish(&history);
	fill(values, 0, 60, 100, 0.3, &random);
	history_find(values, NULL, 60, BETTER_LOWER, 0.03, &history);
	assert_false(history.trend.found);
	history_finish(&history);
}

static void ten_thousand_points_are_quick(void **state)
{
	static double values[10000];
	struct random random;
	struct history history;
	clock_t start = clock();

	(void)state;
	random_init(&random, 14);
	for (size_t i = 0; i < 10; i++)
		fill(values, 1000 * i, 1000 * (i + 1), 100 + 10 * (double)(i % 2), 3,
		     &random);
	history_find(values, NULL, 10000, BETTER_LOWER, 0.03, &history);
	assert_int_equal(history.change_count, 9);
	history_finish(&history);
	/* One second is asked for; sanitizers and a busy machine get room. */
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
}

enum word { NOTHING = 0, WARM_UP = 1, DRIFT = 2, STALL = 4, HANG = 8, UNRECOVERED = 16 };

static unsigned words_of(const struct windows_input *input)
{
	struct windows_judgement j = windows_judge(input);
	unsigned words = 0;

	words |= j.warm_up ? WARM_UP : 0;
	words |= j.drifts ? DRIFT : 0;
	words |= j.stall_count ? STALL : 0;
	words |= j.hung ? HANG : 0;
	for (size_t i = 0; i < j.stall_count; i++)
		words |= j.stalls[i].recovered ? 0 : UNRECOVERED;
	return words;
}

/* The kinds of runs: each fills 100 windows of a mean of 10. */
static void flat(double *values, struct random *random)
{
	fill(values, 0, 100, 10, 0.2, random);
}

static void slow_start(double *values, struct random *random)
{
	flat(values, random);
	values[0] = 270;
}

static void one_long_sync(double *values, struct random *random)
{
	flat(values, random);
	/* 90 s in one of 100 operations of 10 ms. */
	values[61] = 910;
}

static void ramp(double *values, struct random *random)
{
	(void)random;
	for (int i = 0; i < 100; i++)
		values[i] = i * 0.4;
}

static void printed_ramp(double *values, struct random *random)
{
	(void)random;
	for (int i = 0; i < 100; i++)
		values[i] = i * 2 / 5;
}

static void noisy_ramp(double *values, struct random *random)
{
	flat(values, random);
	for (int i = 0; i < 100; i++)
		values[i] += 0.05 * i;
}

static void sawtooth(double *values, struct random *random)
{
	(void)random;
	for (int i = 0; i < 100; i++)
		values[i] = i % 27 * 6 / 26.0;
}

static void spikes(double *values, struct random *random)
{
	flat(values, random);
	for (int i = 3; i < 100; i += 5 + (int)random_below(random, 14))
		values[i] = 40 + 60 * random_uniform(random);
}

static void step_up(double *values, struct random *random)
{
	flat(values, random);
	for (int i = 70; i < 100; i++)
		values[i] += 60;
}

static void tiny_drift(double *values, struct random *random)
{
	flat(values, random);
	for (int i = 0; i < 100; i++)
		values[i] += 0.005 * i;
}

static void runs_are_told_apart(void **state)
{
	static const struct {
		const char *what;
		void (*fill)(double *values, struct random *random);
		unsigned words;
	} rows[] = {
		{"healthy", flat, NOTHING},
		{"first window 27 times the rest", slow_start, WARM_UP},
		{"one sync of 90 s", one_long_sync, STALL},
		{"0 to 40", ramp, DRIFT},
		{"0 to 40 in whole numbers", printed_ramp, DRIFT},
		{"half as slow again", noisy_ramp, DRIFT},
		{"cycles", sawtooth, NOTHING},
		{"irregular spikes", spikes, NOTHING},
		{"slow from 70 % on", step_up, STALL | UNRECOVERED},
		{"5 % over the run", tiny_drift, NOTHING},
	};

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			double values[100];
			struct windows_input input = {values, 100, .complete = 1};
			struct random random;
			unsigned words;

			random_init(&random, seed);
			rows[r].fill(values, &random);
			words = words_of(&input);
			if (words != rows[r].words)
				fail_msg("%s (seed %d): %#x", rows[r].what, (int)seed,
					 words);
		}
}

/* Two seconds below 20 % of the throughput that recover are a stall and no drift. */
static void throughput_stalls(void **state)
{
	double values[60];
	struct windows_input input = {values, 60, .throughput = 1, .complete = 1};
	struct windows_judgement j;
	struct random random;

	(void)state;
	random_init(&random, 20);
	fill(values, 0, 60, 500, 10, &random);
	values[30] = 80;
	values[31] = 0;
	j = windows_judge(&input);
	assert_int_equal(j.stall_count, 1);
	assert_int_equal(j.stalls[0].start, 30);
	assert_int_equal(j.stalls[0].length, 2);
	assert_true(j.stalls[0].recovered && !j.drifts && !j.warm_up);
}

static void cut_run_hangs_when_silent(void **state)
{
	static const double values[] = {10, 10.2, 9.9, 10.1, 10, 9.8};
	struct windows_input input = {values, 6, .silent = 45};

	(void)state;
	assert_int_equal(words_of(&input), HANG);
	input.silent = 5;
	assert_int_equal(words_of(&input), NOTHING);
	input = (struct windows_input){values, 0, .silent = 45};
	assert_int_equal(words_of(&input), HANG);
	assert_true(isnan(windows_judge(&input).median));
}

/* Healthy kernels drift by a few ns an operation; the floor keeps that quiet. */
static void floor_keeps_small_drifts_quiet(void **state)
{
	double values[40];
	struct windows_input input = {values, 40, .complete = 1, .operations = 100};

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = 1000 + 500.0 * i;
	input.floor = 4;
	assert_int_equal(words_of(&input), DRIFT);
	input.floor = 10;
	assert_int_equal(words_of(&input), NOTHING);
}

/* Bad, worse, worst: who takes the second level for right is told of the third alone. */
static void accepted_levels_are_the_new_best(void **state)
{
	double values[60];
	struct history history;

	(void)state;
	for (int i = 0; i < 60; i++)
		values[i] = (i < 20 ? 100 : i < 40 ? 110 : 120) + 0.1 * ((i * 7) % 10);
	history_find(values, NULL, 60, BETTER_LOWER, 0.03, &history);
	assert_int_equal(history.change_count, 2);
	assert_int_equal(history.level_count, 3);
	assert_int_equal(history.levels[2].first, 40);
	assert_true(history.regressed);
	history_accept(&history, 20, BETTER_LOWER, 0.03);
	assert_true(history.changes[0].acknowledged);
	assert_false(history.changes[1].acknowledged);
	assert_true(history.regressed);
	history_accept(&history, 45, BETTER_LOWER, 0.03);
	assert_true(history.changes[1].acknowledged);
	assert_false(history.regressed);
	history_finish(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepted_levels_are_the_new_best),
		cmocka_unit_test(short_series_have_their_steps),
		cmocka_unit_test(small_differences_are_no_outliers),
		cmocka_unit_test(long_series_have_their_levels),
		cmocka_unit_test(environments_are_kept_apart),
		cmocka_unit_test(slow_trend_is_named),
		cmocka_unit_test(ten_thousand_points_are_quick),
		cmocka_unit_test(runs_are_told_apart),
		cmocka_unit_test(throughput_stalls),
		cmocka_unit_test(cut_run_hangs_when_silent),
		cmocka_unit_test(floor_keeps_small_drifts_quiet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
