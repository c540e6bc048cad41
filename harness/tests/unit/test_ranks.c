/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests of samples against published figures and against counting every assignment.
 */
#include "stats/multiple.h"
#include "stats/random.h"
#include "stats/ranks.h"
#include "stats/sequential.h"
#include "stats/shift.h"
#include "stats/summary.h"
#include "stats/tails.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_close(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.15g, expected %.15g", value, expected);
}

static double doubled_u(const double *a, size_t m, const double *b, size_t n)
{
	double u = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			u += (b[j] > a[i]) + (b[j] >= a[i]);
	return u;
}

/* The two-sided p by going through every choice of m out of all values. */
static double counted_p(const double *a, size_t m, const double *b, size_t n)
{
	double pool[24], left[24], right[24], hits = 0, all = 0;
	double seen = fabs(doubled_u(a, m, b, n) - (double)(m * n));

	memcpy(pool, a, m * sizeof(*a));
	memcpy(pool + m, b, n * sizeof(*b));
	for (uint32_t mask = 0; mask < 1u << (m + n); mask++) {
		size_t l = 0, r = 0;

		if ((size_t)__builtin_popcount(mask) != m)
			continue;
		for (size_t i = 0; i < m + n; i++)
			if (mask >> i & 1)
				left[l++] = pool[i];
			else
				right[r++] = pool[i];
		all++;
		hits += fabs(doubled_u(left, m, right, n) - (double)(m * n)) >= seen;
	}
	return hits / all;
}

static void p_is_that_of_all_assignments(void **state)
{
	struct ranks ranks = {0};
	struct random random;

	(void)state;
	random_init(&random, 1);
	for (int round = 0; round < 60; round++) {
		size_t m = 1 + random_below(&random, 6), n = 1 + random_below(&random, 6);
		/* From many ties to hardly any. */
		uint64_t kinds = round % 3 ? 2 + random_below(&random, 6) : 1000000;
		double a[6], b[6];
		struct ranks_result result;

		for (size_t i = 0; i < m; i++)
			a[i] = (double)random_below(&random, kinds);
		for (size_t i = 0; i < n; i++)
			b[i] = (double)random_below(&random, kinds);
		result = ranks_test(&ranks, a, m, b, n);
		assert_int_equal(result.method, RANKS_EXACT);
		assert_close(result.u, doubled_u(a, m, b, n) / 2, 0);
		assert_close(result.superiority, result.u / (double)(m * n), 1e-15);
		assert_close(result.p, counted_p(a, m, b, n), 1e-12);
	}
	ranks_finish(&ranks);
}

/* Hollander and Wolfe (1973), p. 69: permeability of membranes; R gives W = 35. */
static void permeability_is_as_published(void **state)
{
	static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45,
				      1.38, 1.91, 1.64, 0.73, 1.46};
	static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct ranks ranks = {0};
	struct ranks_result result = ranks_test(&ranks, early, 5, term, 10);

	(void)state;
	assert_close(result.u, 35, 0);
	/* One-sided 0.1272061 in R; 382 of the 3003 assignments. */
	assert_close(result.p, 2 * 382.0 / 3003, 1e-12);
	ranks_finish(&ranks);
}

/* The usual table of critical values, 0.05 two-sided: reject where U is at most this. */
static void critical_values_are_those_of_the_tables(void **state)
{
	static const struct {
		size_t m, n, critical;
	} rows[] = {
		{4, 4, 0},  {5, 5, 2},    {6, 6, 5},    {7, 7, 8},    {8, 8, 13},
		{9, 9, 17}, {10, 10, 23}, {12, 12, 37}, {15, 15, 64}, {20, 20, 127},
		{5, 10, 8}, {10, 5, 8},   {8, 12, 22},  {3, 5, 0},    {9, 11, 23},
	};
	struct ranks ranks = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(ranks_critical(&ranks, rows[i].m, rows[i].n, 0.025),
				 rows[i].critical + 1);
	assert_int_equal(ranks_critical(&ranks, 3, 3, 0.025), 0);
	assert_int_equal(ranks_critical(&ranks, 1, 20, 0.025), 0);
	ranks_finish(&ranks);
}

