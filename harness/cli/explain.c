/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/log.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/explaining.h"
#include "cli/setup.h"
#include "cli/target.h"

#include <stdio.h>

enum { KEY_TREE = 0x4100, KEY_BY, KEY_ROWS };

enum { ROWS = 20, ROWS_MAX = 1000000 };

/* Strings belong to argv. */
struct arguments {
	struct context *context;
	const char *tree, *scenario, *versions[2];
	size_t version_count;
	struct text_list parameters;
	enum difference_fold fold;
	uint64_t rows;
};

static const struct argp_option options[] = {
	{"scenario", 's', "NAME[/CASE]", 0,
	 "What they do (without CASE: every case of the scenario)", 0},
	{"param", 'p', "NAME=VALUE[,VALUE]", 0, "Override a parameter of the scenario",
	 0},
	{"by", KEY_BY, "function|file|folder", 0,
	 "What a row is (default: function); files and folders do not see what was "
	 "inlined, split or renamed within them",
	 0},
	{"rows", KEY_ROWS, "N", 0, "Show so many changes (default: 20)", 0},
	{"tree", KEY_TREE, "DIR", 0, "Git repository with the kernel source", 0},
	{0},
};

static void choose_fold(const char *word, struct arguments *arguments,
			struct argp_state *state)
{
	arguments->fold = difference_fold_find(word);
	if (arguments->fold == FOLD_COUNT)
		argp_error(state, "--by: function, file or folder, not '%s'", word);
}

static void choose_rows(const char *text, struct arguments *arguments,
			struct argp_state *state)
{
	if (number_parse_unsigned(text, &arguments->rows) || !arguments->rows ||
	    arguments->rows > ROWS_MAX)
		argp_error(state, "--rows: a number from 1 to %d, not '%s'", ROWS_MAX,
			   text);
}

static void add_version(const char *version, struct arguments *arguments,
			struct argp_state *state)
{
	if (arguments->version_count == 2)
		argp_error(state, "two versions are compared, '%s' is one more", version);
	else
		arguments->versions[arguments->version_count++] = version;
}

static void check(const struct arguments *arguments, struct argp_state *state)
{
	if (arguments->version_count != 2)
		argp_error(state, "two versions are compared, %zu given",
			   arguments->version_count);
	if (!arguments->scenario)
		argp_error(state, "--scenario is missing");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 's':
		arguments->scenario = arg;
		return 0;
	case 'p':
		text_list_add(&arguments->parameters, arg);
		return 0;
	case KEY_BY:
		choose_fold(arg, arguments, state);
		return 0;
	case KEY_ROWS:
		choose_rows(arg, arguments, state);
		return 0;
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case ARGP_KEY_ARG:
		add_version(arg, arguments, state);
		return 0;
	case ARGP_KEY_END:
		check(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"A B",
	"Tell why B is slower than A: which functions execute more instructions for each "
	"operation of a scenario, counted one by one."
	"\vBoth versions are booted in the virtual lab with every executed block of code "
	"counted; that takes about twice the time and changes no number. A version "
	"against itself is two boots of it. What is stored already is not counted again. "
	"The report shows explanations of the commits that searches found.",
};

struct explain {
	const struct arguments *arguments;
	struct setup setup;
	struct target target;
	struct scenario scenario;
	struct subject subjects[2];
};

static void finish_explain(struct explain *explain)
{
	subject_finish(&explain->subjects[0]);
	subject_finish(&explain->subjects[1]);
	scenario_finish(&explain->scenario);
	target_finish(&explain->target);
	setup_finish(&explain->setup);
}

static int open_explain(struct explain *explain, int argc, char **argv, struct error *err)
{
	const struct arguments *arguments = explain->arguments;
	struct workbench *bench = &explain->setup.workbench;
	struct setup_options opening = {
		.tree = arguments->tree, .argc = argc, .argv = argv};

	target_split(arguments->scenario, 0, &explain->target);
	if (setup_open(arguments->context, &opening, &explain->setup, err))
		return -1;
	if (bench->lab_kind != CONFIG_VIRTUAL)
		return error_set(err, ERROR_USAGE,
				 "instructions are counted in the virtual lab only: give "
				 "--lab virtual");
	if (workbench_load_scenario(bench, explain->target.name, &arguments->parameters,
				    &explain->scenario, err))
		return -1;
	for (int i = 0; i < 2; i++)
		if (subject_open(bench, arguments->versions[i], NULL,
				 &explain->subjects[i], err))
			return -1;
	return 0;
}

static void print_json(const struct explanations *explanations)
{
	CLEANUP(text_finish) struct text out = {0};

	text_add(&out, "{\"explanations\":[");
	for (size_t i = 0; i < explanations->count; i++) {
		text_add(&out, i ? "," : "");
		explanation_json(&explanations->items[i], &out);
	}
	text_add(&out, "]}\n");
	fputs(text_string(&out), stdout);
}

static int explain(struct explain *explain, struct error *err)
{
	const struct arguments *arguments = explain->arguments;
	const struct explain_request request = {
		.a = &explain->subjects[0],
		.b = &explain->subjects[1],
		.scenario = &explain->scenario,
		.case_label = explain->target.case_label,
	};
	CLEANUP(explanations_finish) struct explanations explanations = {0};
	struct workbench *bench = &explain->setup.workbench;

	if (workbench_open_lab(bench, err) || workbench_begin_session(bench, err) ||
	    explaining_run(bench, &request, arguments->fold, &explanations, err))
		return -1;
	if (arguments->context->json)
		print_json(&explanations);
	else
		explanations_print(&explanations, (size_t)arguments->rows);
	return 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context, .rows = ROWS};
	CLEANUP(finish_explain) struct explain work = {.arguments = &arguments};
	int code;

	command_parse(&argp, argc, argv, &arguments);
	code = open_explain(&work, argc, argv, err) || explain(&work, err) ? -1 : 0;
	workbench_end_session(&work.setup.workbench, code ? command_exit_code(err) : 0,
			      code ? err->text : NULL);
	text_list_finish(&arguments.parameters);
	return code;
}

const struct command explain_command = {
	.name = "explain",
	.summary = "Tell which functions made a version slower",
	.run = run,
};
