/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/order.h"

#include "base/cleanup.h"
#include "store/order.h"

#include <string.h>

enum {
	NEIGHBOURS_MOST = 1000, /* with one date, as after a rebase */
	UNRELATED_MOST = 8,     /* of other branches */
};

/* How another commit stands to the new one. */
enum relation { UNRELATED, ANCESTOR, DESCENDANT };

struct place {
	struct store *store;
	struct repository *repository;
	const struct commit_id *id;
	int64_t committed;
	struct text_list seen; /* commits that were looked at */
};

static void place_finish(struct place *place)
{
	text_list_finish(&place->seen);
}

static int find_relation(struct place *place, const char *neighbour,
			 enum relation *ret_relation, struct error *err)
{
	struct commit_id other;
	int answer;

	*ret_relation = UNRELATED;
	/* A commit that is not in this repository has no order with it. */
	if (repository_resolve(place->repository, neighbour, &other, err))
		return 0;
	if (repository_is_ancestor(place->repository, &other, place->id, &answer, err))
		return -1;
	if (answer) {
		*ret_relation = ANCESTOR;
		return 0;
	}
	if (repository_is_ancestor(place->repository, place->id, &other, &answer, err))
		return -1;
	*ret_relation = answer ? DESCENDANT : UNRELATED;
	return 0;
}

/* Finds how the two stand to each other, and keeps it. */
static int look_at(struct place *place, const char *neighbour,
		   enum relation *ret_relation, struct error *err)
{
	const char *id = place->id->hex;

	text_list_add(&place->seen, neighbour);
	if (find_relation(place, neighbour, ret_relation, err))
		return -1;
	switch (*ret_relation) {
	case ANCESTOR:
		return store_add_order(place->store, neighbour, id, err);
	case DESCENDANT:
		return store_add_order(place->store, id, neighbour, err);
	default:
		return 0;
	}
}

static int is_wrong_side(const struct place *place, const struct commit_record *commit,
			 enum order_direction direction)
{
	return direction == ORDER_LATER ? commit->committed >= place->committed
					: commit->committed <= place->committed;
}

/*
 * From a neighbour on the right side to those that are known to stand on the other side
 * of it although their dates say otherwise: they may stand on the other side of the new
 * one too.
 */
static int follow(struct place *place, const char *neighbour,
		  enum order_direction direction, struct error *err)
{
	enum relation expected = direction == ORDER_LATER ? DESCENDANT : ANCESTOR;
	CLEANUP(text_list_finish) struct text_list open = {0};

	text_list_add(&open, neighbour);
	for (size_t next = 0; next < open.count; next++) {
		CLEANUP(commit_list_finish) struct commit_list list = {0};

		if (store_load_ordered_commits(place->store, open.items[next],
					       direction == ORDER_LATER ? ORDER_EARLIER
									: ORDER_LATER,
					       &list, err))
			return -1;
		for (size_t i = 0; i < list.count; i++) {
			const char *id = list.items[i].id;
			enum relation relation;

			if (!is_wrong_side(place, &list.items[i], direction) ||
			    !strcmp(id, place->id->hex) ||
			    text_list_contains(&place->seen, id))
				continue;
			if (look_at(place, id, &relation, err))
				return -1;
			if (relation == expected)
				text_list_add(&open, id);
		}
	}
	return 0;
}

static int add_side(struct place *place, enum order_direction direction,
		    struct error *err)
{
	CLEANUP(commit_list_finish) struct commit_list list = {0};
	enum relation expected = direction == ORDER_LATER ? DESCENDANT : ANCESTOR;
	int unrelated = 0;

	if (store_load_near_commits(place->store, place->id->hex, place->committed,
				    direction, NEIGHBOURS_MOST, &list, err))
		return -1;
	for (size_t i = 0; i < list.count && unrelated < UNRELATED_MOST; i++) {
		const char *id = list.items[i].id;
		enum relation relation;

		if (look_at(place, id, &relation, err))
			return -1;
		unrelated += relation == UNRELATED;
		if (relation != expected)
			continue;
		if (follow(place, id, direction, err))
			return -1;
		if (list.items[i].committed != place->committed)
			return 0;
	}
	return 0;
}

int order_add_commit(struct store *store, struct repository *repository,
		     const struct commit_id *id, int64_t committed, struct error *err)
{
	CLEANUP(place_finish)
	struct place place = {store, repository, id, committed, {0}};

	return add_side(&place, ORDER_EARLIER, err) || add_side(&place, ORDER_LATER, err)
		       ? -1
		       : 0;
}
