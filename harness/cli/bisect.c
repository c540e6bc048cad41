/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/bisect_log.h"
#include "cli/bisect_scenario.h"
#include "cli/command.h"
#include "cli/search_run.h"
#include "cli/setup.h"
#include "history/checkout.h"
#include "lab/command.h"
#include "scenario/config.h"
#include "store/sessions.h"

#include <jansson.h>
#include <stdio.h>
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
	KEY_NO_PRIORS,
	KEY_AGAIN,
	KEY_LOG,
	KEY_FROM_LOG,
	KEY_SCENARIO,
};

struct arguments {
	struct context *context;
	const char *tree, *good, *bad, *command, *scenario, *metric, *log, *from_log;
	struct text_list parameters;
	int checkout, pass_fail, dry_run, higher_is_better, lower_is_better;
	int improvement, first_parent, no_priors, again;
	uint64_t max_boots;
	double max_minutes, min_effect;
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
	{"first-parent", KEY_FIRST_PARENT, NULL, 0, "Follow merges on their first parent",
	 5},
	{"no-priors", KEY_NO_PRIORS, NULL, 0,
	 "All commits are alike, whatever they touch", 5},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Say what would be tested first", 6},
	{"again", KEY_AGAIN, NULL, 0, "Forget what is stored of this search", 6},
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

static void parse_count(const char *text, struct arguments *arguments,
			struct argp_state *state)
{
	if (number_parse_unsigned(text, &arguments->max_boots) || !arguments->max_boots ||
	    arguments->max_boots > 1000000)
		argp_error(state, "--max-boots: a number from 1 to 1000000, not '%s'",
			   text);
}

static void parse_better(const char *word, struct arguments *arguments,
			 struct argp_state *state)
{
	int higher = choose(word, better_words, "--better", state);

	arguments->higher_is_better = higher;
	arguments->lower_is_better = !higher;
}

/* Options that only keep a string, or only set a switch. */
static int keep(int key, char *arg, struct arguments *arguments)
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
		{KEY_DRY_RUN, NULL, &arguments->dry_run},
		{KEY_FIRST_PARENT, NULL, &arguments->first_parent},
		{KEY_NO_PRIORS, NULL, &arguments->no_priors},
		{KEY_AGAIN, NULL, &arguments->again},
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
	struct arguments *arguments = state->input;

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

/* What a command searches with. */
struct bench {
	struct config config;
	struct repository *repository;
	struct store *store;
	struct workspace *workspace;
	struct lock lock;
	char *results;
	struct commit_id good, bad;
	struct search_marks marks;
	int64_t session;
};

static void bench_finish(struct bench *bench)
{
	free(bench->marks.items);
	workspace_close(bench->workspace);
	lock_release(&bench->lock);
	store_close(bench->store);
	repository_close(bench->repository);
	config_finish(&bench->config);
	free(bench->results);
}

static int open_tree(struct arguments *arguments, struct bench *bench, struct error *err)
{
	CLEANUP(cleanup_free) char *tree = NULL;
	CLEANUP(bisect_log_finish) struct bisect_log log = {0};

	if (config_load(arguments->context->config_path, &bench->config, err))
		return -1;
	if (arguments->from_log && bisect_log_read(arguments->from_log, &log, err))
		return -1;
	if (!arguments->tree && !bench->config.tree)
		return error_set(err, ERROR_USAGE,
				 "no tree: --tree DIR says which repository");
	tree = arguments->tree ? memory_copy_string(arguments->tree)
			       : config_path(&bench->config, bench->config.tree);
	if (repository_open(tree, &bench->repository, err))
		return -1;
	if (!(arguments->good || log.good) || !(arguments->bad || log.bad))
		return error_set(err, ERROR_USAGE,
				 "a search needs --good and --bad (or --from-log)");
	if (repository_resolve(bench->repository,
			       arguments->good ? arguments->good : log.good, &bench->good,
			       err))
		return error_prefix(err, "--good");
	if (repository_resolve(bench->repository,
			       arguments->bad ? arguments->bad : log.bad, &bench->bad,
			       err))
		return error_prefix(err, "--bad");
	return bisect_log_marks(&log, bench->repository, &bench->marks, err);
}

static int dry_run(const struct arguments *arguments, const struct bench *bench,
		   struct error *err)
{
	CLEANUP(graph_finish) struct graph graph = {0};
	uint32_t next;

	if (graph_load(bench->repository, &bench->good, &bench->bad,
		       arguments->first_parent, &graph, err))
		return -1;
	next = search_first_split(&graph, NULL);
	if (arguments->context->json)
		printf("{\"next\": \"%s\", \"candidates\": %zu}\n", graph.ids[next].hex,
		       graph.count);
	else
		printf("%s would be tested first, of %zu commits\n", graph.ids[next].hex,
		       graph.count);
	return 0;
}

static int open_results(const struct arguments *arguments, struct bench *bench, int argc,
			char **argv, struct error *err)
{
	CLEANUP(cleanup_free) char *command = setup_command_line(argc, argv);
	struct session_record session = {
		.command = command, .lab = "", .program = KREGRESS_VERSION};
	CLEANUP(cleanup_free) char *path = NULL;

	if (arguments->context->results)
		bench->results = memory_copy_string(arguments->context->results);
	else
		bench->results = config_path(&bench->config,
					     bench->config.results ? bench->config.results
								   : "results");
	if (file_make_folders(bench->results, err))
		return -1;
	path = file_join(bench->results, STORE_FILE_NAME);
	if (store_open(path, STORE_READ_WRITE, &bench->store, err))
		return -1;
	return store_add_session(bench->store, &session, &bench->session, err);
}

static int prepare_checkout(void *state, const char *commit, const char **ret_folder,
			    struct error *err)
{
	struct bench *bench = state;
	struct commit_id id;
	struct tree_id tree;

