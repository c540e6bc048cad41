/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/information.h"
#include "bisect/random.h"
#include "bisect/search.h"
#include "bisect/simulation.h"
#include "history/graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A history that branches and merges at random, as merges of merges do. */
static void make_random(struct graph *graph, size_t count, uint64_t seed)
{
	struct dice dice = {seed};
	unsigned char *is_parent = memory_new(count, 1);
	size_t used = 0;

	*graph = (struct graph){.count = count, .total = count + 1};
	graph->parent_start = memory_new(count + 1, sizeof(uint32_t));
	graph->parents = memory_new(count * 8 + count, sizeof(uint32_t));
	for (uint32_t i = 0; i < count; i++) {
		size_t wanted = dice_uniform(&dice) < 0.3 ? 3 : 1;

		for (size_t k = 0; i && k < wanted; k++) {
			uint32_t parent =
				i - 1 - (uint32_t)dice_below(&dice, i < 9 ? i : 9);

			graph->parents[used++] = parent;
			is_parent[parent] = 1;
		}
		if (!i)
			graph->parents[used++] = (uint32_t)count;
		/* The last one merges every loose end, so that all are its ancestors. */
		for (uint32_t p = 0; i == count - 1 && p < i; p++)
			if (!is_parent[p])
				graph->parents[used++] = p;
		graph->parent_start[i + 1] = (uint32_t)used;
	}
	graph->good = (uint32_t)count;
	graph->bad = (uint32_t)count - 1;
	free(is_parent);
}

static void sums_count_no_ancestor_twice(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 12; seed++) {
		size_t count = 40 * seed + 3;
		CLEANUP(graph_finish) struct graph graph = {0};
		CLEANUP(cleanup_free) double *weights = memory_new(count, sizeof(double));
		CLEANUP(cleanup_free) double *mass = memory_new(count, sizeof(double));
		CLEANUP(cleanup_free) unsigned char *marks = memory_new(count, 1);
		struct dice dice = {seed};

		make_random(&graph, count, seed);
		for (size_t i = 0; i < count; i++)
			weights[i] = dice_below(&dice, 4) ? dice_uniform(&dice) : 0;
		graph_sum_ancestors(&graph, weights, mass);
		for (uint32_t i = 0; i < count; i++) {
			double sum = 0;

			graph_mark_ancestors(&graph, i, marks);
			for (size_t a = 0; a < count; a++)
				sum += marks[a] ? weights[a] : 0;
			assert_true(fabs(sum - mass[i]) < 1e-9);
		}
	}
}

struct world {
	const struct graph *graph;
	const unsigned char *changed; /* by node of the range */
	const unsigned char *broken;  /* may be NULL */
	double good, bad;
	double (*noise)(struct dice *dice);
	struct dice dice;
	size_t tested; /* different commits of the range, but the ends */
};

static double measure_value(struct world *world, uint32_t node)
{
	int changed = node < world->graph->count && world->changed[node];

	return (changed ? world->bad : world->good) +
	       (world->noise ? world->noise(&world->dice) : 0);
}

static struct search_observation observe(struct world *world, struct search *search,
					 uint32_t node)
{
	int broken = node < world->graph->count && world->broken && world->broken[node];

	world->tested += node < world->graph->bad && !search_values(search, node);
	return (struct search_observation){
		.node = node,
		.outcome = broken ? SEARCH_UNTESTABLE : SEARCH_MEASURED,
		.value = broken ? 0 : measure_value(world, node),
	};
}

static struct search_step play(struct world *world, struct search *search)
{
	struct search_step step = {0};

	for (int i = 0; i < 1000; i++) {
		struct search_observation seen;

		search_next(search, &step);
		if (step.status != SEARCH_RUNNING)
			break;
		seen = observe(world, search, step.node);
		search_observe(search, &seen);
	}
	return step;
}

static void mark_descendants(const struct graph *graph, uint32_t culprit,
			     unsigned char *changed)
{
	memset(changed, 0, graph->count);
	changed[culprit] = 1;
	for (uint32_t i = culprit + 1; i < graph->count; i++)
		for (size_t k = 0; k < graph_parent_count(graph, i); k++) {
			uint32_t parent = graph_parents(graph, i)[k];

			changed[i] |= parent < graph->count && changed[parent];
		}
}

