/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "build/version.h"
#include "cli/bisect_log.h"
#include "cli/bisect_options.h"
#include "cli/bisect_scenario.h"
#include "cli/command.h"
#include "cli/results.h"
#include "cli/search_run.h"
#include "cli/setup.h"
#include "history/checkout.h"
#include "lab/command.h"
#include "measure/fixups.h"
#include "measure/turn.h"
#include "scenario/config.h"
#include "store/sessions.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* A command that hangs must not hang the search; a build and a benchmark fit in. */
static const double LONGEST_RUN = 7200;

/* What a command searches with. */
struct bench {
	struct config config;
	struct repository *repository;
	struct store *store;
	struct workspace *workspace;
	struct lock lock;
	struct turn turn;
	char *results, *command;
	struct commit_id good, bad;
	char *edits; /* of both ends, "" for none */
	struct search_marks marks;
	int64_t session;
};

static void bench_finish(struct bench *bench)
{
	search_marks_finish(&bench->marks);
	workspace_close(bench->workspace);
	lock_release(&bench->lock);
	turn_end(&bench->turn);
	store_close(bench->store);
	repository_close(bench->repository);
	config_finish(&bench->config);
	free(bench->results);
	free(bench->command);
	free(bench->edits);
}

static int resolve_end(struct bench *bench, const char *option, const char *text,
		       struct commit_id *ret_id, struct error *err)
{
	CLEANUP(cleanup_free)
	char *revision =
		memory_copy_bytes(text, (size_t)(version_find_edits(text) - text));

	return repository_resolve(bench->repository, revision, ret_id, err)
		       ? error_prefix(err, "%s", option)
		       : 0;
}

/* They go with every commit that is tested, so they must be those of both ends. */
static int check_edits(const struct bisect_arguments *arguments, struct bench *bench,
		       struct error *err)
{
	const char *good = version_find_edits(arguments->good ? arguments->good : "");
	const char *bad = version_find_edits(arguments->bad ? arguments->bad : "");

	if (strcmp(good, bad))
		return error_set(
			err, ERROR_USAGE,
			"both ends of a search need the same edits, for they are "
			"made to every commit between them; what one edit does "
			"tells \"run REV REV+...\"");
	if (*good && !arguments->scenario)
		return error_set(err, ERROR_USAGE,
				 "edits need --scenario: a command gets commits as they "
				 "are");
	bench->edits = memory_copy_string(good);
	return 0;
}

static int open_tree(struct bisect_arguments *arguments, struct bench *bench,
		     struct error *err)
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
	if (resolve_end(bench, "--good", arguments->good ? arguments->good : log.good,
			&bench->good, err) ||
	    resolve_end(bench, "--bad", arguments->bad ? arguments->bad : log.bad,
			&bench->bad, err) ||
	    check_edits(arguments, bench, err))
		return -1;
	return bisect_log_marks(&log, bench->repository, &bench->marks, err);
}

static uint32_t find_split(const struct bench *bench, const struct graph *graph,
			   const double *weights)
{
	const struct search_marks *marks = &bench->marks;
	CLEANUP(cleanup_free) unsigned char *skipped = memory_new(graph->total, 1);

	for (size_t i = 0; i < marks->count; i++) {
		uint32_t node = graph_find(graph, marks->items[i].commit.hex);

		if (marks->items[i].mark == SEARCH_MARK_SKIP && node != UINT32_MAX)
			skipped[node] = 1;
	}
	return search_first_split(graph, weights, skipped);
}

/* As the search itself would. */
static void weigh_paths(const struct bench *bench, const struct graph *graph,
			double *weights)
{
	CLEANUP(path_hints_finish) struct path_hints hints = {0};

	path_hints_init(&hints, bench->repository, graph);
	for (uint32_t i = 0; i < graph->count; i++)
		if (weights[i] > 0)
			weights[i] *= path_hints_ask(&hints, i);
	path_hints_tell(&hints);
}

static int dry_run(const struct bisect_arguments *arguments, const struct bench *bench,
		   struct error *err)
{
	CLEANUP(graph_finish) struct graph graph = {0};
	CLEANUP(cleanup_free) double *weights = NULL;
	size_t candidates = 0;
	uint32_t next;

	if (graph_load(bench->repository, &bench->good, &bench->bad,
		       arguments->first_parent, &graph, err))
		return -1;
	weights = memory_new(graph.count, sizeof(*weights));
	if (search_marks_weigh(&bench->marks, bench->repository, &graph, weights, err))
		return -1;
	for (size_t i = 0; i < graph.count; i++)
		candidates += weights[i] > 0;
	if (!arguments->no_priors && graph.count <= SEARCH_MOST_HINTS)
		weigh_paths(bench, &graph, weights);
	next = find_split(bench, &graph, weights);
	if (arguments->context->json)
		printf("{\"next\": \"%s\", \"candidates\": %zu}\n", graph.ids[next].hex,
		       candidates);
	else
		printf("%s would be tested first, of %zu commits\n", graph.ids[next].hex,
		       candidates);
	return 0;
}

