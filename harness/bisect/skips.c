/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/skips.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>

/* The nearest commit of known state in one direction. */
struct nearest {
	uint32_t distance; /* UINT32_MAX: none */
	int broken;
};

static void take_nearer(struct nearest *best, struct nearest next)
{
	if (next.distance != UINT32_MAX && next.distance + 1 < best->distance)
		*best = (struct nearest){next.distance + 1, next.broken};
}

static struct nearest known(unsigned char state)
{
	if (state == SKIP_UNKNOWN)
		return (struct nearest){UINT32_MAX, 0};
	return (struct nearest){0, state == SKIP_BROKEN};
}

static void look_down(const struct graph *graph, const unsigned char *state,
		      struct nearest *below)
{
	for (uint32_t i = 0; i < graph->count; i++) {
		const uint32_t *parents = graph_parents(graph, i);

		below[i] = known(state[i]);
		for (size_t k = 0; k < graph_parent_count(graph, i); k++) {
			uint32_t parent = parents[k];
			struct nearest outside = {0, state[parent] == SKIP_BROKEN};

			if (state[i] == SKIP_UNKNOWN)
				take_nearer(&below[i], parent < graph->count
							       ? below[parent]
							       : outside);
		}
	}
}

static void look_up(const struct graph *graph, const unsigned char *state,
		    struct nearest *above)
{
	for (uint32_t i = 0; i < graph->count; i++)
		above[i] = known(state[i]);
	for (uint32_t i = (uint32_t)graph->count; i-- > 0;) {
		const uint32_t *parents = graph_parents(graph, i);

		for (size_t k = 0; k < graph_parent_count(graph, i); k++)
			if (parents[k] < graph->count &&
			    state[parents[k]] == SKIP_UNKNOWN)
				take_nearer(&above[parents[k]], above[i]);
	}
}

static double chance(struct nearest a, struct nearest b, size_t broken)
{
	double testable, untestable;

	if (!a.broken && !b.broken)
		return 0.98;
	if (a.broken && b.broken)
		return 0.5 / ((double)(1 + broken) * (double)(1 + broken));
	testable = log1p(a.broken ? b.distance : a.distance);
	untestable = log1p(a.broken ? a.distance : b.distance);
	return untestable / (testable + untestable);
}

void skips_estimate(const struct graph *graph, const unsigned char *state, double *ret)
{
	CLEANUP(cleanup_free)
	struct nearest *below = memory_new(graph->count, sizeof(*below));
	CLEANUP(cleanup_free)
	struct nearest *above = memory_new(graph->count, sizeof(*above));
	size_t broken = 0;

	for (size_t i = 0; i < graph->total; i++)
		broken += state[i] == SKIP_BROKEN;
	if (broken) {
		look_down(graph, state, below);
		look_up(graph, state, above);
	}
	for (size_t i = 0; i < graph->count; i++) {
		if (state[i] != SKIP_UNKNOWN)
			ret[i] = state[i] == SKIP_TESTABLE;
		else
			ret[i] = broken ? chance(below[i], above[i], broken) : 1;
	}
}
