/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/run_options.h"

#include "base/number.h"

enum {
	KEY_TREE = 0x2000,
	KEY_EVERY,
	KEY_COMMITS,
	KEY_MIN_EFFECT,
	KEY_BOOTS,
	KEY_MAX_BOOTS,
	KEY_MAX_MINUTES,
	KEY_REFERENCE,
	KEY_SEED,
	KEY_TABLES,
};

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0, "Git repository with the kernel source", 0},
	{"scenario", 's', "NAME", 0,
	 "Scenario by name or file; may be repeated (default: those of the "
	 "configuration, "
	 "else all)",
	 0},
	{"param", 'p', "NAME=VALUE[,VALUE]", 0, "Override a parameter of the scenarios",
	 0},
	{"every", KEY_EVERY, "N", 0, "Of a range: every Nth commit", 0},
	{"commits", KEY_COMMITS, NULL, 0, "Of a range: every commit (default: its tags)",
	 0},
	{"tables", KEY_TABLES, NULL, 0,
	 "Print the scenarios' tables (default: with one or two versions)", 0},
	{"boots", KEY_BOOTS, "N", 0,
	 "Boots a version (default: the scenario's, else 1; in the disk lab 5, and up to "
	 "12 where undecided)",
	 0},
	{"max-boots", KEY_MAX_BOOTS, "N", 0,
	 "So many new boots in all; the same command goes on with the rest", 0},
	{"max-minutes", KEY_MAX_MINUTES, "M", 0, "Nothing is begun after so many minutes",
	 0},
	{"reference", KEY_REFERENCE, "VERSION", 0,
	 "Disk lab: measured before and after all others (default: the first version)",
	 0},
	{"seed", KEY_SEED, "N", 0, "Disk lab: of the order of boots (default: random)",
	 0},
	{"min-effect", KEY_MIN_EFFECT, "PERCENT", 0,
	 "Smallest change that counts (default: 0.5 virtual, 3 disk)", 0},
	{0},
};

static unsigned parse_count(struct argp_state *state, const char *name, const char *text)
{
	uint64_t number;

	if (number_parse_unsigned(text, &number) || number < 1 || number > 1000000)
		argp_error(state, "--%s: a number from 1 to 1000000, not '%s'", name,
			   text);
	return (unsigned)number;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_arguments *arguments = state->input;

	switch (key) {
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case 's':
		text_list_add(&arguments->scenarios, arg);
		return 0;
	case 'p':
		text_list_add(&arguments->parameters, arg);
		return 0;
	case KEY_EVERY:
		arguments->range = (struct range_options){
			RANGE_EVERY, parse_count(state, "every", arg)};
		return 0;
	case KEY_COMMITS:
		arguments->range.mode = RANGE_COMMITS;
		return 0;
	case KEY_BOOTS:
		arguments->boots = parse_count(state, "boots", arg);
		return 0;
	case KEY_TABLES:
		arguments->tables = 1;
		return 0;
	case KEY_MAX_BOOTS:
		arguments->max_boots = parse_count(state, "max-boots", arg);
		return 0;
	case KEY_MAX_MINUTES:
		arguments->max_minutes = command_minutes(state, "--max-minutes", arg);
		return 0;
	case KEY_REFERENCE:
		arguments->reference = arg;
		return 0;
	case KEY_SEED:
		if (number_parse_unsigned(arg, &arguments->seed))
			argp_error(state, "--seed: a number, not '%s'", arg);
		return 0;
	case KEY_MIN_EFFECT:
		arguments->min_effect = command_percent(state, "--min-effect", arg);
		return 0;
	case ARGP_KEY_ARG:
		text_list_add(&arguments->versions, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no version given");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"VERSION...|A..B",
	"Build, boot and measure versions; compare neighbours and each with the best so "
	"far."
	"\vA VERSION is a git revision, REV+revert:SHA, REV+patch:FILE, "
	"REV+config:SYMBOL=VALUE, deb:FILE, deb:PACKAGE or image:BZIMAGE[,modules=DIR]. "
	"What "
	"is stored already is not measured again. Exit code 1: something regressed.",
};

void run_parse(int argc, char **argv, struct run_arguments *arguments)
{
	command_parse(&argp, argc, argv, arguments);
}

void run_arguments_finish(struct run_arguments *arguments)
{
	text_list_finish(&arguments->versions);
	text_list_finish(&arguments->scenarios);
	text_list_finish(&arguments->parameters);
}
