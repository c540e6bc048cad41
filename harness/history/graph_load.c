/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/graph.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <string.h>

enum {
	FROM_GOOD = 1,
	FROM_BAD = 2,
	QUEUED = 4,
	VISITED = 8,
};

/*
 * Clocks of committers differ: the walk goes on below the oldest commit of the range
 * for so many seconds of commit time.
 */
enum { CLOCK_SKEW = 86400 };

static const uint32_t NONE = UINT32_MAX;

struct node {
	git_oid id;
	int64_t time;
	uint32_t parent_start, parent_count;
	uint32_t index; /* in the graph */
	unsigned char flags;
};

struct walk {
	git_odb *odb;
	struct node *nodes;
	size_t count, capacity;
	uint32_t *parents;
	size_t parent_count, parent_capacity;
	uint32_t *slots; /* hash table of node numbers, NONE is free */
	size_t slot_count;
	uint32_t *heap; /* newest on top */
	size_t heap_count, heap_capacity;
	size_t open; /* queued nodes that the good end has not reached */
	int64_t oldest;
	int first_parent;
};

static void walk_finish(struct walk *walk)
{
	git_odb_free(walk->odb);
	free(walk->nodes);
	free(walk->parents);
	free(walk->slots);
	free(walk->heap);
}

static size_t slot_of(const struct walk *walk, const git_oid *id)
{
	uint64_t key;
	size_t slot;

	memcpy(&key, id->id, sizeof(key));
	slot = key & (walk->slot_count - 1);
	while (walk->slots[slot] != NONE &&
	       git_oid_cmp(&walk->nodes[walk->slots[slot]].id, id))
		slot = (slot + 1) & (walk->slot_count - 1);
	return slot;
}

static void grow_table(struct walk *walk)
{
	walk->slot_count = walk->slot_count ? 2 * walk->slot_count : 4096;
	walk->slots = memory_resize(walk->slots, walk->slot_count, sizeof(*walk->slots));
	memset(walk->slots, 0xff, walk->slot_count * sizeof(*walk->slots));
	for (size_t i = 0; i < walk->count; i++)
		walk->slots[slot_of(walk, &walk->nodes[i].id)] = (uint32_t)i;
}

/* The number of the node of that id, made where there is none; not read yet. */
static uint32_t intern(struct walk *walk, const git_oid *id)
{
	size_t slot;

	if (2 * walk->count >= walk->slot_count)
		grow_table(walk);
	slot = slot_of(walk, id);
	if (walk->slots[slot] == NONE) {
		walk->nodes = memory_grow(walk->nodes, walk->count, &walk->capacity,
					  sizeof(*walk->nodes));
		walk->nodes[walk->count] = (struct node){.id = *id, .index = NONE};
		walk->slots[slot] = (uint32_t)walk->count++;
	}
	return walk->slots[slot];
}

/* The line behind the one at text, or NULL. */
static const char *next_line(const char *text, const char *end)
{
	const char *newline = memchr(text, '\n', (size_t)(end - text));

	return newline ? newline + 1 : NULL;
}

static int starts(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - text) >= length && !memcmp(text, word, length);
}

/* The seconds in "committer NAME <MAIL> SECONDS ZONE"; 0 where there are none. */
static int64_t read_time(const char *line, const char *end)
{
	const char *close = memrchr(line, '>', (size_t)(end - line));
	int64_t seconds = 0;

	for (close = close ? close + 1 : end; close < end && *close == ' '; close++)
		;
	for (; close < end && *close >= '0' && *close <= '9' && seconds < INT64_MAX / 16;
	     close++)
		seconds = 10 * seconds + (*close - '0');
	return seconds;
}

static int add_parent(struct walk *walk, const char *hex, const char *end)
{
	git_oid id;

	if (end - hex < GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex, GIT_OID_HEXSZ))
		return -1;
	walk->parents = memory_grow(walk->parents, walk->parent_count,
				    &walk->parent_capacity, sizeof(*walk->parents));
	walk->parents[walk->parent_count] = intern(walk, &id);
	walk->parent_count++;
	return 0;
}

static int parse(struct walk *walk, uint32_t number, const char *text, const char *end)
{
	size_t start = walk->parent_count;
	const char *line = next_line(text, end);

	for (; line && starts(line, end, "parent "); line = next_line(line, end))
		if (add_parent(walk, line + strlen("parent "), end))
			return -1;
	while (line && line < end && *line != '\n' && !starts(line, end, "committer "))
		line = next_line(line, end);
	if (line && starts(line, end, "committer ")) {
		const char *stop = next_line(line, end);

		walk->nodes[number].time = read_time(line, stop ? stop - 1 : end);
	}
	walk->nodes[number].parent_start = (uint32_t)start;
	walk->nodes[number].parent_count = (uint32_t)(walk->parent_count - start);
	return 0;
}