static void exact_search_halves_a_line(void **state)
{
	const struct search_options options = {.model = &model_exact};
	CLEANUP(graph_finish) struct graph graph = {0};
	unsigned char changed[100];

	(void)state;
	graph_make_line(100, &graph);
	for (uint32_t culprit = 0; culprit < 100; culprit++) {
		CLEANUP(cleanup_search)
		struct search *search = search_create(&graph, &options);
		struct world world = {
			.graph = &graph, .changed = changed, .good = 7, .bad = 8};
		struct search_step end;

		mark_descendants(&graph, culprit, changed);
		end = play(&world, search);
		assert_int_equal(end.status, SEARCH_CONFIRMED);
		assert_int_equal(end.node, culprit);
		/* ceil(log2 100) + 1 */
		assert_true(world.tested <= 8);
		assert_true(search_boots(search) <= 8 + 2 + 4);
	}
}

static void any_commit_of_a_graph_is_found(void **state)
{
	static const struct model_ops *const models[] = {&model_exact, &model_robust};
	CLEANUP(graph_finish) struct graph graph = {0};
	unsigned char changed[60];

	(void)state;
	make_random(&graph, 60, 5);
	for (uint32_t culprit = 0; culprit < 120; culprit++) {
		const struct search_options options = {.model = models[culprit % 2]};
		CLEANUP(cleanup_search)
		struct search *search = search_create(&graph, &options);
		struct world world = {
			.graph = &graph, .changed = changed, .good = -3, .bad = -9};
		struct search_step end;

		mark_descendants(&graph, culprit / 2, changed);
		end = play(&world, search);
		assert_int_equal(end.status, SEARCH_CONFIRMED);
		assert_int_equal(end.node, culprit / 2);
	}
}

static void broken_commits_stay_suspects_together(void **state)
{
	const struct search_options options = {.model = &model_robust};
	CLEANUP(graph_finish) struct graph graph = {0};
	unsigned char changed[200], broken[200] = {0}, member[200];
	struct search_step end;

	(void)state;
	graph_make_line(200, &graph);
	memset(broken + 90, 1, 15);
	for (uint32_t culprit = 90; culprit <= 105; culprit += 5) {
		CLEANUP(cleanup_search)
		struct search *search = search_create(&graph, &options);
		struct world world = {.graph = &graph,
				      .changed = changed,
				      .broken = broken,
				      .good = 1,
				      .bad = 2};

		mark_descendants(&graph, culprit, changed);
		end = play(&world, search);
		assert_int_equal(end.status, SEARCH_SET);
		assert_int_equal(end.why, SEARCH_WHY_SKIPS);
		assert_int_equal(search_suspects(search, member), 16);
		for (size_t i = 90; i <= 105; i++)
			assert_true(member[i]);
	}
}

static void equal_ends_are_told(void **state)
{
	static const struct model_ops *const models[] = {&model_exact, &model_robust,
							 &model_pass_fail};
	CLEANUP(graph_finish) struct graph graph = {0};
	unsigned char changed[30] = {0};

	(void)state;
	graph_make_line(30, &graph);
	for (int i = 0; i < 6; i++) {
		const struct search_options options = {.model = models[i % 3]};
		CLEANUP(cleanup_search)
		struct search *search = search_create(&graph, &options);
		struct world world = {.graph = &graph,
				      .changed = changed,
				      .good = i % 3 ? 0 : 5,
				      .noise = i == 4 ? dice_normal : NULL,
				      .dice = {(uint64_t)i},
				      .bad = 9};
		struct search_step end = play(&world, search);

		assert_int_equal(end.status, SEARCH_NO_DIFFERENCE);
		assert_int_equal(search_builds(search), 2);
	}
}

