/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which boots are made and in which order, with made-up boots instead of guests; judged
 * as real ones are.
 */
#include "measure/budget.h"
#include "measure/sampling.h"
#include "stats/random.h"
#include "stats/ranks.h"
#include "stats/sequential.h"
#include "stats/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 4, MOST_BOOTS = 12, ALL_BOOTS = ITEMS * MOST_BOOTS + 8 };

/* A host that gets slower, and versions of which some are slower themselves. */
struct host {
	struct random random;
	uint64_t seed;
	double shifts[ITEMS]; /* of the versions, in deviations of the noise */
	double drift;         /* over 24 boots, in the same */
	struct budget budget;
	double values[ITEMS][MOST_BOOTS];
	struct sampling_item items[ITEMS];
	size_t order[ALL_BOOTS]; /* whose boots were made */
	size_t boots, references, looks;
	int reference_fails;
	struct comparison last[ITEMS]; /* of each version with the one before */
};

static int measure_reference(void *state, struct error *err)
{
	struct host *host = state;

	if (host->reference_fails)
		return error_set(err, ERROR_HOST, "no reference");
	host->references++;
	host->budget.reserved = 0;
	return 0;
}

static int measure(void *state, const unsigned *wanted, struct error *err)
{
	struct host *host = state;
	size_t next;

	(void)err;
	for (size_t i = 0; i < ITEMS; i++)
		host->items[i].wanted = wanted[i];
	while (!budget_is_spent(&host->budget, 0) &&
	       (next = sampling_next(host->items, ITEMS, host->seed)) < ITEMS) {
		struct sampling_item *item = &host->items[next];

		host->values[next][item->made++] =
			100 + 5 * (random_normal(&host->random) + host->shifts[next] +
				   host->drift * (double)host->boots / 24);
		host->order[host->boots++] = next;
		host->budget.boots++;
	}
	return 0;
}

/* Items are pairs: 0 with 1, 2 with 3. */
static int judge(void *state, unsigned char *undecided, struct error *err)
{
	struct verdict_policy plan = policy_statistical;
	struct host *host = state;
	struct ranks ranks = {0};

	(void)err;
	plan.sequential = 1;
	host->looks++;
	for (size_t i = 1; i < ITEMS; i += 2) {
		struct level a = {.boots = host->values[i - 1],
				  .count = host->items[i - 1].made};
		struct level b = {.boots = host->values[i], .count = host->items[i].made};
		struct question question = {.name = {"s", "c", "m", "ns", BETTER_LOWER},
					    .a_version = "a",
					    .b_version = "b",
					    .a = &a,
					    .b = &b,
					    .policy = plan};

		comparison_measure(&question, &ranks, &host->last[i]);
		comparisons_decide(&host->last[i], 1, 0.05);
		undecided[i] = undecided[i - 1] =
			host->last[i].verdict == VERDICT_INCONCLUSIVE;
	}
	ranks_finish(&ranks);
	return 0;
}

static int is_spent(void *state)
{
	const struct host *host = state;

	return budget_is_spent(&host->budget, 0);
}

static const struct sampling_ops fake = {measure_reference, measure, judge, is_spent};

static void host_init(struct host *host, uint64_t seed)
{
	*host = (struct host){.seed = seed};
	random_init(&host->random, seed);
	for (size_t i = 0; i < ITEMS; i++)
		host->items[i].group = i / 2;
}

static void run(struct host *host, unsigned fixed)
{
	const unsigned all[ITEMS] = {fixed, fixed, fixed, fixed};
	struct error err;

	assert_int_equal(sampling_run(&fake, host, ITEMS, all, &err), 0);
}

static void boots_come_in_blocks(void **state)
{
	size_t first = 0, group_first = 0, rounds = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct host host;

		host_init(&host, seed);
		run(&host, 8);
		assert_int_equal(host.boots, 4 * 8);
		for (size_t k = 0; k < host.boots; k += 2) {
			size_t one = host.order[k], other = host.order[k + 1];

			/* Both of a pair, once each, side by side. */
			assert_int_equal(one / 2, other / 2);
			assert_int_not_equal(one, other);
			first += one < other;
			if (k % 4)
				continue;
			group_first += one < 2;
			rounds++;
			assert_int_not_equal(one / 2, host.order[k + 2] / 2);
		}
	}
	/* Who comes first is a matter of chance. */
	assert_in_range(first, 2 * rounds * 45 / 100, 2 * rounds * 55 / 100);
	assert_in_range(group_first, rounds * 43 / 100, rounds * 57 / 100);
}

