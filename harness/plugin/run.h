/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From marks to runs in the count file (profile/count_format.h). What is counted while no
 * run is on, or while it pauses, is outside. A run that begins while another is on
 * takes its place: that one failed.
 */
#ifndef PLUGIN_RUN_H
#define PLUGIN_RUN_H

#include "plugin/table.h"

#include <stdio.h>

/* Start from {.file = ...}. */
struct runs {
	FILE *file;
	struct table table;
	int on, paused;
	uint64_t outside;
	int failed; /* the file could not be written: nothing more is */
};

/* kind: one of guest/mark.h; others are ignored. */
void runs_mark(struct runs *runs, int kind);

#endif