	snprintf(id.hex, sizeof(id.hex), "%s", commit);
	if (repository_tree(bench->repository, &id, &tree, err) ||
	    workspace_checkout(bench->workspace, &tree, NULL, err))
		return error_prefix(err, "checkout of %s", commit);
	*ret_folder = workspace_source(bench->workspace);
	return 0;
}

static int open_workspace(struct bench *bench, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = file_join(bench->results, "checkout");
	CLEANUP(cleanup_free) char *lock = file_join(bench->results, "checkout.lock");

	if (lock_wait(lock, "bisect --checkout", 1, &bench->lock, err))
		return -1;
	return workspace_open(bench->repository, folder, &bench->workspace, err);
}

/* All that changes what a value means, as JSON. */
static char *describe(const struct arguments *arguments)
{
	json_t *object = json_pack(
		"{s:s,s:s?,s:b,s:b,s:b,s:b,s:b,s:f}", "command", arguments->command,
		"metric", arguments->metric, "checkout", arguments->checkout, "pass_fail",
		arguments->pass_fail, "higher_is_better", arguments->higher_is_better,
		"lower_is_better", arguments->lower_is_better, "improvement",
		arguments->improvement, "min_effect", arguments->min_effect);
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

static enum search_direction direction_of(const struct arguments *arguments)
{
	int up = arguments->lower_is_better;

	if (!arguments->lower_is_better && !arguments->higher_is_better) {
		if (!arguments->pass_fail || !arguments->improvement)
			return SEARCH_ANY;
		up = 1; /* of failures fewer are better */
	}
	return up != arguments->improvement ? SEARCH_UP : SEARCH_DOWN;
}

static int search_with_command(struct arguments *arguments, struct bench *bench,
			       struct error *err)
{
	CLEANUP(cleanup_free) char *identity = describe(arguments);
	CLEANUP(search_run_finish) struct search_run run = {0};
	struct host_command command = {
		.command = arguments->command,
		.metric = arguments->metric,
		.pass_fail = arguments->pass_fail,
		.prepare = arguments->checkout ? prepare_checkout : NULL,
		.prepare_state = bench,
	};
	struct search_request request = {
		.repository = bench->repository,
		.store = bench->store,
		.session = bench->session,
		.good = bench->good,
		.bad = bench->bad,
		.first_parent = arguments->first_parent,
		.identity = identity,
		.again = arguments->again,
		.marks = bench->marks.count ? &bench->marks : NULL,
		.measurer = {&command_measurer, &command},
		.options = {.model = arguments->pass_fail ? &model_pass_fail
							  : &model_robust,
			    .direction = direction_of(arguments),
			    .min_effect = arguments->min_effect / 100,
			    .max_boots = (unsigned)arguments->max_boots,
			    .max_seconds = arguments->max_minutes * 60},
	};
	CLEANUP(cleanup_free) char *json = NULL;

	if (!identity)
		return error_set(err, ERROR_USAGE, "the command is not valid UTF-8");
	if (arguments->checkout && open_workspace(bench, err))
		return -1;
	if (search_run(&request, &run, err))
		return -1;
	if (arguments->log && bisect_log_write(arguments->log, &run, err))
		return -1;
	json = search_run_json(&run);
	if (arguments->context->json)
		puts(json);
	else
		search_run_print(&run);
	return search_run_exit_code(&run);
}

static int search_with_scenario(const struct arguments *arguments,
				const struct bench *bench, int argc, char **argv,
				struct error *err)
{
	struct bisect_scenario search = {
		.context = arguments->context,
		.tree = arguments->tree,
		.scenario = arguments->scenario,
		.parameters = &arguments->parameters,
		.good = bench->good,
		.bad = bench->bad,
		.improvement = arguments->improvement,
		.min_effect = arguments->min_effect,
		.first_parent = arguments->first_parent,
		.again = arguments->again,
		.max_boots = (unsigned)arguments->max_boots,
		.max_minutes = arguments->max_minutes,
		.marks = bench->marks.count ? &bench->marks : NULL,
		.log = arguments->log,
		.argc = argc,
		.argv = argv,
	};

	return bisect_with_scenario(&search, err);
}

static void finish_arguments(struct arguments *arguments)
{
	text_list_finish(&arguments->parameters);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(finish_arguments) struct arguments arguments = {.context = context};
	CLEANUP(bench_finish) struct bench bench = {.lock = LOCK_NONE};
	int code;

	command_parse(&argp, argc, argv, &arguments);
	if (open_tree(&arguments, &bench, err))
		return -1;
	if (arguments.dry_run)
		return dry_run(&arguments, &bench, err);
	if (!arguments.command == !arguments.scenario)
		return error_set(err, ERROR_USAGE,
				 "measure with either --scenario NAME or --command CMD");
	if (arguments.scenario)
		return search_with_scenario(&arguments, &bench, argc, argv, err);
	if (open_results(&arguments, &bench, argc, argv, err))
		return -1;
	code = search_with_command(&arguments, &bench, err);
	store_end_session(bench.store, bench.session,
			  code < 0 ? command_exit_code(err) : code,
			  code < 0 ? err->text : NULL, &(struct error){0});
	return code;
}

const struct command bisect_command = {
	.name = "bisect",
	.summary = "Find the commit that changed a measured value",
	.run = run,
};
