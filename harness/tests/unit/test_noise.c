/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of noise whose size is known. */
#include "stats/noise.h"
#include "stats/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BOOTS = 40 };

static const struct series_name lower = {"s", "c", "m", "ms", BETTER_LOWER};
static const struct series_name higher = {"s", "c", "m", "MB/s", BETTER_HIGHER};

/* Deviations of "percent" around 100; drift over all boots in percent. */
static void fill(double *boots, double percent, double drift, uint64_t seed)
{
	struct random random;

	random_init(&random, seed);
	for (int i = 0; i < BOOTS; i++)
		boots[i] = 100 + percent * random_normal(&random) + drift * i / BOOTS;
}

static void assert_between(double value, double low, double high)
{
	if (!(value >= low && value <= high))
		fail_msg("%g is not within %g and %g", value, low, high);
}

static void size_of_the_noise_is_found(void **state)
{
	double boots[BOOTS];
	struct noise noise;

	(void)state;
	fill(boots, 2, 0, 1);
	noise = noise_measure(&lower, boots, BOOTS, &policy_statistical, 7);
	assert_int_equal(noise.boots, BOOTS);
	assert_between(noise.median, 99, 101);
	assert_between(noise.spread_percent, 1.3, 2.8);
	/* 1.96 deviations of the difference of two medians or means of 12. */
	assert_between(noise.floor_percent, 1.1, 2.3);
	assert_int_equal(noise.trials, 4);
	assert_true(noise.alarms <= 1);
}

/* More boots see more, never less than the minimum effect; noise needs larger changes. */
static void more_boots_find_smaller_changes(void **state)
{
	double boots[BOOTS];
	struct noise quiet, loud;

	(void)state;
	fill(boots, 0.1, 0, 2);
	quiet = noise_measure(&lower, boots, BOOTS, &policy_statistical, 7);
	for (int i = 0; i < SEQUENTIAL_LOOKS; i++)
		assert_between(quiet.finds_percent[i], 3, 3.4);
	fill(boots, 5, 0, 3);
	loud = noise_measure(&lower, boots, BOOTS, &policy_statistical, 7);
	assert_true(loud.finds_percent[0] > loud.finds_percent[1] &&
		    loud.finds_percent[1] > loud.finds_percent[2]);
	assert_between(loud.finds_percent[1], 6, 12);
	loud = noise_measure(&higher, boots, BOOTS, &policy_statistical, 7);
	assert_between(loud.finds_percent[1], 5, 12);
}

/* The smallest change that is said to be found is found, about as often as is said. */
static void what_is_said_holds(void **state)
{
	double boots[BOOTS], a[8], b[8];
	struct ranks ranks = {0};
	struct random random;
	struct noise noise;
	int found = 0;

	(void)state;
	fill(boots, 5, 0, 3);
	noise = noise_measure(&lower, boots, BOOTS, &policy_statistical, 7);
	random_init(&random, 9);
	for (int round = 0; round < 500; round++) {
		struct level before = {.boots = a, .count = 8};
		struct level after = {.boots = b, .count = 8};
		struct question question = {.name = lower,
					    .a_version = "a",
					    .b_version = "b",
					    .a = &before,
					    .b = &after,
					    .policy = policy_statistical};
		struct comparison c;

		for (int i = 0; i < 8; i++) {
			a[i] = boots[random_below(&random, BOOTS)] +
			       1e-6 * random_normal(&random);
			b[i] = (boots[random_below(&random, BOOTS)] +
				1e-6 * random_normal(&random)) *
			       (1 + noise.finds_percent[1] / 100);
		}
		comparison_measure(&question, &ranks, &c);
		comparisons_decide(&c, 1, 0.05);
		found += c.verdict == VERDICT_REGRESSION;
	}
	assert_in_range(found, 500 * 70 / 100, 500 * 90 / 100);
	ranks_finish(&ranks);
}

static void a_kernel_that_says_nothing_but_zero(void **state)
{
	double zeros[BOOTS] = {0};
	struct noise noise = noise_measure(&lower, zeros, BOOTS, &policy_statistical, 7);

	(void)state;
	assert_true(isnan(noise.spread_percent) && isnan(noise.floor_percent));
	assert_int_equal(noise.alarms, 0);
}

static void same_seed_says_the_same(void **state)
{
	double boots[BOOTS];
	struct noise a, b;

	(void)state;
	fill(boots, 3, 1, 4);
	a = noise_measure(&lower, boots, BOOTS, &policy_statistical, 5);
	b = noise_measure(&lower, boots, BOOTS, &policy_statistical, 5);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void identity_is_counted(void **state)
{
	static const double same[] = {7, 7, 7}, odd[] = {100, 100.05, 100, 100, 99.9};
	struct noise_identity identity = noise_identity(same, 3);

	(void)state;
	assert_int_equal(identity.agreeing, 3);
	assert_true(identity.stray_percent == 0);
	identity = noise_identity(odd, 5);
	assert_int_equal(identity.agreeing, 3);
	assert_between(identity.stray_percent, 0.0999, 0.1001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_of_the_noise_is_found),
		cmocka_unit_test(more_boots_find_smaller_changes),
		cmocka_unit_test(what_is_said_holds),
		cmocka_unit_test(a_kernel_that_says_nothing_but_zero),
		cmocka_unit_test(same_seed_says_the_same),
		cmocka_unit_test(identity_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
