/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of some commits lie on the way to a tip, in the order of history.
 */
#ifndef HISTORY_LINEAGE_H
#define HISTORY_LINEAGE_H

#include "history/repository.h"

/* Places in the list of candidates. */
struct lineage {
	size_t *items; /* topological: no commit before one of its ancestors */
	size_t count;
};

/*
 * The candidates that are the tip or ancestors of it; a candidate that stands there twice
 * is found once. Costs a walk from the tip to the oldest candidate, not through all of
 * history; which one is the oldest is told by dates that may be wrong by a day.
 */
int lineage_find(struct repository *repository, const struct commit_id *tip,
		 const struct commit_id *candidates, size_t count,
		 struct lineage *ret_lineage, struct error *err);
void lineage_finish(struct lineage *line);

#endif
