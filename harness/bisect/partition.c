/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/partition.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

static void add_class(struct partition *partition, const unsigned char *changed)
{
	struct candidate_class class = {
		.changed = memory_new(partition->tests + 1, 1),
	};

	if (changed)
		memcpy(class.changed, changed, partition->tests);
	partition->classes = memory_grow(partition->classes, partition->count,
					 &partition->capacity, sizeof(class));
	partition->classes[partition->count++] = class;
}

void partition_weigh(struct partition *partition, const struct graph *graph,
		     const struct partition_weights *weights)
{
	for (size_t k = 0; k < partition->count; k++) {
		partition->classes[k].size = 0;
		partition->classes[k].weight = partition->classes[k].flat = 0;
	}
	for (size_t i = 0; i < graph->count; i++) {
		struct candidate_class *class =
			&partition->classes[partition->class_of[i]];

		class->size++;
		class->weight += weights->hinted[i];
		class->flat += weights->flat[i];
	}
}

void partition_init(struct partition *partition, const struct graph *graph,
		    const struct partition_weights *weights)
{
	*partition = (struct partition){0};
	partition->class_of = memory_new(graph->count, sizeof(*partition->class_of));
	add_class(partition, NULL);
	partition_weigh(partition, graph, weights);
}

void partition_finish(struct partition *partition)
{
	for (size_t k = 0; k < partition->count; k++)
		free(partition->classes[k].changed);
	free(partition->classes);
	free(partition->class_of);
	*partition = (struct partition){0};
}

/* Moves the marked members of each class to one of their own where some stay. */
static void divide(struct partition *partition, const struct graph *graph,
		   const unsigned char *marks)
{
	size_t before = partition->count;
	CLEANUP(cleanup_free)
	size_t *marked = memory_new(before, sizeof(*marked));
	CLEANUP(cleanup_free)
	uint32_t *target = memory_new(before, sizeof(*target));

	for (size_t i = 0; i < graph->count; i++)
		marked[partition->class_of[i]] += marks[i];
	for (uint32_t k = 0; k < before; k++) {
		target[k] = k;
		if (marked[k] && marked[k] < partition->classes[k].size) {
			target[k] = (uint32_t)partition->count;
			add_class(partition, partition->classes[k].changed);
		}
		if (marked[k])
			partition->classes[target[k]].changed[partition->tests] = 1;
	}
	for (size_t i = 0; i < graph->count; i++)
		if (marks[i])
			partition->class_of[i] = target[partition->class_of[i]];
}

void partition_split(struct partition *partition, const struct graph *graph,
		     const struct partition_weights *weights, uint32_t node)
{
	for (size_t k = 0; k < partition->count; k++) {
		struct candidate_class *class = &partition->classes[k];

		class->changed = memory_resize(class->changed, partition->tests + 2, 1);
		class->changed[partition->tests] = 0;
	}
	if (node < graph->count) {
		CLEANUP(cleanup_free)
		unsigned char *marks = memory_new(graph->count, 1);

		graph_mark_ancestors(graph, node, marks);
		divide(partition, graph, marks);
	}
	partition->tests++;
	partition_weigh(partition, graph, weights);
}
