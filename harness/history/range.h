/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "A..B" to the versions that are measured, oldest first: a topological order in
 * which no commit stands before one of its ancestors, and the same for every call.
 *
 * The commits of a range are A itself and everything reachable from B and not from A.
 */
#ifndef HISTORY_RANGE_H
#define HISTORY_RANGE_H

#include "history/repository.h"

enum range_mode {
	RANGE_TAGS,    /* the tagged ones */
	RANGE_EVERY,   /* every Nth along first parents, counted from A */
	RANGE_COMMITS, /* all */
};

struct range_options {
	enum range_mode mode;
	size_t every; /* RANGE_EVERY: at least 1 */
};

struct range_item {
	struct commit_id id;
	char *name; /* a tag of the commit, else the first 12 digits of its id */
};

struct range {
	struct range_item *items; /* the first is A, the last is B, in every mode */
	size_t count;
};

/* Whether text has the form "A..B". */
int range_is(const char *text);

/* A must be an ancestor of B; "B..A" is told apart from unrelated ends. A..A has one. */
int range_list(struct repository *repository, const char *text,
	       const struct range_options *options, struct range *ret_range,
	       struct error *err);
void range_finish(struct range *range);

#endif
