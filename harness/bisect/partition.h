/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The candidates in classes that no test so far tells apart: two commits are in one
 * class if they are ancestors of the same tested commits.
 */
#ifndef BISECT_PARTITION_H
#define BISECT_PARTITION_H

#include "history/graph.h"

#include <stddef.h>
#include <stdint.h>

struct candidate_class {
	/* changed[t]: tested commit t has the change if the culprit is in this class */
	unsigned char *changed;
	size_t size;
	double weight; /* sum of the weights of its candidates */
	double flat;   /* the same without the hints of where to look first */
};

struct partition {
	uint32_t *class_of; /* of each candidate */
	struct candidate_class *classes;
	size_t count, capacity;
	size_t tests;
};

/* What a candidate weighs before anything is measured, with and without hints. */
struct partition_weights {
	double *hinted, *flat; /* graph->count */
};

/* One class of all. */
void partition_init(struct partition *partition, const struct graph *graph,
		    const struct partition_weights *weights);
void partition_finish(struct partition *partition);

/* One more tested commit, of the range or outside (then no candidate explains it). */
void partition_split(struct partition *partition, const struct graph *graph,
		     const struct partition_weights *weights, uint32_t node);

/* The weights have changed. */
void partition_weigh(struct partition *partition, const struct graph *graph,
		     const struct partition_weights *weights);

#endif
