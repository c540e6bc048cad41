/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command line of "kregress run" says.
 */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "base/text.h"
#include "cli/command.h"
#include "history/range.h"

#include <stdint.h>

/* Strings belong to argv. */
struct run_arguments {
	struct context *context;
	const char *tree;
	struct range_options range;
	double min_effect; /* percent; negative: the lab's */
	unsigned boots;
	unsigned max_boots;    /* 0: any number */
	double max_minutes;    /* 0: any time */
	uint64_t seed;         /* of the order of boots in a noisy lab; 0: of chance */
	const char *reference; /* version; NULL: the configuration's, else the first */
	int tables;            /* print them, however many versions there are */
	struct text_list versions, scenarios, parameters;
};

/* Fills in *arguments, which holds the context; a wrong call ends the program. */
void run_parse(int argc, char **argv, struct run_arguments *arguments);
void run_arguments_finish(struct run_arguments *arguments);

#endif
