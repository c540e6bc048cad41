/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/number.h"
#include "bisect/information.h"
#include "bisect/simulation.h"
#include "cli/command.h"
#include "history/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	KEY_COMMITS = 0x4000,
	KEY_EFFECT,
	KEY_OUTLIERS,
	KEY_TRIALS,
	KEY_SEED,
	KEY_PASS_FAIL,
	KEY_SKIPS,
	KEY_MAX_BOOTS,
	KEY_TREE,
	KEY_GOOD,
	KEY_BAD,
	KEY_BUILD,
	KEY_BOOT,
	KEY_TABLE,
	KEY_CONFIRM,
};

struct arguments {
	struct context *context;
	double commits, effect, outliers, trials, seed, skips, max_boots, build, boot,
		confirm;
	const char *pass_fail, *tree, *good, *bad;
	int table;
};

static const struct argp_option options[] = {
	{"commits", KEY_COMMITS, "N", 0, "A line of N commits (default: 1024)", 1},
	{"tree", KEY_TREE, "DIR", 0, "Commits of a real range instead", 1},
	{"good", KEY_GOOD, "REVISION", 0, "Its good end", 1},
	{"bad", KEY_BAD, "REVISION", 0, "Its bad end", 1},
	{"effect", KEY_EFFECT, "S", 0, "The change, in sigmas of the noise (default: 2)",
	 2},
	{"outliers", KEY_OUTLIERS, "P", 0, "Share of outliers (default: 0)", 2},
	{"pass-fail", KEY_PASS_FAIL, "G/B", 0,
	 "Pass or fail instead of values: failures in percent at good and bad commits",
	 2},
	{"skips", KEY_SKIPS, "P", 0, "Share of untestable commits (default: 0)", 2},
	{"trials", KEY_TRIALS, "T", 0, "Searches to play (default: 1000)", 3},
	{"seed", KEY_SEED, "S", 0, "Of the random numbers (default: 1)", 3},
	{"max-boots", KEY_MAX_BOOTS, "N", 0, "Budget of each search", 4},
	{"confirm", KEY_CONFIRM, "P", 0,
	 "Probability at which a culprit is confirmed (default: 0.998)", 4},
	{"build-seconds", KEY_BUILD, "S", 0, "What a build takes (default: 25)", 4},
	{"boot-seconds", KEY_BOOT, "S", 0, "What a measurement takes (default: 10)", 4},
	{"table", KEY_TABLE, NULL, 0, "Print how far stated probabilities are right", 5},
	{0},
};

static void read_number(const char *text, double least, double most, const char *option,
			double *ret_value, struct argp_state *state)
{
	if (number_parse_double(text, ret_value) ||
	    !(*ret_value >= least && *ret_value <= most))
		argp_error(state, "--%s: a number from %g to %g, not '%s'", option, least,
			   most, text);
}

