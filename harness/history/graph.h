/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commits of a search as plain arrays: all that are reachable from the bad end and
 * not from the good end, with their parents, and nothing else of them.
 *
 * Nodes 0 .. count-1 are these commits, every parent before its children, so that the
 * bad end is count-1. Nodes count .. total-1 lie outside the range and stand there
 * because something refers to them: parents of commits of the range, the good end, and
 * the merge bases where the good end is no ancestor of the bad one.
 *
 * "Ancestors" of a node always include the node itself and stop at the range.
 */
#ifndef HISTORY_GRAPH_H
#define HISTORY_GRAPH_H

#include "history/repository.h"

#include <stddef.h>
#include <stdint.h>

struct graph {
	size_t count, total;
	struct commit_id
		*ids; /* total; NULL in a graph that no repository stands behind */
	uint32_t *parent_start; /* count + 1: the parents of i are */
	uint32_t *parents; /* parents[parent_start[i]] .. [parent_start[i + 1] - 1] */
	uint32_t good, bad;
	uint32_t *bases; /* merge bases; none where good is an ancestor of bad */
	size_t base_count;
};

/*
 * Only the commits themselves are read, no trees. With first_parent, merges are
 * followed along their first parents alone. A bad end that is an ancestor of the good
 * one (or the same commit) is ERROR_USAGE.
 */
int graph_load(struct repository *repository, const struct commit_id *good,
	       const struct commit_id *bad, int first_parent, struct graph *ret_graph,
	       struct error *err);
void graph_finish(struct graph *graph);

/* A line of count commits on top of the good end, without ids. */
void graph_make_line(size_t count, struct graph *ret_graph);

static inline size_t graph_parent_count(const struct graph *graph, uint32_t node)
{
	return graph->parent_start[node + 1] - graph->parent_start[node];
}

static inline const uint32_t *graph_parents(const struct graph *graph, uint32_t node)
{
	return graph->parents + graph->parent_start[node];
}

/* The node of a commit, or UINT32_MAX; needs ids. Looks at each of them. */
uint32_t graph_find(const struct graph *graph, const char *hex);

/* Sets marks[a] to 1 for the ancestors a of a node of the range; marks has count bytes.
 */
void graph_mark_ancestors(const struct graph *graph, uint32_t node, unsigned char *marks);

/*
 * ret_mass[i]: the sum of weights[a] over the ancestors a of i, for all i < count.
 * Nothing is counted twice, however often branches meet. Time grows with count times the
 * merges in blocks of 256, memory with count: 200,000 commits take well under a second.
 */
void graph_sum_ancestors(const struct graph *graph, const double *weights,
			 double *ret_mass);

#endif
