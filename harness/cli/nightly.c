/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/night.h"
#include "cli/night_report.h"
#include "cli/setup.h"
#include "history/fetch.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_TREE = 0x2000, KEY_MINUTES, KEY_BOOTS, KEY_NO_FETCH };

/* Kept for searches while there is something to measure. */
static const double SEARCH_SHARE = 1.0 / 3;
/* Looks at what is undecided in one night: as many as the sampling plan has. */
enum { LOOKS = 3 };

struct arguments {
	struct context *context;
	const char *tree;
	uint64_t minutes, boots;
	int has_minutes, has_boots, no_fetch;
	int argc;
	char **argv;
};

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0, "Git repository with the kernel source", 0},
	{"minutes", KEY_MINUTES, "N", 0,
	 "Begin nothing after so many minutes, 0 for no limit (default: the "
	 "configuration's)",
	 0},
	{"boots", KEY_BOOTS, "N", 0, "No more boots than these, 0 for no limit", 0},
	{"no-fetch", KEY_NO_FETCH, NULL, 0, "Measure what is there", 0},
	{0},
};

static uint64_t parse_limit(struct argp_state *state, const char *name, const char *text)
{
	uint64_t number;

	if (number_parse_unsigned(text, &number) || number > 1000000)
		argp_error(state, "--%s: a number from 0 to 1000000, not '%s'", name,
			   text);
	return number;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case KEY_MINUTES:
		arguments->minutes = parse_limit(state, "minutes", arg);
		arguments->has_minutes = 1;
		return 0;
	case KEY_BOOTS:
		arguments->boots = parse_limit(state, "boots", arg);
		arguments->has_boots = 1;
		return 0;
	case KEY_NO_FETCH:
		arguments->no_fetch = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"",
	"Measure what is new since the last night, within a budget; open, follow and "
	"close "
	"findings; search for their commits; write the report."
	"\vWhat is followed and what a night may cost stands under \"nightly\" in "
	"kregress.yaml (kregress doctor --keys explains the keys). What the budget does "
	"not allow is left for the next night; a night that was killed is gone on with. "
	"Exit codes for cron: 1 where a regression was found that was not known before, "
	"once for each; 0 where nothing is new, though older ones may be open; 3 where a "
	"fetch or the host failed; 4 where nothing could be measured.",
};

/* --- one lab */

/* Until nothing is undecided, or the looks or the budget are used up. */
static int measure_and_judge(struct night *night, double reserved, struct error *err)
{
	for (int look = 0; look < LOOKS; look++) {
		size_t wanted;

		if (night_measure(night, reserved, err))
			return -1;
		wanted = night->work_count;
		if (night_judge(night, 0, err))
			return -1;
		if (night->work_count == wanted)
			return 0;
	}
	return 0;
}

static int pass(struct night *night, struct error *err)
{
	if (night_find_points(night, err) || night_plan(night, err) ||
	    measure_and_judge(night, SEARCH_SHARE, err) || night_search(night, err))
		return -1;
	/* What is measured apart is not compared in a noisy lab. */
	if (!night_is_noisy(night) &&
	    (measure_and_judge(night, 0, err) || night_search(night, err)))
		return -1;
	return night_judge(night, 1, err);
}

static int note_fetch_errors(struct night *night, const struct night_summary *summary,
			     struct error *err)
{
	for (size_t i = 0; i < summary->fetch_errors.count; i++)
		if (night_note(night, "fetch-failed", NULL,
			       summary->fetch_errors.items[i], err))
			return -1;
	return 0;
}

static int in_lab(struct workbench *bench, struct budget *budget,
		  struct night_summary *summary, struct error *err)
{
	CLEANUP(night_finish) struct night night = {0};
	struct error ignored;
	int failed = night_open(bench, budget, &night, err) ||
		     note_fetch_errors(&night, summary, err) || pass(&night, err);

	/* What is left is of use even where the night ended early. */
	if (failed && night.work_count)
		night_store_queue(&night, &ignored);
	*budget = night.budget;
	if (failed || night_store_queue(&night, err))
		return -1;
	return night_summary_add(summary, &night, err);
}