/* Where sides no longer overlap p is 2 over the number of assignments. */
static void separated_sides_have_the_least_p(void **state)
{
	struct ranks ranks = {0};
	double a[20], b[20];

	(void)state;
	for (int i = 0; i < 20; i++) {
		a[i] = i;
		b[i] = 100 + i;
	}
	assert_close(ranks_test(&ranks, a, 5, b, 5).p, 2 / 252.0, 1e-15);
	assert_close(ranks_test(&ranks, a, 8, b, 8).p, 2 / 12870.0, 1e-15);
	assert_close(ranks_test(&ranks, a, 9, b, 11).p, 2 / 167960.0, 1e-15);
	assert_close(ranks_test(&ranks, a, 20, b, 20).p, 2 / 137846528820.0, 1e-20);
	assert_close(ranks_least_p(9, 11), 2 / 167960.0, 1e-15);
	assert_close(ranks_test(&ranks, a, 1, b, 1).p, 1, 0);
	ranks_finish(&ranks);
}

static void large_sides_agree_with_small_ones(void **state)
{
	struct ranks ranks = {0};
	struct random random;
	double a[60], b[60];

	(void)state;
	random_init(&random, 2);
	for (int i = 0; i < 60; i++) {
		a[i] = random_uniform(&random);
		b[i] = random_uniform(&random) + 0.08;
	}
	/* 50 against 50 is counted, 60 against 60 is not: both near the normal form. */
	for (size_t n = 50; n <= 60; n += 10) {
		struct ranks_result result = ranks_test(&ranks, a, n, b, n);
		double mean = (double)(n * n) / 2;
		double deviation = sqrt(mean / 6 * (double)(2 * n + 1));
		double z = (fabs(result.u - mean) - 0.5) / deviation;

		assert_int_equal(result.method, n == 50 ? RANKS_EXACT : RANKS_NORMAL);
		assert_close(result.p, ranks_normal_p(z), 2e-3);
	}
	ranks_finish(&ranks);
}

static void small_side_against_many_ties_is_drawn(void **state)
{
	static double a[4] = {3, 3, 2, 3}, b[2000];
	struct ranks ranks = {0};
	struct ranks_result result, again;

	(void)state;
	for (int i = 0; i < 2000; i++)
		b[i] = i % 4;
	result = ranks_test(&ranks, a, 4, b, 2000);
	again = ranks_test(&ranks, a, 4, b, 2000);
	assert_int_equal(result.method, RANKS_PERMUTATION);
	assert_true(result.p > 0.02 && result.p < 0.07);
	assert_close(result.p, again.p, 0);
	ranks_finish(&ranks);
}

static void all_equal_says_nothing(void **state)
{
	double same[300] = {0};
	struct ranks ranks = {0};

	(void)state;
	assert_close(ranks_test(&ranks, same, 8, same, 8).p, 1, 0);
	assert_close(ranks_test(&ranks, same, 300, same, 300).p, 1, 0);
	assert_close(ranks_test(&ranks, same, 8, same, 8).superiority, 0.5, 0);
	ranks_finish(&ranks);
}

static void selection_agrees_with_sorting(void **state)
{
	struct random random;
	double a[40], b[30], differences[1200];

	(void)state;
	random_init(&random, 3);
	for (int round = 0; round < 20; round++) {
		size_t m = 1 + random_below(&random, 40),
		       n = 1 + random_below(&random, 30);
		size_t count = 0;
		struct shift shift;

		for (size_t i = 0; i < m; i++)
			a[i] = round % 2 ? random_normal(&random)
					 : (double)random_below(&random, 5);
		for (size_t i = 0; i < n; i++)
			b[i] = round % 2 ? random_normal(&random)
					 : (double)random_below(&random, 5);
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				differences[count++] = b[j] - a[i];
		summary_sort(a, m);
		summary_sort(b, n);
		summary_sort(differences, count);
		for (size_t k = 1; k <= count; k += 7)
			assert_close(shift_select(a, m, b, n, k), differences[k - 1], 0);
		shift = shift_estimate(a, m, b, n, 1);
		assert_close(shift.median, summary_median_sorted(differences, count), 0);
		assert_close(shift.low, differences[0], 0);
		assert_close(shift.high, differences[count - 1], 0);
		assert_true(isnan(shift_estimate(a, m, b, n, 0).low));
	}
}

