/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a search is: told after each measurement, and kept as an event of status
 * "running" (store/search.h) for who looks on. Its suspects are the likeliest; its result
 * is
 *
 *	{"boots":n,"builds":n,"seconds":s,"bits_left":b,"boots_left":n,"seconds_left":s}
 */
#ifndef CLI_SEARCH_PROGRESS_H
#define CLI_SEARCH_PROGRESS_H

#include "cli/search_run.h"

void search_progress_tell(struct search_run *run, const struct search_step *step,
			  const struct trial *trial);
int search_progress_store(struct search_run *run, struct error *err);

#endif
