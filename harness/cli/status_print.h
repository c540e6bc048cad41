/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "kregress status" knows, as text and as JSON.
 */
#ifndef CLI_STATUS_PRINT_H
#define CLI_STATUS_PRINT_H

#include "base/lock.h"
#include "store/queue.h"
#include "store/search.h"
#include "store/sessions.h"

struct status {
	struct lock_holder holder;
	const char *holder_problem; /* NULL: the lock could be looked at */
	struct store *store;        /* NULL: no results yet */
	struct search_list searches;
	struct queue_list queue;
	struct session_list sessions; /* newest first */
};

int status_add_text(const struct status *status, struct text *out, struct error *err);
/* One object and a line end. */
int status_add_json(const struct status *status, struct text *out, struct error *err);

#endif
