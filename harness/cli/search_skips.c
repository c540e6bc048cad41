/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_skips.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

static struct skip_group *find_group(struct skip_groups *groups,
				     const struct search_run_step *step)
{
	for (size_t i = 0; i < groups->count; i++)
		if (!strcmp(groups->items[i].outcome, step->outcome) &&
		    !strcmp(groups->items[i].cause, step->detail))
			return &groups->items[i];
	groups->items = memory_grow(groups->items, groups->count, &groups->capacity,
				    sizeof(*groups->items));
	groups->items[groups->count] =
		(struct skip_group){.outcome = step->outcome, .cause = step->detail};
	return &groups->items[groups->count++];
}

static int larger(const void *a, const void *b)
{
	const struct skip_group *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->nodes[0] > y->nodes[0]) - (x->nodes[0] < y->nodes[0]);
}

void skip_groups_find(const struct search_run *run, struct skip_groups *ret_groups)
{
	CLEANUP(cleanup_free)
	const struct search_run_step **last = memory_new(run->graph.total, sizeof(*last));

	*ret_groups = (struct skip_groups){0};
	for (size_t i = 0; i < run->step_count; i++)
		last[run->steps[i].node] = &run->steps[i];
	for (uint32_t i = 0; i < run->graph.total; i++) {
		struct skip_group *group;

		if (!last[i] || search_values(run->search, i))
			continue;
		group = find_group(ret_groups, last[i]);
		group->nodes = memory_grow(group->nodes, group->count, &group->capacity,
					   sizeof(*group->nodes));
		group->nodes[group->count++] = i;
	}
	if (ret_groups->count)
		qsort(ret_groups->items, ret_groups->count, sizeof(*ret_groups->items),
		      larger);
}

void skip_groups_finish(struct skip_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->items[i].nodes);
	free(groups->items);
	*groups = (struct skip_groups){0};
}