static int open_results(const struct bisect_arguments *arguments, struct bench *bench,
			int argc, char **argv, struct error *err)
{
	struct session_record session = {.lab = "", .program = KREGRESS_VERSION};
	CLEANUP(cleanup_free) char *path = NULL;

	bench->command = setup_command_line(argc, argv);
	session.command = bench->command;
	bench->results = results_choose(arguments->context, &bench->config);
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
	    fixups_apply(&bench->config, bench->repository, bench->workspace, &id, &tree,
			 err) ||
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
static char *describe(const struct bisect_arguments *arguments,
		      const struct config *config)
{
	json_t *object = json_pack(
		"{s:s,s:s?,s:b,s:b,s:b,s:b,s:b,s:f}", "command", arguments->command,
		"metric", arguments->metric, "checkout", arguments->checkout, "pass_fail",
		arguments->pass_fail, "higher_is_better", arguments->higher_is_better,
		"lower_is_better", arguments->lower_is_better, "improvement",
		arguments->improvement, "min_effect", arguments->min_effect);
	CLEANUP(text_finish) struct text fixups = {0};
	char *text;

	if (arguments->checkout)
		fixups_describe(config, &fixups);
	if (object && fixups.size)
		json_object_set_new(object, "fixups", json_string(text_string(&fixups)));
	text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

static enum search_direction direction_of(const struct bisect_arguments *arguments)
{
	int up = arguments->lower_is_better;

	if (!arguments->lower_is_better && !arguments->higher_is_better) {
		if (!arguments->pass_fail || !arguments->improvement)
			return SEARCH_ANY;
		up = 1; /* of failures fewer are better */
	}
	return up != arguments->improvement ? SEARCH_UP : SEARCH_DOWN;
}

/* Of one run of the command. */
static double longest_run(const struct bisect_arguments *arguments)
{
	double limit = arguments->timeout > 0 ? arguments->timeout : LONGEST_RUN;
	double budget = arguments->max_minutes * 60;

	return budget > 0 && budget < limit ? budget : limit;
}

static const struct model_ops *model_of(const struct bisect_arguments *arguments)
{
	if (arguments->pass_fail)
		return &model_pass_fail;
	return arguments->exact ? &model_exact : &model_robust;
}

static int search_with_command(struct bisect_arguments *arguments, struct bench *bench,
			       struct error *err)
{
	CLEANUP(cleanup_free) char *identity = describe(arguments, &bench->config);
	CLEANUP(search_run_finish) struct search_run run = {0};
	struct host_command command = {
		.command = arguments->command,
		.metric = arguments->metric,
		.pass_fail = arguments->pass_fail,
		.max_seconds = longest_run(arguments),
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
		.hints = !arguments->no_priors,
		.marks = bench->marks.count ? &bench->marks : NULL,
		.measurer = {&command_measurer, &command},
		.options = {.model = model_of(arguments),
			    .direction = direction_of(arguments),
			    .min_effect = arguments->min_effect / 100,
			    .max_boots = (unsigned)arguments->max_boots,
			    .max_seconds = arguments->max_minutes * 60},
	};
	CLEANUP(cleanup_free) char *json = NULL;

	if (!identity)
		return error_set(err, ERROR_USAGE, "the command is not valid UTF-8");
	/* Not known what it measures, or where: beside others of its kind. */
	if (turn_take(&bench->turn, LOCK_BESIDE, bench->command,
		      (double)bench->config.wait_minutes * 60, err))
		return -1;
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

static int search_with_scenario(const struct bisect_arguments *arguments,
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
		.edits = bench->edits,
		.improvement = arguments->improvement,
		.min_effect = arguments->min_effect,
		.first_parent = arguments->first_parent,
		.again = arguments->again,
		.hints = !arguments->no_priors,
		.no_explain = arguments->no_explain,
		.max_boots = (unsigned)arguments->max_boots,
		.max_minutes = arguments->max_minutes,
		.marks = bench->marks.count ? &bench->marks : NULL,
		.log = arguments->log,
		.argc = argc,
		.argv = argv,
	};

	return bisect_with_scenario(&search, err);
}

static void end_session(const struct bench *bench, int code, const struct error *cause)
{
	int failed = code < 0;
	struct error err = {0};

	if (store_end_session(bench->store, bench->session,
			      failed ? command_exit_code(cause) : code,
			      failed ? cause->text : NULL, &err))
		log_warning("the end of this session is not stored: %s", err.text);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(bisect_arguments_finish)
	struct bisect_arguments arguments = {.context = context};
	CLEANUP(bench_finish) struct bench bench = {.lock = LOCK_NONE};
	int code;

	if (bisect_parse(argc, argv, &arguments, err) ||
	    open_tree(&arguments, &bench, err))
		return -1;
	if (arguments.dry_run)
		return dry_run(&arguments, &bench, err);
	if (arguments.scenario)
		return search_with_scenario(&arguments, &bench, argc, argv, err);
	if (open_results(&arguments, &bench, argc, argv, err))
		return -1;
	code = search_with_command(&arguments, &bench, err);
	end_session(&bench, code, err);
	return code;
}

const struct command bisect_command = {
	.name = "bisect",
	.summary = "Find the commit that changed a measured value",
	.run = run,
};
