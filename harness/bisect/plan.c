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
	double build = search_build_cost(search), boot = search_boot_cost(search);
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

void search_best_step(const struct search *search, struct best_step *ret)
{
	const struct graph *graph = search->graph;
	CLEANUP(cleanup_free) double *weights = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *mass = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *chance = testable(search);
	double boot = search_boot_cost(search), best = 0, price;
	unsigned repeats = best_repeats(search);
	struct table one, several;

	*ret = (struct best_step){0};
	make_table(search, 1, &one);
	make_table(search, repeats, &several);
	price = search_build_cost(search) + repeats * boot;
	search_weights(search, weights);
	graph_sum_ancestors(graph, weights, mass);
	for (uint32_t i = 0; i < graph->count; i++) {
		int again = search->nodes[i].values > 0;
		double bits = chance[i] * look_up(again ? &one : &several, mass[i]);
		double rate = bits / (again ? boot : price);

		if (rate <= best || (again && search->options.model->certain))
			continue;
		best = rate;
		*ret = (struct best_step){1, i, mass[i], bits};
	}
}

uint32_t search_first_split(const struct graph *graph, const double *prior)
{
	CLEANUP(cleanup_free) double *weights = memory_new(graph->count, sizeof(double));
	CLEANUP(cleanup_free) double *mass = memory_new(graph->count, sizeof(double));
	double total = 0, nearest = INFINITY;
	uint32_t best = graph->bad;

	for (size_t i = 0; i < graph->count; i++)
		total += weights[i] = prior ? prior[i] : 1;
	graph_sum_ancestors(graph, weights, mass);
	for (uint32_t i = 0; i < graph->count; i++) {
		double distance = fabs(mass[i] - total / 2);

		if (distance < nearest && i != graph->bad) {
			nearest = distance;
			best = i;
		}
	}
	return best;
}
