/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of some commits lie on the way to a tip, in the order of history.
 */
#ifndef HISTORY_LINE_H
#define HISTORY_LINE_H

#include "history/repository.h"

/* Places in the list of candidates. */
struct line {
	size_t *items; /* topological: no commit before one of its ancestors */
	size_t count;
};

/*
 * The candidates that are the tip or ancestors of it; a candidate that stands there twice
 * is found once. Costs a walk from the tip to the oldest candidate, not through all of
 * history; which one is the oldest is told by dates that may be wrong by a day.
 */
int line_find(struct repository *repository, const struct commit_id *tip,
	      const struct commit_id *candidates, size_t count, struct line *ret_line,
	      struct error *err);
void line_finish(struct line *line);

#endif
