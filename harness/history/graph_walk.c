/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/graph_walk_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

/*
 * Clocks of committers differ: the walk goes on below the oldest commit of the range
 * for so many seconds of commit time.
 */
enum { CLOCK_SKEW = 86400 };

void walk_finish(struct walk *walk)
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
	while (walk->slots[slot] != GRAPH_NONE &&
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

uint32_t walk_intern(struct walk *walk, const git_oid *id)
{
	size_t slot;

	if (2 * walk->count >= walk->slot_count)
		grow_table(walk);
	slot = slot_of(walk, id);
	if (walk->slots[slot] == GRAPH_NONE) {
		walk->nodes = memory_grow(walk->nodes, walk->count, &walk->capacity,
					  sizeof(*walk->nodes));
		walk->nodes[walk->count] =
			(struct walk_node){.id = *id, .index = GRAPH_NONE};
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
	walk->parents[walk->parent_count] = walk_intern(walk, &id);
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
	struct walk_node *node = &walk->nodes[number];
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

int walk_run(struct walk *walk, const struct commit_id *good, const struct commit_id *bad,
	     uint32_t *ret_good, uint32_t *ret_bad, struct error *err)
{
	git_oid good_id, bad_id;

	if (history_id_parse(good->hex, &good_id, err) ||
	    history_id_parse(bad->hex, &bad_id, err))
		return -1;
	*ret_bad = walk_intern(walk, &bad_id);
	*ret_good = walk_intern(walk, &good_id);
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
