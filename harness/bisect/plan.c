/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which measurement tells most for its cost. */
#include "bisect/search_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/information.h"
#include "bisect/skips.h"

#include <math.h>

/* Repeats that are considered when a commit has to be built. */
enum { MOST_REPEATS = 8 };
/* Information as a function of p, tabulated for p = (k / POINTS)^2 / 2. */
enum { POINTS = 32 };

enum { MOST_HYPOTHESES = 24 };
static const double LEAST_WEIGHT = 1e-4;
/*
 * The bits of one step for its cost favour new commits a little too much: found by
 * simulation.
 */
static const double BUILD_WEIGHT = 1.2;

struct table {
	double bits[POINTS + 1];
};

static void make_table(const struct search *search, unsigned values, struct table *table)
{
	for (int k = 0; k <= POINTS; k++) {
		double p = 0.5 * (double)(k * k) / (POINTS * POINTS);

		table->bits[k] =
			search->options.model->information(search->model, p, values);
	}
}

static double look_up(const struct table *table, double p)
{
	double at = POINTS * sqrt(2 * fmax(0, fmin(p, 1 - p)));
	int low = at < POINTS ? (int)at : POINTS - 1;

	return table->bits[low] + (at - low) * (table->bits[low + 1] - table->bits[low]);
}

/* How often to measure a new commit so that the build pays best. */
static unsigned best_repeats(const struct search *search)
{
	double build = BUILD_WEIGHT * search_build_cost(search),
	       boot = search_boot_cost(search);
	double best = -1;
	unsigned repeats = 1;

	for (unsigned n = 1; n <= MOST_REPEATS; n++) {
		double rate = search->options.model->information(search->model, 0.5, n) /
			      (build + n * boot);

		if (rate <= best)
			break;
		best = rate;
		repeats = n;
	}
	return repeats;
}

static double *testable(const struct search *search)
{
	const struct graph *graph = search->graph;
	CLEANUP(cleanup_free) unsigned char *state = memory_new(graph->total, 1);
	double *chance = memory_new(graph->count, sizeof(*chance));

	for (uint32_t i = 0; i < graph->total; i++)
		state[i] = search->nodes[i].values         ? SKIP_TESTABLE
			   : search_is_left_out(search, i) ? SKIP_BROKEN
							   : SKIP_UNKNOWN;
	skips_estimate(graph, state, chance);
	return chance;
}

/* The hypotheses that matter, each with what it expects of the next value. */
struct hypothesis {
	double weight;
	const unsigned char *changed; /* NULL: the ends do not differ */
	size_t number;                /* of its class */
	struct model_view view;
};

static size_t find_hypotheses(const struct search *search, struct hypothesis *list)
{
	const struct partition *partition = &search->partition;
	const struct model_ops *ops = search->options.model;
	CLEANUP(cleanup_free)
	unsigned char *none = memory_new(search->test_count + 1, 1);
	size_t count = 0;
	double total = 0;

	if (search->same > LEAST_WEIGHT)
		list[count++] = (struct hypothesis){search->same, NULL, SIZE_MAX, {0}};
	for (size_t k = 0; k < partition->count && count < MOST_HYPOTHESES; k++) {
		double weight = search_class_weights(search)[k] * (1 - search->same);

		if (weight > LEAST_WEIGHT)
			list[count++] = (struct hypothesis){
				weight, partition->classes[k].changed, k, {0}};
	}
	for (size_t i = 0; i < count; i++)
		total += list[i].weight;
	for (size_t i = 0; i < count; i++) {
		list[i].weight /= total;
		ops->view(search->model, list[i].number,
			  list[i].changed ? list[i].changed : none, &list[i].view);
	}
	return count;
}

/* Bits that one more value of a tested commit tells about all that is open. */
static double bits_of_repeat(const struct search *search, size_t test,
			     const struct hypothesis *list, size_t count)
{
	struct model_source sources[MOST_HYPOTHESES];

	for (size_t i = 0; i < count; i++) {
		int bad = list[i].changed && list[i].changed[test];
		const struct model_view *view = &list[i].view;

		sources[i] = (struct model_source){
			list[i].weight, bad ? view->bad : view->good,
			bad ? view->bad_width : view->good_width};
	}
	return search->options.model->tell_apart(sources, count);
}

static void consider_repeats(const struct search *search, const double *mass,
			     struct best_step *best, double *rate)
{
	struct hypothesis list[MOST_HYPOTHESES] = {0};
	size_t count = find_hypotheses(search, list);

	for (size_t test = 0; test < search->test_count; test++) {
		uint32_t node = search->test_nodes[test];
		double bits = bits_of_repeat(search, test, list, count);

		if (bits / search_boot_cost(search) <= *rate)
			continue;
		*rate = bits / search_boot_cost(search);
		*best = (struct best_step){
			1, node, node < search->graph->count ? mass[node] : 0, bits, 1};
	}
}

void search_best_step(const struct search *search, struct best_step *ret)
{
	const struct graph *graph = search->graph;
	CLEANUP(cleanup_free) double *weights = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *mass = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *chance = testable(search);
	unsigned repeats = best_repeats(search);
	double price = BUILD_WEIGHT * search_build_cost(search) +
		       repeats * search_boot_cost(search);
	double best = 0;
	struct table table;

	*ret = (struct best_step){0};
	make_table(search, repeats, &table);
	search_weights(search, weights);
	graph_sum_ancestors(graph, weights, mass);
	for (uint32_t i = 0; i < graph->count; i++) {
		double bits = chance[i] * look_up(&table, mass[i]);

		if (bits / price <= best || search->nodes[i].values)
			continue;
		best = bits / price;
		*ret = (struct best_step){1, i, mass[i], bits, chance[i]};
	}
	if (!search->options.model->certain)
		consider_repeats(search, mass, ret, &best);
}

/* What is told by a commit of that share of all that is open. */
static double bits_of_split(double share, double chance)
{
	return chance * information_entropy(share);
}

uint32_t search_first_split(const struct graph *graph, const double *prior,
			    const unsigned char *skipped)
{
	CLEANUP(cleanup_free) double *weights = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *mass = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *chance = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) unsigned char *state = memory_new(graph->total, 1);
	double total = 0, most = 0;
	uint32_t best = graph->bad;

	for (size_t i = 0; skipped && i < graph->total; i++)
		state[i] = skipped[i] ? SKIP_BROKEN : SKIP_UNKNOWN;
	skips_estimate(graph, state, chance);
	for (uint32_t i = 0; i < graph->count; i++) {
		total += weights[i] = prior ? prior[i] : 1;
		if (weights[i] > 0)
			best = i;
	}
	graph_sum_ancestors(graph, weights, mass);
	for (uint32_t i = 0; i < graph->bad; i++) {
		double bits = bits_of_split(mass[i] / total, chance[i]);

		if (bits > most * (1 + 1e-12)) {
			most = bits;
			best = i;
		}
	}
	return best;
}