/* Numbers with their limits, in one table. */
static int keep_number(int key, const char *text, struct arguments *arguments,
		       struct argp_state *state)
{
	const struct {
		int key;
		const char *option;
		double least, most;
		double *number;
	} numbers[] = {
		{KEY_COMMITS, "commits", 1, 1000000, &arguments->commits},
		{KEY_EFFECT, "effect", 0, 1e6, &arguments->effect},
		{KEY_OUTLIERS, "outliers", 0, 1, &arguments->outliers},
		{KEY_SKIPS, "skips", 0, 0.99, &arguments->skips},
		{KEY_TRIALS, "trials", 1, 1e7, &arguments->trials},
		{KEY_SEED, "seed", 0, 9e15, &arguments->seed},
		{KEY_MAX_BOOTS, "max-boots", 1, 1e6, &arguments->max_boots},
		{KEY_CONFIRM, "confirm", 0.5, 0.999999, &arguments->confirm},
		{KEY_BUILD, "build-seconds", 1e-3, 1e6, &arguments->build},
		{KEY_BOOT, "boot-seconds", 1e-3, 1e6, &arguments->boot},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (numbers[i].key != key)
			continue;
		read_number(text, numbers[i].least, numbers[i].most, numbers[i].option,
			    numbers[i].number, state);
		return 1;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	if (keep_number(key, arg, arguments, state))
		return 0;
	switch (key) {
	case KEY_PASS_FAIL:
		arguments->pass_fail = arg;
		return 0;
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case KEY_GOOD:
		arguments->good = arg;
		return 0;
	case KEY_BAD:
		arguments->bad = arg;
		return 0;
	case KEY_TABLE:
		arguments->table = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options, parse, "",
	"Plays searches against made-up measurements: what a search will cost, and how "
	"often it is right."};

static int read_rates(const char *text, struct simulation *simulation, struct error *err)
{
	double good, bad;
	char end;

	if (sscanf(text, "%lf/%lf%c", &good, &bad, &end) != 2 || !(good >= 0) ||
	    !(good <= 100) || !(bad >= 0) || !(bad <= 100))
		return error_set(err, ERROR_USAGE,
				 "--pass-fail: two shares in percent as in 10/90, not "
				 "'%s'",
				 text);
	simulation->pass_fail = 1;
	simulation->good_rate = good / 100;
	simulation->bad_rate = bad / 100;
	simulation->options.model = &model_pass_fail;
	return 0;
}

static int make_graph(const struct arguments *arguments, struct graph *graph,
		      struct error *err)
{
	CLEANUP(cleanup_repository) struct repository *repository = NULL;
	struct commit_id good, bad;

	if (!arguments->tree && (arguments->good || arguments->bad))
		return error_set(err, ERROR_USAGE, "--good and --bad need --tree");
	if (!arguments->tree) {
		graph_make_line((size_t)arguments->commits, graph);
		return 0;
	}
	if (!arguments->good || !arguments->bad)
		return error_set(err, ERROR_USAGE, "--tree needs --good and --bad");
	if (repository_open(arguments->tree, &repository, err) ||
	    repository_resolve(repository, arguments->good, &good, err) ||
	    repository_resolve(repository, arguments->bad, &bad, err))
		return -1;
	return graph_load(repository, &good, &bad, 0, graph, err);
}

static void print_json(const struct simulation_result *result)
{
	printf("{\"trials\": %u, \"correct\": %u, \"confirmed\": %u, "
	       "\"confirmed_wrong\": %u, \"boots_mean\": %.4f, \"boots_p95\": %g, "
	       "\"builds_mean\": %.4f}\n",
	       result->trials, result->correct, result->confirmed,
	       result->confirmed_wrong, result->boots_mean, result->boots_p95,
	       result->builds_mean);
}

static double share(unsigned part, unsigned whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* The least that any search needs to find one of so many, without knowing its levels. */
static double least_boots(const struct simulation *simulation, size_t commits)
{
	double bits = simulation->pass_fail
			      ? information_rates(0.5, simulation->good_rate,
						  simulation->bad_rate, 1)
			      : information_normal(0.5, simulation->effect);

	return bits > 0 ? log2((double)commits) / bits : INFINITY;
}

static void print_table(const struct simulation_result *result)
{
	puts("\nprobability at the end   searches   stated   right");
	for (int i = 0; i < SIMULATION_BINS; i++) {
		const struct simulation_bin *bin = &result->bins[i];
		double next = i + 1 < SIMULATION_BINS ? simulation_bin_starts[i + 1] : 1;

		if (bin->count)
			printf("%8.3f to %-5.3f %15u %7.1f %% %5.1f %%\n",
			       simulation_bin_starts[i], next, bin->count,
			       100 * bin->probability / bin->count,
			       share(bin->right, bin->count));
	}
}

static void print(const struct simulation *simulation, size_t commits,
		  const struct simulation_result *result)
{
	printf("%zu commits, %u searches\n", commits, result->trials);
	printf("right %.1f %%, confirmed %.1f %%, confirmed but wrong %.2f %%\n",
	       share(result->correct, result->trials),
	       share(result->confirmed, result->trials),
	       share(result->confirmed_wrong, result->trials));
	printf("sets %.1f %% (%.1f %% of them hold the culprit), ends found alike %.1f "
	       "%%\n",
	       share(result->sets, result->trials),
	       share(result->set_holds, result->sets),
	       share(result->undecided, result->trials));
	printf("measurements %.1f (95 %% of searches: up to %.0f), commits built %.1f, "
	       "minutes %.1f\n",
	       result->boots_mean, result->boots_p95, result->builds_mean,
	       result->seconds_mean / 60);
	printf("information limit, without ends and confirmation: %.1f measurements\n",
	       least_boots(simulation, commits));
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context,
				      .commits = 1024,
				      .effect = 2,
				      .trials = 1000,
				      .seed = 1,
				      .build = 25,
				      .boot = 10};
	struct simulation simulation = {.options = {.model = &model_robust}};
	CLEANUP(graph_finish) struct graph graph = {0};
	struct simulation_result result;

	command_parse(&argp, argc, argv, &arguments);
	simulation.effect = arguments.effect;
	simulation.outliers = arguments.outliers;
	simulation.skips = arguments.skips;
	simulation.trials = (unsigned)arguments.trials;
	simulation.seed = (uint64_t)arguments.seed;
	simulation.options.confirm = arguments.confirm;
	simulation.options.max_boots = (unsigned)arguments.max_boots;
	simulation.options.build_cost = simulation.build_cost = arguments.build;
	simulation.options.boot_cost = simulation.boot_cost = arguments.boot;
	if (arguments.pass_fail && read_rates(arguments.pass_fail, &simulation, err))
		return -1;
	if (make_graph(&arguments, &graph, err))
		return -1;
	simulation_run(&simulation, &graph, &result);
	if (context->json)
		print_json(&result);
	else
		print(&simulation, graph.count, &result);
	if (arguments.table && !context->json)
		print_table(&result);
	return 0;
}

const struct command simulate_command = {
	.name = "simulate",
	.summary = "What a search will cost and how often it is right",
	.run = run,
};
