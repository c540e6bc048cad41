/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/measurements.h"
#include "cli/stored.h"
#include "cli/terminal.h"
#include "exchange/csv.h"
#include "report/comparison_json.h"
#include "report/history_text.h"
#include "stats/summary.h"
#include "stats/verdict.h"

#include <stdio.h>
#include <string.h>

struct arguments {
	struct context *context;
	const char *from;
	double effect; /* percent; negative: that of the lab */
	const char *series;
	size_t columns; /* of the pictures; 0: none */
};

enum { KEY_FROM = 0x2000, KEY_EFFECT, KEY_PLOT, DEFAULT_COLUMNS = 80 };

static const struct argp_option options[] = {
	{"from", KEY_FROM, "FILE.csv", 0, "Judge the rows of a file (- for stdin)", 0},
	{"min-effect", KEY_EFFECT, "PERCENT", 0,
	 "Smallest change that counts (default: 3, in the virtual lab 0.5)", 0},
	{"plot", KEY_PLOT, NULL, 0, "Draw it, even where the output is no terminal", 0},
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
	case KEY_PLOT:
		if (!arguments->columns)
			arguments->columns = DEFAULT_COLUMNS;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->series)
			argp_error(state, "one series at most");
		arguments->series = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"[SERIES]",
	"Change points, outliers and slow trends over many versions. SERIES is "
	"scenario:case:metric; parts may be left out: 'fsync-loop', '::elapsed'.",
	NULL,
	NULL,
	NULL,
};

struct output {
	struct text text;
	size_t found; /* series */
	int regressed;
};

static void output_finish(struct output *output)
{
	text_finish(&output->text);
}

/* One number for each version, and which environment it comes from. */
struct points {
	double *values;
	size_t *segments;
};

static void points_finish(struct points *points)
{
	free(points->values);
	free(points->segments);
}

static int same_environment(const struct level *a, const struct level *b)
{
	return !strcmp(a->environment ? a->environment : "",
		       b->environment ? b->environment : "");
}

/* The number of an environment is that of the first level that has it. */
static size_t segment_of(const struct series *series, const size_t *segments, size_t i)
{
	if (i && same_environment(&series->levels[i], &series->levels[i - 1]))
		return segments[i - 1];
	for (size_t k = 0; k < i; k++)
		if (same_environment(&series->levels[i], &series->levels[k]))
			return k;
	return i;
}

static struct points points_of(const struct series *series)
{
	struct points points = {
		.values = memory_new(series->count, sizeof(*points.values)),
		.segments = memory_new(series->count, sizeof(*points.segments)),
	};

	for (size_t i = 0; i < series->count; i++) {
		const struct level *level = &series->levels[i];
		CLEANUP(cleanup_free) double *boots = memory_new(level->count, 8);

		memcpy(boots, level->boots, level->count * sizeof(*boots));
		points.values[i] = summary_median(boots, level->count);
		points.segments[i] = segment_of(series, points.segments, i);
	}
	return points;
}

/* What was acknowledged of the series, as the points that show it. */
static void accept(const struct series *series, double minimum, struct history *history)
{
	for (size_t i = 0; series->first_baseline && i < series->count; i++) {
		if (series->levels[i].version < series->first_baseline)
			continue;
		history_accept(history, i, series->name.better, minimum);
		return;
	}
}

static void judge(const struct arguments *arguments,
		  const struct measurements *measurements, const struct series *series,
		  double minimum, struct output *output)
{
	CLEANUP(points_finish) struct points points = points_of(series);
	CLEANUP(history_finish) struct history history = {0};

	history_find(points.values, points.segments, series->count, series->name.better,
		     minimum, &history);
	accept(series, minimum, &history);
	output->regressed |= history.regressed;
	if (arguments->context->json) {
		json_put_comma(&output->text);
		history_json(measurements, series, &history, &output->text);
		return;
	}
	history_text(measurements, series, &history, &output->text);
	if (arguments->columns)
		history_chart(series, points.values, &history, arguments->columns,
			      &output->text);
}

/* Part number i of "scenario:case:metric"; cases may hold colons, so the ends count. */
static int part_matches(const char *part, size_t length, const char *name)
{
	return !length || (strlen(name) == length && !strncmp(part, name, length));
}

static int matches(const char *wanted, const struct series_name *name)
{
	const char *first, *last;

	if (!wanted)
		return 1;
	first = strchr(wanted, ':');
	last = strrchr(wanted, ':');
	if (!first)
		return part_matches(wanted, strlen(wanted), name->scenario);
	if (!part_matches(wanted, (size_t)(first - wanted), name->scenario))
		return 0;
	if (first == last)
		return part_matches(first + 1, strlen(first + 1), name->case_label);
	return part_matches(first + 1, (size_t)(last - first - 1), name->case_label) &&
	       part_matches(last + 1, strlen(last + 1), name->metric);
}

/* Appends what matches and counts it. */
static void judge_matching(const struct arguments *arguments,
			   const struct dataset *dataset, double minimum,
			   struct output *output)
{
	const struct measurements *all = &dataset->measurements;

	if (arguments->effect >= 0)
		minimum = arguments->effect / 100;
	for (size_t i = 0; i < all->count; i++) {
		if (!matches(arguments->series, &all->series[i].name) ||
		    all->series[i].name.better == BETTER_NONE)
			continue;
		output->found++;
		judge(arguments, all, &all->series[i],
		      series_minimum_effect(&all->series[i], minimum), output);
	}
}

static int judge_file(const struct arguments *arguments, struct output *output,
		      struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};

	if (csv_read(arguments->from, &dataset, err))
		return -1;
	judge_matching(arguments, &dataset, policy_statistical.minimum_effect, output);
	return 0;
}

static int judge_stored(const struct arguments *arguments, struct output *output,
			struct error *err)
{
	/* Who names a series wants it, judged or not. */
	struct stored_options wanted = {.all_metrics = arguments->series != NULL,
					.min_effect = arguments->effect};
	CLEANUP(stored_finish) struct stored stored = {0};

	if (stored_load(arguments->context, &wanted, &stored, err))
		return -1;
	for (size_t i = 0; i < stored.lab_count; i++)
		judge_matching(arguments, &stored.labs[i].data,
			       stored.labs[i].policy.minimum_effect, output);
	return 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(output_finish) struct output output = {0};
	struct arguments arguments = {
		.context = context, .effect = -1, .columns = terminal_columns()};

	command_parse(&argp, argc, argv, &arguments);
	if (context->json)
		text_add(&output.text, "{\"series\":[");
	if (arguments.from ? judge_file(&arguments, &output, err)
			   : judge_stored(&arguments, &output, err))
		return -1;
	if (!output.found && arguments.series)
		return error_set(err, ERROR_USAGE, "no series matches '%s'",
				 arguments.series);
	if (context->json)
		text_add(&output.text, "]}\n");
	if (fputs(text_string(&output.text), stdout) < 0)
		return error_system(err, "writing the history");
	return output.regressed;
}

const struct command history_command = {
	"history",
	"Change points of a metric over many versions",
	run,
};