static void direction_and_size_of_the_effect_count(void **state)
{
	static const struct {
		enum search_direction direction;
		double min_effect;
		enum search_why why;
	} cases[] = {
		{SEARCH_ANY, 0, SEARCH_WHY_CONFIRMED},
		{SEARCH_UP, 0, SEARCH_WHY_CONFIRMED},
		{SEARCH_DOWN, 0, SEARCH_WHY_WRONG_DIRECTION},
		{SEARCH_UP, 0.03, SEARCH_WHY_CONFIRMED},
		{SEARCH_UP, 0.07, SEARCH_WHY_SMALL_EFFECT},
	};
	CLEANUP(graph_finish) struct graph graph = {0};
	unsigned char changed[30];

	(void)state;
	graph_make_line(30, &graph);
	mark_descendants(&graph, 11, changed);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct search_options options = {.model = &model_robust,
						       .direction = cases[i].direction,
						       .min_effect = cases[i].min_effect};
		CLEANUP(cleanup_search)
		struct search *search = search_create(&graph, &options);
		struct world world = {
			.graph = &graph, .changed = changed, .good = 100, .bad = 105};

		assert_int_equal(play(&world, search).why, cases[i].why);
	}
}

/* Two changes of equal size: the first of them, and the answer says that there are more.
 */
static void several_changes_are_told(void **state)
{
	const struct search_options options = {.model = &model_robust};
	CLEANUP(graph_finish) struct graph graph = {0};
	CLEANUP(cleanup_search) struct search *search = NULL;
	struct search_step step;

	(void)state;
	graph_make_line(64, &graph);
	search = search_create(&graph, &options);
	for (int i = 0; i < 200; i++) {
		struct search_observation seen = {.outcome = SEARCH_MEASURED};

		search_next(search, &step);
		if (step.status != SEARCH_RUNNING)
			break;
		seen.node = step.node;
		seen.value = step.node == graph.good ? 50
			     : step.node < 20        ? 50
			     : step.node < 40        ? 55
						     : 60;
		search_observe(search, &seen);
	}
	assert_int_equal(step.status, SEARCH_CONFIRMED);
	assert_int_equal(step.node, 20);
	assert_non_null(strstr(step.reason, "more than one change"));
}

static void same_observations_give_the_same_step(void **state)
{
	const struct search_options options = {.model = &model_robust};
	CLEANUP(graph_finish) struct graph graph = {0};
	CLEANUP(cleanup_search) struct search *search = NULL;
	struct search_observation seen[64];
	unsigned char changed[80];
	struct world world = {.graph = &graph,
			      .changed = changed,
			      .bad = 3,
			      .noise = dice_normal,
			      .dice = {4}};

	(void)state;
	make_random(&graph, 80, 3);
	mark_descendants(&graph, 33, changed);
	search = search_create(&graph, &options);
	for (int i = 0; i < 64; i++) {
		CLEANUP(cleanup_search)
		struct search *again = search_create(&graph, &options);
		struct search_step a, b;

		for (int k = 0; k < i; k++)
			search_observe(again, &seen[k]);
		search_next(search, &a);
		search_next(again, &b);
		assert_memory_equal(&a, &b, sizeof(a));
		if (a.status != SEARCH_RUNNING)
			break;
		seen[i] = observe(&world, search, a.node);
		search_observe(search, &seen[i]);
	}
}

static void budgets_end_a_search(void **state)
{
	const struct search_options options = {.model = &model_robust, .max_boots = 12};
	CLEANUP(graph_finish) struct graph graph = {0};
	CLEANUP(cleanup_search) struct search *search = NULL;
	unsigned char changed[500];
	struct world world = {.graph = &graph,
			      .changed = changed,
			      .bad = 2,
			      .noise = dice_normal,
			      .dice = {9}};
	struct search_step end;

	(void)state;
	graph_make_line(500, &graph);
	mark_descendants(&graph, 77, changed);
	search = search_create(&graph, &options);
	end = play(&world, search);
	assert_int_equal(end.status, SEARCH_SET);
	assert_int_equal(end.why, SEARCH_WHY_BUDGET);
	assert_int_equal(search_boots(search), 12);
}

struct misleading {
	uint32_t culprit;
	unsigned asked;
};

/* The culprit looks harmless and its neighbours the likelier. */
static double mislead(void *state, uint32_t node)
{
	struct misleading *misleading = state;

	misleading->asked++;
	return node == misleading->culprit ? 0.25 : node % 3 ? 4 : 1;
}