/* --- the whole night */

static struct budget budget_of(const struct arguments *arguments,
			       const struct config *config)
{
	uint64_t minutes =
		arguments->has_minutes ? arguments->minutes : config->nightly.minutes;

	return (struct budget){
		.max_seconds = (double)minutes * 60,
		.max_boots = (unsigned)(arguments->has_boots ? arguments->boots
							     : config->nightly.boots),
		.started = process_now(),
	};
}

/* In processes of their own, so before anything else has begun. */
static void fetch(const struct workbench *bench, struct night_summary *summary)
{
	const struct config *config = &bench->config;

	for (size_t i = 0; i < config->nightly.fetch.count; i++) {
		const char *remote = config->nightly.fetch.items[i];
		struct error why;

		log_info("fetching %s", remote);
		if (repository_fetch(bench->tree, remote,
				     (double)config->nightly.fetch_minutes * 60, &why))
			text_list_add(&summary->fetch_errors, why.text);
	}
}

static int exit_code(const struct night_summary *summary, size_t alarms)
{
	if (alarms)
		return 1;
	if (summary->fetch_errors.count)
		return 3;
	return summary->failed && !summary->measured ? 4 : 0;
}

/* The last lab of the night says what came of all. */
static int conclude(const struct arguments *arguments, struct workbench *bench,
		    struct night_summary *summary, int *ret_code, struct error *err)
{
	size_t alarms;

	if (night_count_alarms(summary, bench->store, &alarms, err))
		return -1;
	*ret_code = exit_code(summary, alarms);
	workbench_end_session(bench, *ret_code, NULL);
	bench->session = 0; /* it has ended */
	/* An alarm counts as raised only where nothing can go wrong any more. */
	if (night_write_reports(summary, bench->store, bench->results, err) ||
	    night_raise_alarms(summary, bench->store, err))
		return -1;
	night_print(summary, arguments->context->json);
	return 0;
}

struct progress {
	struct night_summary summary;
	struct budget budget;
	int code;
};

static int one_lab(const struct arguments *arguments, const char *lab, int is_first,
		   int is_last, struct progress *progress, struct error *err)
{
	CLEANUP(setup_finish) struct setup setup = {0};
	struct context context = *arguments->context;
	struct setup_options opening = {.tree = arguments->tree,
					.argc = arguments->argc,
					.argv = arguments->argv};
	struct workbench *bench = &setup.workbench;
	int failed;

	context.lab = lab;
	if (setup_open(&context, &opening, &setup, err) ||
	    workbench_open_repository(bench, err))
		return -1;
	if (is_first) {
		progress->budget = budget_of(arguments, &bench->config);
		if (!arguments->no_fetch)
			fetch(bench, &progress->summary);
	}
	failed = in_lab(bench, &progress->budget, &progress->summary, err);
	if (!failed && is_last) {
		failed = conclude(arguments, bench, &progress->summary, &progress->code,
				  err);
		if (!failed)
			return 0;
	}
	workbench_end_session(bench, failed ? command_exit_code(err) : 0,
			      failed ? err->text : NULL);
	return failed;
}

static int each_lab(const struct arguments *arguments, const struct text_list *labs,
		    struct progress *progress, struct error *err)
{
	for (size_t i = 0; i < labs->count; i++)
		if (one_lab(arguments, labs->items[i], i == 0, i + 1 == labs->count,
			    progress, err))
			return -1;
	return progress->code;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context, .argc = argc, .argv = argv};
	CLEANUP(config_finish) struct config config = {0};
	CLEANUP(text_list_finish) struct text_list one = {0};
	struct progress progress = {.code = 0};
	int code;

	command_parse(&argp, argc, argv, &arguments);
	if (config_load(context->config_path, &config, err))
		return -1;
	if (context->lab)
		text_list_add(&one, context->lab);
	code = each_lab(&arguments, context->lab ? &one : &config.nightly.labs, &progress,
			err);
	night_summary_finish(&progress.summary);
	return code;
}

const struct command nightly_command = {
	.name = "nightly",
	.summary = "Measure what is new, within a budget; findings; searches; the report",
	.run = run,
};
