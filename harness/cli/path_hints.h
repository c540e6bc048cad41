/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a search looks first: the hint of bisect/search.h by the files that commits touch
 * (bisect/paths.h).
 */
#ifndef CLI_PATH_HINTS_H
#define CLI_PATH_HINTS_H

#include "bisect/paths.h"
#include "history/graph.h"

struct path_hints {
	struct repository *repository;
	const struct graph *graph;
	const struct path_rule **rules; /* of commits that were asked for, else NULL */
	size_t asked, likely, unlikely;
	int told;
};

/* Repository and graph must outlive it. */
void path_hints_init(struct path_hints *hints, struct repository *repository,
		     const struct graph *graph);
void path_hints_finish(struct path_hints *hints);

/* The hint; its state is a struct path_hints. */
double path_hints_ask(void *state, uint32_t node);

/* The likeliest of what a commit touches; NULL where it was not asked for. */
const struct path_rule *path_hints_rule(const struct path_hints *hints, uint32_t node);

/* Says once what was found. */
void path_hints_tell(struct path_hints *hints);

#endif
