/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/command.h"

#include "base/log.h"
#include "base/number.h"
#include "scenario/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_LAB = 0x1000, KEY_RESULTS, KEY_JSON, KEY_CONNECT };

static const struct argp_option options[] = {
	{.doc = "Common options:", .group = 10},
	{NULL, 'C', "DIR", 0, "Change to DIR first", 10},
	{"config", 'c', "FILE", 0, "Configuration (default: kregress.yaml, if it exists)",
	 10},
	{"lab", KEY_LAB, "virtual|disk", 0,
	 "Where to measure: virtual (default); or the lab whose results are judged: "
	 "imports count as disk",
	 10},
	{"connect", KEY_CONNECT, "URI", 0,
	 "libvirt that runs the guests (default: its QEMU driver inside this process)",
	 10},
	{"results", KEY_RESULTS, "DIR", 0,
	 "Database, logs and reports (default: results/ beside the configuration)", 10},
	{"json", KEY_JSON, NULL, 0, "Print the result as JSON", 10},
	{"quiet", 'q', NULL, 0, "No progress on stderr", 10},
	{"verbose", 'v', NULL, 0, "More detail on stderr", 10},
	{0},
};

static error_t choose_lab(const char *lab, struct context *context,
			  struct argp_state *state)
{
	for (size_t i = 0; config_lab_names[i]; i++)
		if (!strcmp(lab, config_lab_names[i])) {
			context->lab = config_lab_names[i];
			return 0;
		}
	argp_error(state, "--lab: virtual or disk, not '%s'", lab);
	return EINVAL;
}

static error_t take(int key, char *arg, struct context *context, struct argp_state *state)
{
	switch (key) {
	case 'C':
		if (chdir(arg))
			argp_error(state, "-C %s: %s", arg, strerror(errno));
		return 0;
	case 'c':
		context->config_path = arg;
		return 0;
	case KEY_LAB:
		return choose_lab(arg, context, state);
	case KEY_CONNECT:
		context->connect = arg;
		return 0;
	case KEY_RESULTS:
		context->results = arg;
		return 0;
	case KEY_JSON:
		context->json = 1;
		return 0;
	case 'q':
		log_set_level(LOG_QUIET);
		return 0;
	case 'v':
		log_set_level(LOG_VERBOSE);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The command's parser is the child, with the same input. */
static error_t parse_parent(int key, char *arg, struct argp_state *state)
{
	struct context *const *context = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = state->input;
	return take(key, arg, *context, state);
}

double command_percent(const struct argp_state *state, const char *option,
		       const char *text)
{
	double percent;

	if (number_parse_double(text, &percent) || percent < 0 || percent > 10000)
		argp_error(state, "%s: a percentage from 0 to 10000, not '%s'", option,
			   text);
	return percent;
}

double command_minutes(const struct argp_state *state, const char *option,
		       const char *text)
{
	double minutes;

	if (number_parse_double(text, &minutes) || !(minutes > 0) || minutes > 1e6)
		argp_error(state, "%s: a number above 0, not '%s'", option, text);
	return minutes;
}

int command_exit_code(const struct error *err)
{
	static const int codes[] = {
		[ERROR_NONE] = 3, /* a failure that nobody described is no success */
		[ERROR_USAGE] = 2,         [ERROR_HOST] = 3,
		[ERROR_MEASUREMENT] = 4,   [ERROR_NO_CULPRIT] = 5,
		[ERROR_INTERRUPTED] = 130,
	};

	return codes[err->kind];
}

/* "-p,--param<tab>NAME=VALUE<tab>Override a parameter": names, argument, meaning. */
static void list_options(const struct argp_option *list)
{
	for (; list && (list->name || list->key || list->doc); list++) {
		int letter = list->key > ' ' && list->key <= '~';

		if (!list->name && !letter)
			continue; /* a heading */
		if (letter)
			printf("-%c%s", list->key, list->name ? "," : "");
		if (list->name)
			printf("--%s", list->name);
		printf("\t%s\t%s\n", list->arg ? list->arg : "",
		       list->doc ? list->doc : "");
	}
}

/* The command's own, an empty line, those of all: for completion and the manual. */
static void list_all_options(const struct argp *argp)
{
	static const struct argp_option common[] = {
		{"help", 0, NULL, 0, "What the command does, and its options", 0},
		{"usage", 0, NULL, 0, "The names of its options", 0},
		{"version", 'V', NULL, 0, "The program's version", 0},
		{0}};

	list_options(argp->options);
	putchar('\n');
	list_options(options);
	list_options(common);
	exit(0);
}

void command_parse(const struct argp *argp, int argc, char **argv, void *arguments)
{
	const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
	const struct argp parent = {
		.options = options, .parser = parse_parent, .children = children};

	if (argc == 2 && !strcmp(argv[1], "--list-options"))
		list_all_options(argp);
	argp_parse(&parent, argc, argv, 0, NULL, arguments);
}
