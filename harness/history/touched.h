/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a commit that are as in none of its parents: of an ordinary commit what
 * it changed, of a merge what the merge itself brought. Only trees are compared, and only
 * where they differ, so that this is cheap enough for thousands of commits.
 */
#ifndef HISTORY_TOUCHED_H
#define HISTORY_TOUCHED_H

#include "history/repository.h"

/*
 * Calls visit() for each such file until it returns nonzero. A folder that went away as a
 * whole is one path. Paths are bytes as the repository has them.
 */
int commit_visit_touched(struct repository *repository, const struct commit_id *id,
			 int (*visit)(void *state, const char *path), void *state,
			 struct error *err);

#endif
