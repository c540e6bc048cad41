/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked once a search has confirmed a commit: can it be the culprit at all, does
 * reverting it at the bad end bring the good level back, and is the change still there at
 * the head of the branch? Measurements of that are steps of the search like others, kept
 * apart because no commit of the range was measured.
 */
#ifndef CLI_SEARCH_AFTER_H
#define CLI_SEARCH_AFTER_H

#include "cli/search_run.h"

/*
 * Why a commit hardly can be what the search says: it touches documentation or comments
 * only, or its kernel is that of a parent. *ret_why is NULL where nothing speaks against
 * it; the caller frees.
 */
int search_find_doubt(const struct search_run *run, uint32_t node, char **ret_why,
		      struct error *err);

/*
 * Asks for the revert and the head, where the measurer can do that and the budget allows;
 * what is stored of it is not measured again. Fills in run->after.
 */
int search_ask_after(struct search_run *run, struct error *err);

#endif
