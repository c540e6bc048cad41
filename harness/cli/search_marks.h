/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commits that were marked elsewhere, by git bisect for example, and what they mean for
 * the candidates of a search. A good mark rules out its ancestors, a bad one all that are
 * not. The marked commit may lie outside the range; its ancestors still count.
 */
#ifndef CLI_SEARCH_MARKS_H
#define CLI_SEARCH_MARKS_H

#include "history/graph.h"

enum search_mark { SEARCH_MARK_GOOD, SEARCH_MARK_BAD, SEARCH_MARK_SKIP };

struct search_marked {
	struct commit_id commit;
	enum search_mark mark;
};

struct search_marks {
	struct search_marked *items;
	size_t count, capacity;
};

void search_marks_add(struct search_marks *marks, const struct commit_id *commit,
		      enum search_mark mark);
void search_marks_finish(struct search_marks *marks);

/*
 * Weights of the candidates: 0 for those that are ruled out, else 1. ERROR_USAGE where
 * none is left. Skips rule out nothing.
 */
int search_marks_weigh(const struct search_marks *marks, struct repository *repository,
		       const struct graph *graph, double *ret_weights, struct error *err);

#endif
