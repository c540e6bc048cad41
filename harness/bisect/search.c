/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/search.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/search_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs in a row without a value after which a commit is left out. */
enum { MOST_LOST = 5 };
/* A first guess counts like so many measurements. */
static const double GUESS_WEIGHT = 4;
/* What starts and what ends a confirmation. */
static const double CANDIDATE = 0.95, NO_CANDIDATE = 0.8;

struct search *search_create(const struct graph *graph,
			     const struct search_options *options)
{
	struct search *search = memory_new(1, sizeof(*search));

	search->graph = graph;
	search->options = *options;
	if (!(search->options.build_cost > 0))
		search->options.build_cost = 25;
	if (!(search->options.boot_cost > 0))
		search->options.boot_cost = 10;
	if (!(search->options.confirm > 0))
		search->options.confirm = 0.998;
	search->model = options->model->create(options->min_effect);
	search->nodes = memory_new(graph->total, sizeof(*search->nodes));
	for (size_t i = 0; i < graph->total; i++)
		search->nodes[i].test = NO_TEST;
	search->weights.hinted = memory_new(graph->count, sizeof(double));
	search->weights.flat = memory_new(graph->count, sizeof(double));
	for (size_t i = 0; i < graph->count; i++)
		search->weights.hinted[i] = search->weights.flat[i] =
			options->prior ? options->prior[i] : 1;
	partition_init(&search->partition, graph, &search->weights);
	search_begin_posterior(search);
	return search;
}

void search_destroy(struct search *search)
{
	if (!search)
		return;
	search->options.model->destroy(search->model);
	partition_finish(&search->partition);
	free(search->nodes);
	free(search->test_nodes);
	free(search->class_mass);
	free(search->flat_mass);
	free(search->weights.hinted);
	free(search->weights.flat);
	free(search);
}

int search_is_end_known(const struct search *search)
{
	return search->nodes[search->graph->good].values &&
	       search->nodes[search->graph->bad].values;
}

int search_is_left_out(const struct search *search, uint32_t node)
{
	const struct node_state *state = &search->nodes[node];

	return !state->values && (state->untestable || state->lost >= MOST_LOST);
}

double search_build_cost(const struct search *search)
{
	return (search->build_sum + GUESS_WEIGHT * search->options.build_cost) /
	       (search->build_count + GUESS_WEIGHT);
}

double search_boot_cost(const struct search *search)
{
	return (search->boot_sum + GUESS_WEIGHT * search->options.boot_cost) /
	       (search->boot_count + GUESS_WEIGHT);
}

unsigned search_boot_limit(const struct search *search)
{
	if (search->options.max_boots)
		return search->options.max_boots;
	return 50 + 14 * (unsigned)ceil(log2((double)search->graph->count + 1));
}

double search_log_odds(const struct search *search, uint32_t node)
{
	if (search->nodes[node].test == NO_TEST)
		return 0;
	return search->options.model->log_odds(search->model,
					       (size_t)search->nodes[node].test);
}

/* A confirmation counts from the moment one commit is nearly sure. */
static void watch_top(struct search *search, uint32_t top_before)
{
	int same_top = search->top == top_before;

	if (search->top_mass >= CANDIDATE && !(search->confirming && same_top)) {
		search->confirming = 1;
		search->since = search->boots;
	} else if (search->top_mass < NO_CANDIDATE || !same_top) {
		search->confirming = 0;
	}
}

static void watch_ends(struct search *search)
{
	unsigned least = search->options.model->end_values;

	if (search->nodes[search->graph->good].values >= least &&
	    search->nodes[search->graph->bad].values >= least &&
	    search->same < ENDS_DIFFER)
		search->ends_done = 1;
}

static void add_value(struct search *search, uint32_t node, double value)
{
	struct node_state *state = &search->nodes[node];

	if (state->test == NO_TEST) {
		state->test = (int)search->test_count;
		search->test_nodes =
			memory_grow(search->test_nodes, search->test_count,
				    &search->test_capacity, sizeof(*search->test_nodes));
		search->test_nodes[search->test_count++] = node;
		partition_split(&search->partition, search->graph, &search->weights,
				node);
	}
	search->options.model->observe(search->model, (size_t)state->test, value);
	state->values++;
	state->last_value = search->boots;
	if (search_is_end_known(search)) {
		uint32_t top = search->top;

		search_update_posterior(search);
		watch_top(search, top);
		watch_ends(search);
	}
}

static void learn_costs(struct search *search,
			const struct search_observation *observation)
{
	search->seconds += observation->seconds + observation->build_seconds;
	if (observation->built) {
		search->build_sum += observation->build_seconds;
		search->build_count++;
	}
	if (observation->outcome == SEARCH_MEASURED) {
		search->boot_sum += observation->seconds;
		search->boot_count++;
	}
}

void search_observe(struct search *search, const struct search_observation *observation)
{
	struct node_state *state = &search->nodes[observation->node];

	search->boots++;
	search->builds += state->runs++ == 0;
	learn_costs(search, observation);
	switch (observation->outcome) {
	case SEARCH_MEASURED:
		state->lost = 0;
		add_value(search, observation->node, observation->value);
		break;
	case SEARCH_UNTESTABLE:
		state->untestable = 1;
		break;
	case SEARCH_LOST:
		state->lost++;
		break;
	}
}

void search_leave_out(struct search *search, uint32_t node)
{
	search->nodes[node].untestable = 1;
}

void search_doubt(struct search *search, uint32_t node)
{
	search->is_doubted = 1;
	search->doubted = node;
	search->since = search->boots;
}

int search_is_doubted(const struct search *search, uint32_t node)
{
	return search->is_doubted && search->doubted == node;
}

unsigned search_boots(const struct search *search)
{
	return search->boots;
}

unsigned search_builds(const struct search *search)
{
	return search->builds;
}

double search_seconds(const struct search *search)
{
	return search->seconds;
}

unsigned search_values(const struct search *search, uint32_t node)
{
	return search->nodes[node].values;
}

int search_skipped(const struct search *search, uint32_t node)
{
	return search->nodes[node].untestable;
}
