/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/measurements.h"
#include "exchange/csv.h"
#include "report/comparison_json.h"
#include "report/judgement_text.h"
#include "stats/family.h"

#include <stdio.h>
#include <string.h>

struct arguments {
	struct context *context;
	const char *from;
	const char *effect;
	const char *versions[2];
	int count;
};

enum { KEY_FROM = 0x2000, KEY_EFFECT };

static const struct argp_option options[] = {
	{"from", KEY_FROM, "FILE.csv", 0, "Judge the rows of a file (- for stdin)", 0},
	{"min-effect", KEY_EFFECT, "PERCENT", 0,
	 "Smallest change that counts (default: 3, in the virtual lab 0.5)", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = arguments->context;
		return 0;
	case KEY_FROM:
		arguments->from = arg;
		return 0;
	case KEY_EFFECT:
		arguments->effect = arg;
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

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"[A B]",
	"Verdicts on two versions, or on each version against the one before it and "
	"against "
	"the best-known one.",
	children,
	NULL,
	NULL,
};

static int judge(const struct arguments *arguments, const struct dataset *dataset,
		 struct comparisons *comparisons, struct error *err)
{
	struct verdict_policy policy = policy_statistical;
	size_t a, b;

	if (arguments->effect &&
	    measurements_parse_effect(arguments->effect, &policy.minimum_effect, err))
		return -1;
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

static int print(const struct context *context, const struct comparisons *comparisons,
		 struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};

	if (context->json)
		return comparisons_print_json(comparisons, stdout, err);
	comparisons_text(comparisons, &text);
	if (fputs(text_string(&text), stdout) < 0)
		return error_system(err, "writing the comparisons");
	return 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};
	CLEANUP(comparisons_finish) struct comparisons comparisons = {0};
	struct arguments arguments = {.context = context};

	command_parse(&argp, argc, argv, &arguments);
	if (!arguments.from)
		return error_set(err, ERROR_USAGE, "--from FILE.csv is needed");
	if (csv_read(arguments.from, &dataset, err) ||
	    judge(&arguments, &dataset, &comparisons, err) ||
	    print(context, &comparisons, err))
		return -1;
	return comparisons_regressed(&comparisons);
}

const struct command compare_command = {
	"compare",
	"Verdicts on two versions, or on all in order",
	run,
};
