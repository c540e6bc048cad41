/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command line of "kregress bisect" says.
 */
#ifndef CLI_BISECT_OPTIONS_H
#define CLI_BISECT_OPTIONS_H

#include "base/text.h"
#include "cli/command.h"

#include <stdint.h>

/* Strings belong to argv. */
struct bisect_arguments {
	struct context *context;
	const char *tree, *good, *bad, *command, *scenario, *metric, *log, *from_log;
	struct text_list parameters;
	int checkout, pass_fail, exact, dry_run, higher_is_better, lower_is_better;
	int improvement, first_parent, again, no_priors, no_explain;
	uint64_t max_boots;
	double max_minutes, timeout, min_effect; /* 0: not given; seconds; percent */
};

/*
 * Fills in *arguments, which holds the context. ERROR_USAGE where an option would have no
 * effect on this kind of search; a word that is no option ends the program.
 */
int bisect_parse(int argc, char **argv, struct bisect_arguments *arguments,
		 struct error *err);
void bisect_arguments_finish(struct bisect_arguments *arguments);

#endif
