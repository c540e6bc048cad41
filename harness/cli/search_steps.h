/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measurements of a search as rows of the database and in its run: what is stored is
 * kept, and what was stored before is told to the search again.
 */
#ifndef CLI_SEARCH_STEPS_H
#define CLI_SEARCH_STEPS_H

#include "cli/search_run.h"

/* "end", "search", "confirm" ... */
const char *search_purpose_name(enum search_purpose purpose);

/* What the outcome of a measurement ("ok", "build-failed" ...) means for a search. */
enum search_outcome search_outcome_of(const char *outcome);

int search_steps_add(struct search_run *run, const struct search_step *step,
		     const struct trial *trial, struct error *err);
int search_steps_replay(struct search_run *run, struct error *err);

#endif
