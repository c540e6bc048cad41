/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search that measures with a scenario in a lab.
 */
#ifndef CLI_BISECT_SCENARIO_H
#define CLI_BISECT_SCENARIO_H

#include "base/text.h"
#include "cli/command.h"
#include "cli/search_run.h"

/* All borrowed. */
struct bisect_scenario {
	const struct context *context;
	const char *tree;                   /* NULL: from the configuration */
	const char *scenario;               /* "NAME[/CASE[/METRIC]]" */
	const struct text_list *parameters; /* --param */
	struct commit_id good, bad;
	const char *edits; /* made to every commit that is tested; "": none */
	int improvement;   /* look for what made it better */
	double min_effect; /* percent; 0: the lab's */
	int first_parent, again;
	int hints;      /* look first where a storage benchmark may suffer */
	int no_explain; /* leave out what a confirmed culprit executes */
	unsigned max_boots;
	double max_minutes;
	const struct search_marks *marks; /* or NULL */
	const char *log;                  /* write a git bisect log; NULL: none */
	int argc;                         /* the command line, for the session's row */
	char **argv;
};

/*
 * Measures the ends, chooses the case and metric that tell most where the user named
 * none, searches, prints the answer, and tells the findings of this range. Returns the
 * exit code, or -1.
 */
int bisect_with_scenario(const struct bisect_scenario *options, struct error *err);

#endif
