/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commits that gave no value in a search, grouped by what went wrong: a broken stretch is
 * one line, not a hundred.
 */
#ifndef CLI_SEARCH_SKIPS_H
#define CLI_SEARCH_SKIPS_H

#include "cli/search_run.h"

struct skip_group {
	const char *outcome, *cause; /* of the run's steps */
	uint32_t *nodes;             /* each once, in topological order */
	size_t count, capacity;
};

struct skip_groups {
	struct skip_group *items; /* largest first */
	size_t count, capacity;
};

void skip_groups_find(const struct search_run *run, struct skip_groups *ret_groups);
void skip_groups_finish(struct skip_groups *groups);

#endif