static void order_is_that_of_the_seed(void **state)
{
	struct host host, again, other;

	(void)state;
	host_init(&host, 3);
	run(&host, 8);
	host_init(&again, 3);
	run(&again, 8);
	host_init(&other, 4);
	run(&other, 8);
	assert_memory_equal(host.order, again.order, sizeof(host.order));
	assert_memory_not_equal(host.order, other.order, sizeof(host.order));
}

static void only_what_is_undecided_goes_on(void **state)
{
	struct host host;

	(void)state;
	host_init(&host, 1);
	host.shifts[1] = 20; /* plain at once */
	run(&host, 0);
	assert_int_equal(host.items[0].made, 5);
	assert_int_equal(host.items[1].made, 5);
	assert_int_equal(host.last[1].verdict, VERDICT_REGRESSION);
	/* Noise of 5 % cannot be shown to be within 3 % by so few boots. */
	assert_int_equal(host.items[2].made, 12);
	assert_int_equal(host.items[3].made, 12);
	assert_int_equal(host.looks, 3);
}

static void reference_is_at_both_ends(void **state)
{
	const unsigned by_plan[ITEMS] = {0};
	struct error err;
	struct host host;

	(void)state;
	host_init(&host, 1);
	run(&host, 0);
	assert_int_equal(host.references, 2);
	host_init(&host, 1);
	host.reference_fails = 1;
	assert_int_equal(sampling_run(&fake, &host, ITEMS, by_plan, &err), -1);
	assert_int_equal(host.boots, 0);
	assert_string_equal(err.text, "no reference");
}

static void budget_ends_it(void **state)
{
	struct host host;

	(void)state;
	host_init(&host, 1);
	host.budget.max_boots = 26;
	run(&host, 0);
	assert_int_equal(host.boots, 26);
	/* Nearly the same number of each. */
	for (size_t i = 0; i < ITEMS; i++)
		assert_in_range(host.items[i].made, 6, 7);
	assert_int_equal(host.looks, 2);
	/* The level is that of the look that was reached. */
	assert_int_equal(sequential_reached(6)->boots, 5);
}

static void reserved_boots_are_kept(void **state)
{
	struct budget budget = {.max_boots = 10, .boots = 4, .reserved = 5};

	(void)state;
	assert_false(budget_is_spent(&budget, 0));
	budget.boots = 5;
	assert_true(budget_is_spent(&budget, 0));
	budget.reserved = 0;
	assert_false(budget_is_spent(&budget, 0));
	budget = (struct budget){.max_seconds = 60, .started = 100};
	assert_false(budget_is_spent(&budget, 159));
	assert_true(budget_is_spent(&budget, 160));
}

/* All three looks of the real judgement, in the real order, while the host drifts. */
static void whole_plan_keeps_false_alarms_rare(void **state)
{
	static const double drifts[] = {0, 2};
	int sessions = 400;

	(void)state;
	for (size_t d = 0; d < 2; d++) {
		int alarms = 0;

		for (int i = 0; i < sessions; i++) {
			struct host host;

			host_init(&host, 1000 * d + (uint64_t)i);
			host.drift = drifts[d];
			run(&host, 0);
			alarms += host.last[1].verdict == VERDICT_REGRESSION ||
				  host.last[1].verdict == VERDICT_IMPROVEMENT;
		}
		assert_true(alarms <= sessions * 6 / 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boots_come_in_blocks),
		cmocka_unit_test(order_is_that_of_the_seed),
		cmocka_unit_test(only_what_is_undecided_goes_on),
		cmocka_unit_test(reference_is_at_both_ends),
		cmocka_unit_test(budget_ends_it),
		cmocka_unit_test(reserved_boots_are_kept),
		cmocka_unit_test(whole_plan_keeps_false_alarms_rare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
