/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Known broken stretches of a history and what repairs them: the configuration's fixups.
 * One applies to a commit that has "from" in its history (or is it) and not "to".
 */
#ifndef MEASURE_FIXUPS_H
#define MEASURE_FIXUPS_H

#include "history/checkout.h"
#include "scenario/config.h"

/* Adds the edits that a commit needs to its name: "+patch:FILE+pick:SHA". */
int fixups_add_edits(const struct config *config, struct repository *repository,
		     const struct commit_id *commit, struct text *version,
		     struct error *err);

/* The tree of a commit with them. ERROR_USAGE where one does not apply. */
int fixups_apply(const struct config *config, struct repository *repository,
		 struct workspace *workspace, const struct commit_id *commit,
		 struct tree_id *tree, struct error *err);

/* All of them as text: what changes what a value means. "" without any. */
void fixups_describe(const struct config *config, struct text *out);

#endif
