/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings out of comparisons, and what becomes of them: one for a range, whatever
 * regressed in it, and no second one for the same change.
 *
 * A regression is known where a finding of the same case exists whose range has steps in
 * common with it: its culprit, where one was named, must lie in both. So a finding stays
 * the only one when later versions are as bad, when versions between its ends are
 * measured, and when it was acknowledged, suppressed, or has recovered since.
 */
#ifndef CLI_FILING_H
#define CLI_FILING_H

#include "cli/judge.h"
#include "cli/search_run.h"

/*
 * Opens a finding for each neighbouring pair of versions with a regression, and for each
 * gradual loss against the baseline. An open finding of that very range gets the cases
 * that are new. *ret_opened counts the findings that were opened.
 */
int filing_open(struct workbench *workbench, const struct judge_options *options,
		const struct comparisons *comparisons, size_t *ret_opened,
		struct error *err);

/*
 * Looks how the open findings fare in the newest version of the list: one that is still
 * bad there is told so ("still-open"), one whose cases are all as before is closed
 * ("recovered", in the first version from which on they are). What cannot be decided
 * changes nothing. Both ends of a finding must be in the list, and the newest version
 * behind them; others are left alone.
 */
int filing_follow(struct workbench *workbench, const struct judge_options *options,
		  const struct judgement *judgement, struct error *err);

/*
 * Tells the finding of a scenario whose ends are those of a search that it was made, and
 * which commit it named. Where another commit was named for the finding before, the
 * scenario moves to a finding of its own.
 */
int filing_note_search(struct workbench *workbench, const char *scenario,
		       const struct search_run *run, struct error *err);

#endif
