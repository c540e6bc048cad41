/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk from both ends of a range, for graph_load.c alone. */
#ifndef HISTORY_GRAPH_WALK_PRIVATE_H
#define HISTORY_GRAPH_WALK_PRIVATE_H

#include "history/repository_private.h"

enum {
	FROM_GOOD = 1,
	FROM_BAD = 2,
	QUEUED = 4,
	VISITED = 8,
};

static const uint32_t GRAPH_NONE = UINT32_MAX;

struct walk_node {
	git_oid id;
	int64_t time;
	uint32_t parent_start, parent_count;
	uint32_t index; /* in the graph */
	unsigned char flags;
};

struct walk {
	git_odb *odb;
	struct walk_node *nodes;
	size_t count, capacity;
	uint32_t *parents;
	size_t parent_count, parent_capacity;
	uint32_t *slots; /* hash table of node numbers, GRAPH_NONE is free */
	size_t slot_count;
	uint32_t *heap; /* newest on top */
	size_t heap_count, heap_capacity;
	size_t open; /* queued nodes that the good end has not reached */
	int64_t oldest;
	int first_parent;
};

void walk_finish(struct walk *walk);

/* The number of the node of that id, made where there is none; not read yet. */
uint32_t walk_intern(struct walk *walk, const git_oid *id);

/*
 * Reads and paints from both ends until no commit of the range can be unseen. The numbers
 * of the ends come back.
 */
int walk_run(struct walk *walk, const struct commit_id *good, const struct commit_id *bad,
	     uint32_t *ret_good, uint32_t *ret_bad, struct error *err);

#endif
