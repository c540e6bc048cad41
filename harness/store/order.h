/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which stored commit comes before which, as the history has it: dates can lie. Kept are
 * pairs of an ancestor and a descendant that are near each other in time; together with
 * the dates they order all versions (store_load_versions() with session 0).
 */
#ifndef STORE_ORDER_H
#define STORE_ORDER_H

#include "store/subjects.h"

/*
 * Appends commits from "committed" on towards the future or the past, nearest first, that
 * one itself left out; at most limit. Only id and committed are filled in.
 */
enum order_direction { ORDER_LATER, ORDER_EARLIER };

int store_load_near_commits(struct store *store, const char *id, int64_t committed,
			    enum order_direction direction, size_t limit,
			    struct commit_list *list, struct error *err);

/*
 * Appends the commits of the pairs that one is part of as the descendant (ORDER_EARLIER)
 * or as the ancestor. Only id and committed are filled in.
 */
int store_load_ordered_commits(struct store *store, const char *id,
			       enum order_direction direction, struct commit_list *list,
			       struct error *err);

/* Both commits are stored; a pair that is known already changes nothing. */
int store_add_order(struct store *store, const char *ancestor, const char *descendant,
		    struct error *err);

#endif
