/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the host was the same at both ends of a session: one kernel, measured before
 * and after all others, must not have changed.
 *
 * It moved where its boots at the end would be called a regression or an improvement
 * over those at the start, all metrics judged together, or where they stand far apart
 * from them in a single one (summary_moved_at()).
 */
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include "cli/judge.h"

enum { REFERENCE_BOOTS = 5 }; /* of each scenario at each end */

/*
 * What moved first, as a sentence that the caller frees; NULL where nothing did. Judged
 * are the metrics of the options' scenarios.
 */
int reference_find_move(const struct judge_options *judging,
			const struct boot_list *before, const struct boot_list *after,
			const char *scenario, char **ret_sentence, struct error *err);

#endif