static void hints_change_no_answer(void **state)
{
	static const struct model_ops *const models[] = {&model_exact, &model_robust};
	CLEANUP(graph_finish) struct graph line = {0};
	CLEANUP(graph_finish) struct graph random = {0};
	unsigned char changed[200];

	(void)state;
	graph_make_line(200, &line);
	make_random(&random, 200, 8);
	for (uint32_t i = 0; i < 40; i++) {
		const struct graph *graph = i % 2 ? &random : &line;
		struct misleading misleading = {.culprit = 5 * i};
		const struct search_options options = {.model = models[i % 2],
						       .hint = mislead,
						       .hint_state = &misleading};
		CLEANUP(cleanup_search)
		struct search *search = search_create(graph, &options);
		struct world world = {.graph = graph,
				      .changed = changed,
				      .bad = 3,
				      .noise = i % 2 ? dice_normal : NULL,
				      .dice = {i}};
		struct search_step end;

		mark_descendants(graph, misleading.culprit, changed);
		end = play(&world, search);
		assert_int_equal(end.status, SEARCH_CONFIRMED);
		assert_int_equal(end.node, misleading.culprit);
		assert_int_equal(misleading.asked, graph->count);
		assert_true(search_hint(search, end.node) == 0.25);
		/* ceil(log2 200), log2 16 for the hint, and its parent. */
		assert_true(i % 2 || world.tested <= 8 + 4 + 1);
	}
}

/* Few searches, so the bounds are wide; "make bench-search" plays the full number. */
static void simulated_searches_are_right_and_cheap(void **state)
{
	static const struct {
		size_t commits;
		double effect, outliers;
		int pass_fail;
		double boots, builds;
	} cases[] = {
		{256, 2, 0, 0, 55, 14},
		{256, 2, 0.05, 0, 62, 15},
		{256, 3, 0, 0, 36, 13},
		{128, 0, 0, 1, 38, 14},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(graph_finish) struct graph graph = {0};
		struct simulation simulation = {
			.effect = cases[i].effect,
			.outliers = cases[i].outliers,
			.pass_fail = cases[i].pass_fail,
			.good_rate = 0.1,
			.bad_rate = 0.9,
			.trials = 24,
			.seed = 11,
			.build_cost = 30,
			.boot_cost = 10,
			.options.model =
				cases[i].pass_fail ? &model_pass_fail : &model_robust,
		};
		struct simulation_result result;

		graph_make_line(cases[i].commits, &graph);
		simulation_run(&simulation, &graph, &result);
		assert_true(result.correct >= 23);
		assert_int_equal(result.confirmed_wrong, 0);
		assert_true(result.boots_mean <= cases[i].boots);
		assert_true(result.builds_mean <= cases[i].builds);
	}
}

static void information_has_its_known_values(void **state)
{
	const struct model_source far[] = {{0.5, 0, 1}, {0.5, 50, 1}};
	const struct model_source same[] = {{0.5, 3, 1}, {0.5, 3, 1}};

	(void)state;
	assert_true(fabs(information_entropy(0.5) - 1) < 1e-12);
	assert_true(information_entropy(0) == 0 && information_entropy(1) == 0);
	/* Capacity of the binary-input Gaussian channel at amplitude 1: 0.4859 bits. */
	assert_true(fabs(information_normal(0.5, 2) - 0.4859) < 5e-4);
	assert_true(fabs(information_normal(0.5, 60) - 1) < 1e-6);
	/* Binary symmetric channel: 1 - H(0.1). */
	assert_true(fabs(information_rates(0.5, 0.1, 0.9, 1) - 0.531004) < 1e-5);
	/* Z channel at one half, where one rate is 0. */
	assert_true(fabs(information_rates(0.5, 0, 0.5, 1) - 0.311278) < 1e-5);
	assert_true(fabs(information_sources(far, 2) - 1) < 1e-2);
	assert_true(fabs(information_sources(same, 2)) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_count_no_ancestor_twice),
		cmocka_unit_test(exact_search_halves_a_line),
		cmocka_unit_test(any_commit_of_a_graph_is_found),
		cmocka_unit_test(broken_commits_stay_suspects_together),
		cmocka_unit_test(equal_ends_are_told),
		cmocka_unit_test(direction_and_size_of_the_effect_count),
		cmocka_unit_test(several_changes_are_told),
		cmocka_unit_test(same_observations_give_the_same_step),
		cmocka_unit_test(budgets_end_a_search),
		cmocka_unit_test(hints_change_no_answer),
		cmocka_unit_test(simulated_searches_are_right_and_cheap),
		cmocka_unit_test(information_has_its_known_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
