/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/graph.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/graph_walk_private.h"

#include <string.h>

static int in_range(const struct walk_node *node)
{
	return (node->flags & (FROM_GOOD | FROM_BAD)) == FROM_BAD;
}

static size_t followed_parents(const struct walk *walk, const struct walk_node *node)
{
	return walk->first_parent && node->parent_count > 1 ? 1 : node->parent_count;
}

/* Numbers the commits of the range, parents first, by a walk in depth from bad. */
static size_t number_range(struct walk *walk, uint32_t bad)
{
	CLEANUP(cleanup_free) uint32_t *stack = memory_new(walk->count, sizeof(*stack));
	CLEANUP(cleanup_free) uint32_t *next = memory_new(walk->count, sizeof(*next));
	CLEANUP(cleanup_free) unsigned char *seen = memory_new(walk->count, 1);
	size_t depth = 0;
	uint32_t numbered = 0;

	stack[depth++] = bad;
	seen[bad] = 1;
	while (depth) {
		uint32_t number = stack[depth - 1];
		struct walk_node *node = &walk->nodes[number];

		if (next[number] < followed_parents(walk, node)) {
			uint32_t parent =
				walk->parents[node->parent_start + next[number]++];

			if (!seen[parent] && in_range(&walk->nodes[parent])) {
				seen[parent] = 1;
				stack[depth++] = parent;
			}
			continue;
		}
		node->index = numbered++;
		depth--;
	}
	return numbered;
}

static uint32_t add_outside(struct walk *walk, struct graph *graph, uint32_t number)
{
	if (walk->nodes[number].index == GRAPH_NONE)
		walk->nodes[number].index = (uint32_t)graph->total++;
	return walk->nodes[number].index;
}

static void fill(struct walk *walk, struct graph *graph)
{
	CLEANUP(cleanup_free)
	uint32_t *order = memory_new(graph->count, sizeof(*order));
	size_t used = 0;

	for (size_t i = 0; i < walk->count; i++)
		if (walk->nodes[i].index < graph->count)
			order[walk->nodes[i].index] = (uint32_t)i;
	graph->parent_start = memory_new(graph->count + 1, sizeof(*graph->parent_start));
	graph->parents = memory_new(walk->parent_count + 1, sizeof(*graph->parents));
	for (size_t i = 0; i < graph->count; i++) {
		const struct walk_node *node = &walk->nodes[order[i]];

		for (size_t k = 0; k < followed_parents(walk, node); k++)
			graph->parents[used++] = add_outside(
				walk, graph, walk->parents[node->parent_start + k]);
		graph->parent_start[i + 1] = (uint32_t)used;
	}
}

static void fill_ids(const struct walk *walk, struct graph *graph)
{
	graph->ids = memory_new(graph->total, sizeof(*graph->ids));
	for (size_t i = 0; i < walk->count; i++)
		if (walk->nodes[i].index != GRAPH_NONE)
			history_id_text(&walk->nodes[i].id,
					graph->ids[walk->nodes[i].index].hex);
}

/* Where good is no ancestor of bad: the commits at which their histories part. */
static int find_bases(struct walk *walk, git_repository *git, struct graph *graph,
		      uint32_t good, uint32_t bad, struct error *err)
{
	git_oidarray bases = {0};
	int code;

	if (walk->nodes[good].flags & FROM_BAD)
		return 0;
	code = git_merge_bases(&bases, git, &walk->nodes[good].id, &walk->nodes[bad].id);
	if (code && code != GIT_ENOTFOUND)
		return history_error(err, ERROR_HOST,
				     "cannot find where good and bad part");
	graph->bases = memory_new(bases.count + 1, sizeof(*graph->bases));
	for (size_t i = 0; i < bases.count; i++) {
		uint32_t number = walk_intern(walk, &bases.ids[i]);

		if (number != good)
			graph->bases[graph->base_count++] =
				add_outside(walk, graph, number);
	}
	git_oidarray_dispose(&bases);
	return 0;
}

static int make_graph(struct walk *walk, git_repository *git, uint32_t good, uint32_t bad,
		      struct graph *graph, struct error *err)
{
	if (walk->nodes[bad].flags & FROM_GOOD)
		return error_set(err, ERROR_USAGE,
				 good == bad ? "the good and the bad end are one commit"
					     : "the bad end is an ancestor of the good "
					       "end; to search for what made it better, "
					       "swap them and use --find improvement");
	graph->count = graph->total = number_range(walk, bad);
	graph->bad = walk->nodes[bad].index;
	graph->good = add_outside(walk, graph, good);
	fill(walk, graph);
	if (find_bases(walk, git, graph, good, bad, err))
		return -1;
	fill_ids(walk, graph);
	return 0;
}

/* Each commit is read once: neither a cache nor a second look at its hash pays. */
static void set_careful(int careful)
{
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, careful);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, careful);
}

int graph_load(struct repository *repository, const struct commit_id *good,
	       const struct commit_id *bad, int first_parent, struct graph *ret_graph,
	       struct error *err)
{
	CLEANUP(walk_finish) struct walk walk = {.first_parent = first_parent};
	CLEANUP(graph_finish) struct graph graph = {0};
	uint32_t good_number = 0, bad_number = 0;
	int failed;

	if (history_require_complete(repository, err))
		return -1;
	if (git_repository_odb(&walk.odb, repository->git))
		return history_error(err, ERROR_HOST, "cannot read the repository");
	set_careful(0);
	failed = walk_run(&walk, good, bad, &good_number, &bad_number, err);
	set_careful(1);
	if (failed ||
	    make_graph(&walk, repository->git, good_number, bad_number, &graph, err))
		return -1;
	*ret_graph = graph;
	graph = (struct graph){0};
	return 0;
}