/* 95 % intervals hold the true shift in at least 95 of 100 cases. */
static void interval_covers(void **state)
{
	struct ranks ranks = {0};
	struct random random;
	int covered = 0;

	(void)state;
	random_init(&random, 4);
	for (int round = 0; round < 2000; round++) {
		double a[8], b[8];
		struct shift shift;

		for (int i = 0; i < 8; i++) {
			a[i] = random_normal(&random);
			b[i] = random_normal(&random) + 3;
		}
		summary_sort(a, 8);
		summary_sort(b, 8);
		shift = shift_estimate(a, 8, b, 8, ranks_critical(&ranks, 8, 8, 0.025));
		covered += shift.low <= 3 && shift.high >= 3;
	}
	assert_true(covered >= 1885 && covered < 1960);
	ranks_finish(&ranks);
}

/* Worked by hand from the definitions; NAN is no test. */
static void corrections_are_right(void **state)
{
	static const double p[] = {0.02, 0.005, NAN, 0.13, 0.011, 0.04};
	static const double q[] = {0.1 / 3, 0.025, NAN, 0.13, 0.0275, 0.05};
	static const double holm[] = {0.06, 0.025, NAN, 0.13, 0.044, 0.08};
	double result[6];

	(void)state;
	multiple_benjamini_hochberg(p, 6, result);
	for (int i = 0; i < 6; i++)
		assert_true(isnan(q[i]) ? isnan(result[i])
					: fabs(result[i] - q[i]) < 1e-15);
	multiple_holm(p, 6, result);
	for (int i = 0; i < 6; i++)
		assert_true(isnan(holm[i]) ? isnan(result[i])
					   : fabs(result[i] - holm[i]) < 1e-15);
	multiple_holm(p, 0, result);
}

/* Student's t: 2.2281389 and 4.5868939 with 10 degrees are 0.05 and 0.001, two-sided. */
static void tails_are_those_of_the_tables(void **state)
{
	static const double t[] = {2.228138851964939, 4.586893858702636};
	static const double p[] = {0.05, 0.001};

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_close(exp(tails_log_steps(10 / (10 + t[i] * t[i]), 10, 1)), p[i],
			     1e-9);
	/* Two steps have a closed form; very sure ones do not underflow. */
	assert_close(tails_log_steps(0.3, 9, 2), 4.5 * log(0.3), 1e-9);
	assert_close(tails_log_steps(0.99, 9, 2), 4.5 * log(0.99), 1e-9);
	assert_close(tails_log_steps(1e-10, 400, 2), 200 * log(1e-10), 1e-6);
	assert_true(isinf(tails_log_steps(0, 9, 1)));
	assert_close(tails_log_steps(1, 9, 1), 0, 0);
	assert_close(tails_sign(1, 10), 22 / 1024.0, 1e-12);
	assert_close(tails_sign(5, 10), 1, 0);
	assert_close(tails_sign(0, 0), 1, 0);
}

static void moved_reference_is_seen(void **state)
{
	static const double moved[] = {450, 446, 452, 441, 448, 121, 118, 120, 119, 122};
	/* Sorted, but of one level. */
	static const double sorted[] = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9};
	static const double mixed[] = {450, 120, 446, 118, 441, 121, 452, 119, 448, 122};

	(void)state;
	assert_int_equal(summary_moved_at(moved, 10), 5);
	assert_int_equal(summary_moved_at(moved, 9), 0);
	assert_int_equal(summary_moved_at(sorted, 10), 0);
	assert_int_equal(summary_moved_at(mixed, 10), 0);
}

static void plan_names_its_looks(void **state)
{
	(void)state;
	assert_int_equal(sequential_next(0)->boots, 5);
	assert_int_equal(sequential_next(5)->boots, 8);
	assert_null(sequential_next(12));
	assert_null(sequential_reached(4));
	assert_int_equal(sequential_reached(9)->boots, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p_is_that_of_all_assignments),
		cmocka_unit_test(permeability_is_as_published),
		cmocka_unit_test(critical_values_are_those_of_the_tables),
		cmocka_unit_test(separated_sides_have_the_least_p),
		cmocka_unit_test(large_sides_agree_with_small_ones),
		cmocka_unit_test(small_side_against_many_ties_is_drawn),
		cmocka_unit_test(all_equal_says_nothing),
		cmocka_unit_test(selection_agrees_with_sorting),
		cmocka_unit_test(interval_covers),
		cmocka_unit_test(corrections_are_right),
		cmocka_unit_test(tails_are_those_of_the_tables),
		cmocka_unit_test(moved_reference_is_seen),
		cmocka_unit_test(plan_names_its_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
