/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_marks.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

void search_marks_add(struct search_marks *marks, const struct commit_id *commit,
		      enum search_mark mark)
{
	marks->items = memory_grow(marks->items, marks->count, &marks->capacity,
				   sizeof(*marks->items));
	marks->items[marks->count++] = (struct search_marked){*commit, mark};
}

void search_marks_finish(struct search_marks *marks)
{
	free(marks->items);
	*marks = (struct search_marks){0};
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(((const struct commit_id *)a)->hex,
		      ((const struct commit_id *)b)->hex);
}

/* What the bad end has and a commit outside the range has not: no ancestors of it. */
static int mark_others(struct repository *repository, const struct graph *graph,
		       const struct commit_id *outside, unsigned char *ancestor,
		       struct error *err)
{
	CLEANUP(graph_finish) struct graph rest = {0};
	int behind;

	if (repository_is_ancestor(repository, &graph->ids[graph->bad], outside, &behind,
				   err))
		return -1;
	memset(ancestor, 1, graph->count);
	if (behind)
		return 0;
	if (graph_load(repository, outside, &graph->ids[graph->bad], 0, &rest, err))
		return -1;
	qsort(rest.ids, rest.count, sizeof(*rest.ids), compare_ids);
	for (size_t i = 0; i < graph->count; i++)
		ancestor[i] = !bsearch(&graph->ids[i], rest.ids, rest.count,
				       sizeof(*rest.ids), compare_ids);
	return 0;
}

static int apply(const struct search_marked *item, struct repository *repository,
		 const struct graph *graph, double *weights, struct error *err)
{
	CLEANUP(cleanup_free) unsigned char *ancestor = memory_new(graph->count, 1);
	uint32_t node = graph_find(graph, item->commit.hex);

	if (node < graph->count)
		graph_mark_ancestors(graph, node, ancestor);
	else if (mark_others(repository, graph, &item->commit, ancestor, err))
		return -1;
	for (size_t i = 0; i < graph->count; i++)
		if (ancestor[i] == (item->mark == SEARCH_MARK_GOOD))
			weights[i] = 0;
	return 0;
}

int search_marks_weigh(const struct search_marks *marks, struct repository *repository,
		       const struct graph *graph, double *ret_weights, struct error *err)
{
	double total = 0;

	for (size_t i = 0; i < graph->count; i++)
		ret_weights[i] = 1;
	for (size_t i = 0; i < marks->count; i++)
		if (marks->items[i].mark != SEARCH_MARK_SKIP &&
		    apply(&marks->items[i], repository, graph, ret_weights, err))
			return -1;
	for (size_t i = 0; i < graph->count; i++)
		total += ret_weights[i];
	return total > 0 ? 0
			 : error_set(err, ERROR_USAGE,
				     "the marks of the log leave no candidate");
}
