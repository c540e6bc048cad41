/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/measurements.h"
#include "cli/stored.h"
#include "exchange/csv.h"
#include "report/comparison_json.h"
#include "report/comparison_text.h"
#include "stats/family.h"

#include <stdio.h>
#include <string.h>

struct arguments {
	struct context *context;
	const char *from;
	double effect; /* percent; negative: that of the lab */
	struct text_list allow;
	int all_metrics;
	const char *versions[2];
	int count;
};

enum { KEY_FROM = 0x2000, KEY_EFFECT, KEY_ALLOW, KEY_ALL };

static const struct argp_option options[] = {
	{"from", KEY_FROM, "FILE.csv", 0, "Judge the rows of a file (- for stdin)", 0},
	{"min-effect", KEY_EFFECT, "PERCENT", 0,
	 "Smallest change that counts (default: 3, in the virtual lab 0.5)", 0},
	{"allow", KEY_ALLOW, "FIELD", 0,
	 "Compare although this field of the environment differs (repeatable)", 0},
	{"all-metrics", KEY_ALL, NULL, 0,
	 "Also stored metrics that their scenario does not judge", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_FROM:
		arguments->from = arg;
		return 0;
	case KEY_EFFECT:
		arguments->effect = command_percent(state, "--min-effect", arg);
		return 0;
	case KEY_ALLOW:
		text_list_add(&arguments->allow, arg);
		return 0;
	case KEY_ALL:
		arguments->all_metrics = 1;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->count == 2)
			argp_error(state, "two versions at most");
		arguments->versions[arguments->count++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (arguments->count == 1)
			argp_error(state, "two versions, or none");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"[A B]",
	"Verdicts on two versions, or on each version against the one before it and "
	"against "
	"the best-known one.",
	NULL,
	NULL,
	NULL,
};

static void arguments_finish(struct arguments *arguments)
{
	text_list_finish(&arguments->allow);
}

static int judge(const struct arguments *arguments, const struct dataset *dataset,
		 struct verdict_policy policy, struct comparisons *comparisons,
		 struct error *err)
{
	size_t a, b;

	if (arguments->effect >= 0)
		policy.minimum_effect = arguments->effect / 100;
	if (!arguments->count) {
		compare_all(&dataset->measurements, &policy, comparisons);
		return 0;
	}
	if (measurements_find_version(dataset, arguments->versions[0], &a, err) ||
	    measurements_find_version(dataset, arguments->versions[1], &b, err))
		return -1;
	compare_pair(&dataset->measurements, a, b, &policy, comparisons);
	return 0;
}

/* A lab that knows neither version of the pair has nothing to say. */
static int has_pair(const struct arguments *arguments, const struct dataset *dataset)
{
	return !arguments->count ||
	       (dataset_find_version(dataset, arguments->versions[0]) >= 0 &&
		dataset_find_version(dataset, arguments->versions[1]) >= 0);
}

static int judge_stored(const struct arguments *arguments, struct stored *stored,
			struct comparisons *comparisons, struct error *err)
{
	size_t asked = 0;

	if (!stored->lab_count)
		return error_set(err, ERROR_USAGE, "nothing was measured yet");
	for (size_t i = 0; i < stored->lab_count; i++) {
		struct stored_lab *lab = &stored->labs[i];

		if (!has_pair(arguments, &lab->data) &&
		    (asked || i + 1 < stored->lab_count))
			continue;
		asked++;
		if (judge(arguments, &lab->data, lab->policy, comparisons, err))
			return -1;
	}
	comparisons_settle(comparisons);
	stored_explain(stored, comparisons);
	return 0;
}

static int print(const struct context *context, const struct comparisons *comparisons,
		 struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};

	if (context->json)
		return comparisons_print_json(comparisons, NULL, stdout, err);
	comparison_text_add_all(comparisons->items, comparisons->count, &text);
	if (fputs(text_string(&text), stdout) < 0)
		return error_system(err, "writing the comparisons");
	return 0;
}

static int any_environment(const void *context, const char *a, const char *b)
{
	(void)context;
	(void)a;
	(void)b;
	return 1;
}

/* The environment of a file is one word. */
static int allow_in_file(const struct arguments *arguments, struct dataset *dataset,
			 struct error *err)
{
	for (size_t i = 0; i < arguments->allow.count; i++)
		if (strcmp(arguments->allow.items[i], "environment"))
			return error_set(err, ERROR_USAGE,
					 "--allow %s: a file has the field environment, "
					 "and no other",
					 arguments->allow.items[i]);
	if (arguments->allow.count)
		dataset->measurements.may_differ = any_environment;
	return 0;
}

static int run_file(const struct arguments *arguments, struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};
	CLEANUP(comparisons_finish) struct comparisons comparisons = {0};

	if (csv_read(arguments->from, &dataset, err) ||
	    allow_in_file(arguments, &dataset, err) ||
	    judge(arguments, &dataset, policy_statistical, &comparisons, err))
		return -1;
	comparisons_settle(&comparisons);
	if (print(arguments->context, &comparisons, err))
		return -1;
	return comparisons_regressed(&comparisons);
}

static int run_stored(const struct arguments *arguments, struct error *err)
{
	struct stored_options wanted = {&arguments->allow, arguments->all_metrics,
					arguments->effect};
	CLEANUP(stored_finish) struct stored stored = {0};
	CLEANUP(comparisons_finish) struct comparisons comparisons = {0};

	if (stored_load(arguments->context, &wanted, &stored, err) ||
	    judge_stored(arguments, &stored, &comparisons, err) ||
	    print(arguments->context, &comparisons, err))
		return -1;
	return comparisons_regressed(&comparisons);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(arguments_finish)
	struct arguments arguments = {.context = context, .effect = -1};

	command_parse(&argp, argc, argv, &arguments);
	return arguments.from ? run_file(&arguments, err) : run_stored(&arguments, err);
}

const struct command compare_command = {
	"compare",
	"Verdicts on two versions, or on all in order",
	run,
};
