/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/bisect_options.h"

#include "base/number.h"

#include <string.h>

enum {
	KEY_TREE = 0x3000,
	KEY_GOOD,
	KEY_BAD,
	KEY_COMMAND,
	KEY_CHECKOUT,
	KEY_PASS_FAIL,
	KEY_DRY_RUN,
	KEY_MAX_BOOTS,
	KEY_MAX_MINUTES,
	KEY_METRIC,
	KEY_BETTER,
	KEY_MIN_EFFECT,
	KEY_FIND,
	KEY_FIRST_PARENT,
	KEY_AGAIN,
	KEY_LOG,
	KEY_FROM_LOG,
	KEY_SCENARIO,
	KEY_TIMEOUT,
	KEY_EXACT,
	KEY_NO_PRIORS,
	KEY_NO_EXPLAIN,
};

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0, "The git repository (default: from kregress.yaml)",
	 1},
	{"good", KEY_GOOD, "REVISION", 0, "Without the change", 1},
	{"bad", KEY_BAD, "REVISION", 0, "With the change", 1},
	{"scenario", KEY_SCENARIO, "NAME[/CASE[/METRIC]]", 0,
	 "Measure with a scenario in the lab (without CASE: the one that tells most)", 1},
	{"param", 'p', "NAME=VALUE", 0, "Override a parameter of the scenario", 1},
	{"command", KEY_COMMAND, "CMD", 0,
	 "Measure with a host command: sh -c CMD, with KREGRESS_COMMIT set, prints a "
	 "number or metric=value lines; exit 125: cannot be tested",
	 1},
	{"checkout", KEY_CHECKOUT, NULL, 0, "Run CMD inside a checkout of the commit", 2},
	{"pass-fail", KEY_PASS_FAIL, NULL, 0,
	 "CMD passes (exit 0) or fails (exit 1), perhaps not every time", 2},
	{"exact", KEY_EXACT, NULL, 0,
	 "CMD counts rather than times: the same commit gives the same value, so one run "
	 "of each decides",
	 2},
	{"metric", KEY_METRIC, "NAME", 0, "Which of several metric=value lines counts",
	 2},
	{"better", KEY_BETTER, "lower|higher", 0,
	 "Which way is better (default: the ends tell)", 3},
	{"find", KEY_FIND, "regression|improvement", 0,
	 "What to look for, where --better says which is which", 3},
	{"min-effect", KEY_MIN_EFFECT, "PERCENT", 0,
	 "Ends that differ by less count as the same", 3},
	{"max-boots", KEY_MAX_BOOTS, "N", 0, "End after so many measurements", 4},
	{"max-minutes", KEY_MAX_MINUTES, "M", 0, "End after so much measuring time", 4},
	{"timeout", KEY_TIMEOUT, "SECONDS", 0,
	 "A run of CMD that takes longer is ended and tried again (default: 7200, or all "
	 "of --max-minutes)",
	 4},
	{"first-parent", KEY_FIRST_PARENT, NULL, 0, "Follow merges on their first parent",
	 5},
	{"no-priors", KEY_NO_PRIORS, NULL, 0,
	 "Look at all commits alike, whatever files they touch (the order of tests "
	 "depends on it, the answer never)",
	 5},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Say what would be tested first", 6},
	{"again", KEY_AGAIN, NULL, 0, "Forget what is stored of this search", 6},
	{"no-explain", KEY_NO_EXPLAIN, NULL, 0,
	 "Do not count what the commit that was found executes (\"kregress explain\")",
	 6},
	{"log", KEY_LOG, "FILE", 0, "Write what was found as a git bisect log", 7},
	{"from-log", KEY_FROM_LOG, "FILE", 0, "Take ends and marks from a git bisect log",
	 7},
	{0},
};

static const char *const better_words[] = {"lower", "higher", NULL};
static const char *const find_words[] = {"regression", "improvement", NULL};

/* The place of a word in its list; ends the program where it is none of them. */
static int choose(const char *word, const char *const *words, const char *option,
		  struct argp_state *state)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	argp_error(state, "%s: %s or %s, not '%s'", option, words[0], words[1], word);
	return 0;
}

static double positive(const char *text, const char *option, struct argp_state *state)
{
	double value = 0;

	if (number_parse_double(text, &value) || value < 0)
		argp_error(state, "%s: a number from 0 up, not '%s'", option, text);
	return value;
}

static void parse_count(const char *text, struct bisect_arguments *arguments,
			struct argp_state *state)
{
	if (number_parse_unsigned(text, &arguments->max_boots) || !arguments->max_boots ||
	    arguments->max_boots > 1000000)
		argp_error(state, "--max-boots: a number from 1 to 1000000, not '%s'",
			   text);
}

