/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/order_private.h"

#include "base/memory.h"
#include "store/statement_private.h"

#include <stdlib.h>
#include <string.h>

static int load(struct store *store, const char *query, const struct value *values,
		size_t count, struct commit_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, query, values, count, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct commit_record){
			.id = column_text(&row, 0, &list->strings),
			.committed = column_integer(&row, 1),
		};
	}
	return more;
}

int store_load_near_commits(struct store *store, const char *id, int64_t committed,
			    enum order_direction direction, size_t limit,
			    struct commit_list *list, struct error *err)
{
	static const char *const queries[] = {
		[ORDER_LATER] = "SELECT id, committed FROM commits WHERE committed >= ?1"
				" AND id <> ?2 ORDER BY committed, id LIMIT ?3",
		[ORDER_EARLIER] = "SELECT id, committed FROM commits WHERE"
				  " committed <= ?1 AND id <> ?2"
				  " ORDER BY committed DESC, id DESC LIMIT ?3",
	};
	return load(store, queries[direction],
		    VALUES(value_integer(committed), value_text(id),
			   value_integer((int64_t)limit)),
		    list, err);
}

int store_load_ordered_commits(struct store *store, const char *id,
			       enum order_direction direction, struct commit_list *list,
			       struct error *err)
{
	static const char *const queries[] = {
		[ORDER_LATER] = "SELECT c.id, c.committed FROM commit_order o JOIN"
				" commits c ON c.id = o.descendant WHERE o.ancestor = ?",
		[ORDER_EARLIER] =
			"SELECT c.id, c.committed FROM commit_order o JOIN"
			" commits c ON c.id = o.ancestor WHERE o.descendant = ?",
	};

	return load(store, queries[direction], VALUES(value_text(id)), list, err);
}

int store_add_order(struct store *store, const char *ancestor, const char *descendant,
		    struct error *err)
{
	return statement_execute(
		store,
		"INSERT OR IGNORE INTO commit_order(ancestor, descendant) VALUES(?, ?)",
		VALUES(value_text(ancestor), value_text(descendant)), NULL, err);
}

/* A commit of the list, and where its first version is. */
struct place {
	const char *commit;
	size_t version;
};

/* "descendant" must come behind "ancestor"; versions. */
struct edge {
	size_t descendant, ancestor;
};

struct sorter {
	const struct version_list *list;
	struct place *places; /* sorted by commit, then by version */
	size_t place_count;
	struct edge *edges; /* sorted by descendant */
	size_t edge_count, edge_capacity;
};

static void sorter_finish(struct sorter *sorter)
{
	free(sorter->places);
	free(sorter->edges);
}

static int by_commit(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = strcmp(a->commit, b->commit);

	return order ? order : (a->version > b->version) - (a->version < b->version);
}

static int by_descendant(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->descendant != b->descendant)
		return a->descendant < b->descendant ? -1 : 1;
	return (a->ancestor > b->ancestor) - (a->ancestor < b->ancestor);
}

static void fill_places(struct sorter *sorter)
{
	const struct version_list *list = sorter->list;

	sorter->places = memory_new(list->count, sizeof(*sorter->places));
	for (size_t i = 0; i < list->count; i++)
		if (*list->items[i].commit)
			sorter->places[sorter->place_count++] =
				(struct place){list->items[i].commit, i};
	if (sorter->place_count)
		qsort(sorter->places, sorter->place_count, sizeof(*sorter->places),
		      by_commit);
}

/* The first place of a commit; place_count where it has no version. */
static size_t find_places(const struct sorter *sorter, const char *commit)
{
	size_t low = 0, high = sorter->place_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(sorter->places[middle].commit, commit) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sorter->place_count && !strcmp(sorter->places[low].commit, commit)
		       ? low
		       : sorter->place_count;
}

static int is_of(const struct sorter *sorter, size_t place, const char *commit)
{
	return place < sorter->place_count &&
	       !strcmp(sorter->places[place].commit, commit);
}

static void add_edges(struct sorter *sorter, const char *ancestor, const char *descendant)
{
	size_t first = find_places(sorter, ancestor);
	size_t behind = find_places(sorter, descendant);

	for (size_t d = behind; is_of(sorter, d, descendant); d++)
		for (size_t a = first; is_of(sorter, a, ancestor); a++) {
			sorter->edges =
				memory_grow(sorter->edges, sorter->edge_count,
					    &sorter->edge_capacity, sizeof(struct edge));
			sorter->edges[sorter->edge_count++] = (struct edge){
				sorter->places[d].version, sorter->places[a].version};
		}
}

static int load_edges(struct store *store, struct sorter *sorter, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT ancestor, descendant FROM commit_order", NO_VALUES,
			      err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		CLEANUP(text_list_finish) struct text_list strings = {0};
		const char *ancestor = column_text(&row, 0, &strings);

		add_edges(sorter, ancestor, column_text(&row, 1, &strings));
	}
	if (sorter->edge_count)
		qsort(sorter->edges, sorter->edge_count, sizeof(struct edge),
		      by_descendant);
	return more;
}

static size_t first_edge(const struct sorter *sorter, size_t descendant)
{
	size_t low = 0, high = sorter->edge_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sorter->edges[middle].descendant < descendant)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum mark { MARK_NEW, MARK_OPEN, MARK_DONE };

/* The first ancestor of a version that has no place yet; count where there is none. */
static size_t missing(const struct sorter *sorter, const unsigned char *marks,
		      size_t version)
{
	for (size_t e = first_edge(sorter, version);
	     e < sorter->edge_count && sorter->edges[e].descendant == version; e++)
		if (marks[sorter->edges[e].ancestor] == MARK_NEW)
			return sorter->edges[e].ancestor;
	return sorter->list->count;
}

/* A version behind all its ancestors, deepest first; rows in a circle end as they are. */
static void place(const struct sorter *sorter, size_t version, unsigned char *marks,
		  size_t *stack, size_t *order, size_t *count)
{
	size_t depth = 0;

	if (marks[version] != MARK_NEW)
		return;
	marks[version] = MARK_OPEN;
	stack[depth++] = version;
	while (depth) {
		size_t top = stack[depth - 1], next = missing(sorter, marks, top);

		if (next < sorter->list->count) {
			marks[next] = MARK_OPEN;
			stack[depth++] = next;
			continue;
		}
		marks[top] = MARK_DONE;
		order[(*count)++] = top;
		depth--;
	}
}

static void apply(const struct sorter *sorter, struct version_list *list)
{
	size_t count = list->count, placed = 0;
	CLEANUP(cleanup_free) unsigned char *marks = memory_new(count, 1);
	CLEANUP(cleanup_free) size_t *stack = memory_new(count, sizeof(*stack));
	CLEANUP(cleanup_free) size_t *order = memory_new(count, sizeof(*order));
	struct version_record *items = memory_new(count, sizeof(*items));

	for (size_t i = 0; i < count; i++)
		place(sorter, i, marks, stack, order, &placed);
	for (size_t i = 0; i < count; i++)
		items[i] = list->items[order[i]];
	free(list->items);
	list->items = items;
	list->capacity = count;
}

int order_versions(struct store *store, struct version_list *list, struct error *err)
{
	CLEANUP(sorter_finish) struct sorter sorter = {.list = list};

	fill_places(&sorter);
	if (load_edges(store, &sorter, err) < 0)
		return -1;
	if (sorter.edge_count)
		apply(&sorter, list);
	return 0;
}
