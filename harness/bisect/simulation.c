/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/simulation.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OUTLIER_MEAN = 6;
/* A search that does not end by itself is a defect, but not one to hang in. */
enum { MOST_STEPS = 100000 };

const double simulation_bin_starts[SIMULATION_BINS] = {0,   0.5,  0.6,  0.7,  0.8,
						       0.9, 0.95, 0.98, 0.99, 0.997};

/* What one search finds in the world that is made for it. */
struct world {
	const struct simulation *simulation;
	const struct graph *graph;
	struct dice dice;
	uint32_t culprit;
	unsigned char *changed; /* by node of the range */
	unsigned char *broken;
	unsigned char *built; /* total */
};

static void mark_changed(struct world *world)
{
	const struct graph *graph = world->graph;

	memset(world->changed, 0, graph->count);
	world->changed[world->culprit] = 1;
	for (uint32_t i = world->culprit + 1; i < graph->count; i++) {
		const uint32_t *parents = graph_parents(graph, i);

		for (size_t k = 0; k < graph_parent_count(graph, i); k++)
			if (parents[k] < graph->count && world->changed[parents[k]])
				world->changed[i] = 1;
	}
}

static double value_of(struct world *world, int changed)
{
	const struct simulation *simulation = world->simulation;
	double value;

	if (simulation->pass_fail)
		return dice_uniform(&world->dice) <
		       (changed ? simulation->bad_rate : simulation->good_rate);
	value = dice_normal(&world->dice) + (changed ? simulation->effect : 0);
	if (dice_uniform(&world->dice) < simulation->outliers)
		value += dice_exponential(&world->dice, OUTLIER_MEAN);
	return value;
}

static struct search_observation measure(struct world *world, uint32_t node)
{
	const struct simulation *simulation = world->simulation;
	int inside = node < world->graph->count;
	struct search_observation seen = {
		.node = node,
		.outcome = inside && world->broken[node] ? SEARCH_UNTESTABLE
							 : SEARCH_MEASURED,
		.built = !world->built[node],
		.seconds = simulation->boot_cost,
	};

	if (seen.built)
		seen.build_seconds = simulation->build_cost;
	world->built[node] = 1;
	if (seen.outcome == SEARCH_MEASURED)
		seen.value = value_of(world, inside && world->changed[node]);
	return seen;
}

static void prepare(struct world *world)
{
	const struct graph *graph = world->graph;

	world->culprit = (uint32_t)dice_below(&world->dice, graph->count);
	mark_changed(world);
	memset(world->built, 0, graph->total);
	for (uint32_t i = 0; i < graph->count; i++)
		world->broken[i] = i != graph->bad && world->simulation->skips > 0 &&
				   dice_uniform(&world->dice) < world->simulation->skips;
}

static void count_end(const struct world *world, struct search *search,
		      const struct search_step *end, struct simulation_result *result)
{
	struct search_outlook outlook;
	int right, bin = SIMULATION_BINS - 1;

	search_look_ahead(search, &outlook);
	right = outlook.best == world->culprit;
	result->correct += (unsigned)right;
	if (end->status == SEARCH_CONFIRMED) {
		result->confirmed++;
		result->confirmed_wrong += end->node != world->culprit;
	} else if (end->status == SEARCH_SET) {
		CLEANUP(cleanup_free)
		unsigned char *member = memory_new(world->graph->count, 1);

		search_suspects(search, member);
		result->sets++;
		result->set_holds += member[world->culprit];
	} else {
		result->undecided++;
	}
	while (bin && outlook.best_probability < simulation_bin_starts[bin])
		bin--;
	result->bins[bin].count++;
	result->bins[bin].right += (unsigned)right;
	result->bins[bin].probability += outlook.best_probability;
}

static void play(struct world *world, struct simulation_result *result, double *ret_boots)
{
	CLEANUP(cleanup_search)
	struct search *search = search_create(world->graph, &world->simulation->options);
	struct search_step step;
	double seconds = 0;

	prepare(world);
	for (int steps = 0; steps < MOST_STEPS; steps++) {
		struct search_observation seen;

		search_next(search, &step);
		if (step.status != SEARCH_RUNNING)
			break;
		seen = measure(world, step.node);
		seconds += seen.seconds + seen.build_seconds;
		search_observe(search, &seen);
	}
	count_end(world, search, &step, result);
	*ret_boots = search_boots(search);
	result->boots_mean += search_boots(search);
	result->builds_mean += search_builds(search);
	result->seconds_mean += seconds;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void simulation_run(const struct simulation *simulation, const struct graph *graph,
		    struct simulation_result *ret_result)
{
	unsigned trials = simulation->trials;
	CLEANUP(cleanup_free) double *boots = memory_new(trials, sizeof(*boots));
	CLEANUP(cleanup_free) unsigned char *changed = memory_new(graph->count, 1);
	CLEANUP(cleanup_free) unsigned char *broken = memory_new(graph->count, 1);
	CLEANUP(cleanup_free) unsigned char *built = memory_new(graph->total, 1);
	struct simulation_result result = {.trials = trials};

	for (unsigned i = 0; i < trials; i++) {
		struct world world = {.simulation = simulation,
				      .graph = graph,
				      .dice = {simulation->seed},
				      .changed = changed,
				      .broken = broken,
				      .built = built};

		/* Each trial has its own numbers, whatever the others used. */
		world.dice.state += dice_next(&(struct dice){i});
		play(&world, &result, &boots[i]);
	}
	qsort(boots, trials, sizeof(*boots), compare);
	result.boots_p95 = boots[(size_t)(0.95 * (trials - 1) + 0.5)];
	result.boots_mean /= trials;
	result.builds_mean /= trials;
	result.seconds_mean /= trials;
	*ret_result = result;
}
