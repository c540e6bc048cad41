/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings out of comparisons: one for each scenario and range that regressed.
 */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli/judge.h"
#include "cli/search_run.h"

/*
 * Opens a finding for each neighbouring pair of versions with a regression, and for each
 * gradual loss against the baseline. What is a finding already gets the cases that are
 * new; nothing is opened twice.
 */
int findings_open(struct workbench *workbench, const struct judge_options *options,
		  const struct comparisons *comparisons, struct error *err);

/*
 * Tells the findings of a scenario whose ends are those of a search that it was made, and
 * which commit it named.
 */
int findings_note_search(struct workbench *workbench, const char *scenario,
			 const struct search_run *run, struct error *err);

#endif