static int read_node(struct walk *walk, uint32_t number, struct error *err)
{
	git_oid id = walk->nodes[number].id;
	char hex[COMMIT_ID_SIZE];
	git_odb_object *object;
	const char *text;
	int bad;

	history_id_text(&id, hex);
	if (git_odb_read(&object, walk->odb, &id))
		return history_error(err, ERROR_HOST, "cannot read commit %s", hex);
	text = git_odb_object_data(object);
	bad = git_odb_object_type(object) != GIT_OBJECT_COMMIT ||
	      parse(walk, number, text, text + git_odb_object_size(object));
	git_odb_object_free(object);
	return bad ? error_set(err, ERROR_HOST, "commit %s is damaged", hex) : 0;
}

static int newer(const struct walk *walk, uint32_t a, uint32_t b)
{
	return walk->nodes[a].time > walk->nodes[b].time;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;

	*a = *b;
	*b = kept;
}

static void heap_push(struct walk *walk, uint32_t number)
{
	size_t at = walk->heap_count;

	walk->heap = memory_grow(walk->heap, walk->heap_count, &walk->heap_capacity,
				 sizeof(*walk->heap));
	walk->heap[walk->heap_count++] = number;
	for (; at && newer(walk, walk->heap[at], walk->heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
		swap(&walk->heap[at], &walk->heap[(at - 1) / 2]);
}

static uint32_t heap_pop(struct walk *walk)
{
	uint32_t top = walk->heap[0];
	size_t at = 0, child;

	walk->heap[0] = walk->heap[--walk->heap_count];
	while ((child = 2 * at + 1) < walk->heap_count) {
		if (child + 1 < walk->heap_count &&
		    newer(walk, walk->heap[child + 1], walk->heap[child]))
			child++;
		if (!newer(walk, walk->heap[child], walk->heap[at]))
			break;
		swap(&walk->heap[child], &walk->heap[at]);
		at = child;
	}
	return top;
}

/* Paints a node; queues it when that is news. */
static int paint(struct walk *walk, uint32_t number, unsigned char colours,
		 struct error *err)
{
	unsigned char old = walk->nodes[number].flags;
	int is_open, was_open;

	if ((old | colours) == old)
		return 0;
	if (!(old & VISITED) && read_node(walk, number, err))
		return -1;
	walk->nodes[number].flags |= (unsigned char)(colours | VISITED | QUEUED);
	is_open = !(walk->nodes[number].flags & FROM_GOOD);
	was_open = (old & QUEUED) && !(old & FROM_GOOD);
	walk->open += (size_t)is_open;
	walk->open -= (size_t)was_open;
	if (!(old & QUEUED))
		heap_push(walk, number);
	return 0;
}

static int visit(struct walk *walk, uint32_t number, struct error *err)
{
	struct node *node = &walk->nodes[number];
	uint32_t start = node->parent_start, parents = node->parent_count;
	unsigned char colours = node->flags & (FROM_GOOD | FROM_BAD);

	node->flags &= (unsigned char)~QUEUED;
	if (!(colours & FROM_GOOD)) {
		walk->open--;
		if (node->time < walk->oldest)
			walk->oldest = node->time;
		if (walk->first_parent && parents > 1)
			parents = 1;
	}
	for (uint32_t k = 0; k < parents; k++)
		if (paint(walk, walk->parents[start + k], colours, err))
			return -1;
	return 0;
}

static int walk_run(struct walk *walk, const struct commit_id *good,
		    const struct commit_id *bad, uint32_t *ret_good, uint32_t *ret_bad,
		    struct error *err)
{
	git_oid good_id, bad_id;

	if (history_id_parse(good->hex, &good_id, err) ||
	    history_id_parse(bad->hex, &bad_id, err))
		return -1;
	*ret_bad = intern(walk, &bad_id);
	*ret_good = intern(walk, &good_id);
	if (paint(walk, *ret_bad, FROM_BAD, err) ||
	    paint(walk, *ret_good, FROM_GOOD, err))
		return -1;
	walk->oldest = INT64_MAX;
	while (walk->heap_count && (walk->open || walk->nodes[walk->heap[0]].time >=
							  walk->oldest - CLOCK_SKEW))
		if (visit(walk, heap_pop(walk), err))
			return -1;
	return 0;
}

static int in_range(const struct node *node)
{
	return (node->flags & (FROM_GOOD | FROM_BAD)) == FROM_BAD;
}

static size_t followed_parents(const struct walk *walk, const struct node *node)
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
		struct node *node = &walk->nodes[number];

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
	if (walk->nodes[number].index == NONE)
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
		const struct node *node = &walk->nodes[order[i]];

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
		if (walk->nodes[i].index != NONE)
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
		uint32_t number = intern(walk, &bases.ids[i]);

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
