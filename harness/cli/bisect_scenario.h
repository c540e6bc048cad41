/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search that measures with a scenario in a lab.
 */
#ifndef CLI_BISECT_SCENARIO_H
#define CLI_BISECT_SCENARIO_H

#include "base/text.h"
#include "cli/command.h"
#include "cli/search_run.h"
#include "measure/workbench.h"

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
	struct budget *budget;            /* of this run; NULL: none */
	int is_quiet;                     /* nothing on stdout */
	int argc;                         /* the command line, for the session's row */
	char **argv;
};

/*
 * Measures the ends, chooses the case and metric that tell most where the user named
 * none, searches, prints the answer, and tells the findings of this range. Returns the
 * exit code, or -1.
 */
int bisect_with_scenario(const struct bisect_scenario *options, struct error *err);

/* What came of it. */
struct bisect_answer {
	int64_t id; /* of the search */
	enum search_status status;
	int is_paused;            /* the budget was spent */
	struct commit_id culprit; /* of a confirmed one */
	char reason[600];
	size_t boots; /* measurements that were made now */
};

/*
 * The same with a workbench that is open, in its session where one has begun; context,
 * tree, argc and argv are not read but for JSON.
 */
int bisect_on_bench(struct workbench *bench, const struct bisect_scenario *options,
		    struct bisect_answer *ret_answer, struct error *err);

#endif
