/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a night leaves to the next one: a list of work in the order in which it is to be
 * done. A night stores what it is about to do, and at its end what is left of that; the
 * newest list counts, so a night that was killed leaves its plan.
 */
#ifndef STORE_QUEUE_H
#define STORE_QUEUE_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

struct queue_item {
	const char *kind; /* "measure", "extend" (more boots), "search" (of a finding) */
	const char *lab;
	const char *commit, *version; /* of "measure" and "extend" */
	const char *scenario;
	int boots;          /* wanted in all; 0: the scenario's */
	int64_t finding;    /* of "search"; 0: none */
	const char *reason; /* why it is on the list: a few words for people */
};

struct queue_list {
	int64_t session, at; /* of the list; session 0: there is none */
	struct queue_item *items;
	size_t count, capacity;
	struct text_list strings;
};

/* All or none. An empty list says that nothing is left. */
int store_add_queue(struct store *store, int64_t session, const struct queue_item *items,
		    size_t count, struct error *err);
/* The newest list of a night in that lab; NULL: in any. */
int store_load_queue(struct store *store, const char *lab, struct queue_list *list,
		     struct error *err);
void queue_list_finish(struct queue_list *list);

#endif
