/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a reference kernel is called moved: made-up boots at both ends. */
#include "cli/reference.h"
#include "stats/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { METRICS = 8 };

static const char *const names[METRICS] = {"m0", "m1", "m2", "m3",
					   "m4", "m5", "m6", "m7"};

struct end {
	struct sample_record samples[REFERENCE_BOOTS][METRICS];
	struct boot_record records[REFERENCE_BOOTS];
	struct boot_list boots;
};

/* Noise of 2 %; shift in deviations of it, of the first so many metrics. */
static void fill(struct end *end, struct random *random, double shift, int shifted)
{
	for (int i = 0; i < REFERENCE_BOOTS; i++) {
		for (int k = 0; k < METRICS; k++)
			end->samples[i][k] = (struct sample_record){
				"", names[k], "ms", "lower",
				100 + 2 * (random_normal(random) +
					   (k < shifted ? shift : 0))};
		end->records[i] = (struct boot_record){.samples = end->samples[i],
						       .sample_count = METRICS};
	}
	end->boots = (struct boot_list){.items = end->records, .count = REFERENCE_BOOTS};
}

static int moves(uint64_t seed, double shift, int shifted, int judged)
{
	static struct end before, after;
	struct scenario_metric metrics[METRICS];
	char name[] = "sync";
	struct scenario scenario = {.name = name};
	struct judge_options judging = {
		.scenarios = &scenario, .scenario_count = 1, .min_effect = -1};
	struct random random;
	struct error err;
	char *sentence;
	int moved;

	for (int k = 0; k < METRICS; k++)
		metrics[k] = (struct scenario_metric){.name = (char *)names[k],
						      .min_effect = -1};
	scenario.metrics.items = metrics + METRICS - judged;
	scenario.metrics.count = (size_t)judged;
	random_init(&random, seed);
	fill(&before, &random, 0, 0);
	fill(&after, &random, shift, shifted);
	assert_int_equal(reference_find_move(&judging, &before.boots, &after.boots,
					     "sync", &sentence, &err),
			 0);
	moved = sentence != NULL;
	if (moved)
		assert_non_null(strstr(sentence, "sync"));
	free(sentence);
	return moved;
}

static void a_quiet_host_does_not_move(void **state)
{
	int moved = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++)
		moved += moves(seed, 0, 0, METRICS);
	assert_true(moved <= 10);
}

static void a_host_that_slows_down_moves(void **state)
{
	int moved = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++)
		moved += moves(seed, 4, METRICS, METRICS);
	assert_true(moved >= 190);
}

/* A jump that shows in one of many metrics is seen, since nothing else does that. */
static void a_jump_of_one_metric_moves(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++)
		assert_true(moves(seed, 30, 1, METRICS));
}

static void what_is_not_judged_may_move(void **state)
{
	int moved = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++)
		moved += moves(seed, 30, 1, METRICS - 1);
	assert_true(moved <= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_host_does_not_move),
		cmocka_unit_test(a_host_that_slows_down_moves),
		cmocka_unit_test(a_jump_of_one_metric_moves),
		cmocka_unit_test(what_is_not_judged_may_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