static void parse_better(const char *word, struct bisect_arguments *arguments,
			 struct argp_state *state)
{
	int higher = choose(word, better_words, "--better", state);

	arguments->higher_is_better = higher;
	arguments->lower_is_better = !higher;
}

/* Options that only keep a string, or only set a switch. */
static int keep(int key, char *arg, struct bisect_arguments *arguments)
{
	const struct {
		int key;
		const char **string;
		int *flag;
	} simple[] = {
		{KEY_TREE, &arguments->tree, NULL},
		{KEY_GOOD, &arguments->good, NULL},
		{KEY_BAD, &arguments->bad, NULL},
		{KEY_SCENARIO, &arguments->scenario, NULL},
		{KEY_COMMAND, &arguments->command, NULL},
		{KEY_METRIC, &arguments->metric, NULL},
		{KEY_LOG, &arguments->log, NULL},
		{KEY_FROM_LOG, &arguments->from_log, NULL},
		{KEY_CHECKOUT, NULL, &arguments->checkout},
		{KEY_PASS_FAIL, NULL, &arguments->pass_fail},
		{KEY_NO_PRIORS, NULL, &arguments->no_priors},
		{KEY_EXACT, NULL, &arguments->exact},
		{KEY_DRY_RUN, NULL, &arguments->dry_run},
		{KEY_FIRST_PARENT, NULL, &arguments->first_parent},
		{KEY_AGAIN, NULL, &arguments->again},
		{KEY_NO_EXPLAIN, NULL, &arguments->no_explain},
	};

	for (size_t i = 0; i < sizeof(simple) / sizeof(*simple); i++) {
		if (simple[i].key != key)
			continue;
		if (simple[i].string)
			*simple[i].string = arg;
		else
			*simple[i].flag = 1;
		return 1;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bisect_arguments *arguments = state->input;

	if (keep(key, arg, arguments))
		return 0;
	switch (key) {
	case 'p':
		text_list_add(&arguments->parameters, arg);
		return 0;
	case KEY_MAX_BOOTS:
		parse_count(arg, arguments, state);
		return 0;
	case KEY_MAX_MINUTES:
		arguments->max_minutes = positive(arg, "--max-minutes", state);
		return 0;
	case KEY_TIMEOUT:
		arguments->timeout = positive(arg, "--timeout", state);
		return 0;
	case KEY_MIN_EFFECT:
		arguments->min_effect = command_percent(state, "--min-effect", arg);
		return 0;
	case KEY_BETTER:
		parse_better(arg, arguments, state);
		return 0;
	case KEY_FIND:
		arguments->improvement = choose(arg, find_words, "--find", state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options, parse, "",
	"Finds the commit between --good and --bad that changed a measured value."};

/* Options of the other kind of search would be ignored: nobody wants that. */
static int check_kind(const struct bisect_arguments *arguments, struct error *err)
{
	const struct {
		int given, of_command;
		const char *option;
	} options_of_a_kind[] = {
		{arguments->checkout, 1, "--checkout"},
		{arguments->pass_fail, 1, "--pass-fail"},
		{arguments->exact, 1, "--exact"},
		{arguments->metric != NULL, 1, "--metric"},
		{arguments->higher_is_better || arguments->lower_is_better, 1,
		 "--better"},
		{arguments->timeout > 0, 1, "--timeout"},
		{arguments->parameters.count > 0, 0, "--param"},
		{arguments->no_explain, 0, "--no-explain"},
	};

	if (!arguments->command == !arguments->scenario)
		return arguments->dry_run && !arguments->command
			       ? 0
			       : error_set(err, ERROR_USAGE,
					   "measure with either --scenario NAME or "
					   "--command CMD");
	if (arguments->exact && arguments->pass_fail)
		return error_set(err, ERROR_USAGE,
				 "--exact is about values; with --pass-fail there are "
				 "none");
	for (size_t i = 0; i < sizeof(options_of_a_kind) / sizeof(*options_of_a_kind);
	     i++)
		if (options_of_a_kind[i].given &&
		    options_of_a_kind[i].of_command != (arguments->command != NULL))
			return error_set(err, ERROR_USAGE, "%s goes with %s",
					 options_of_a_kind[i].option,
					 options_of_a_kind[i].of_command ? "--command"
									 : "--scenario");
	return 0;
}

int bisect_parse(int argc, char **argv, struct bisect_arguments *arguments,
		 struct error *err)
{
	command_parse(&argp, argc, argv, arguments);
	return check_kind(arguments, err);
}

void bisect_arguments_finish(struct bisect_arguments *arguments)
{
	text_list_finish(&arguments->parameters);
}
