/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/collect_output.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "exchange/fio.h"
#include "stats/summary.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	const struct scenario *scenario;
	struct metric_values *values;
	struct own_metrics *own;
	const char *job; /* fio: the first job, whose metrics go without its name */
};

void own_metrics_finish(struct own_metrics *metrics)
{
	free(metrics->items);
	*metrics = (struct own_metrics){0};
}

static const struct own_metric *find_own(const struct own_metrics *metrics,
					 const char *name)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (!strcmp(metrics->items[i].name, name))
			return &metrics->items[i];
	return NULL;
}

static int add_own(struct reading *reading, const char *name, const char *unit,
		   const char *better, double value, struct error *err)
{
	const struct scenario_metric *judged =
		scenario_find_metric(reading->scenario, name);
	struct own_metrics *own = reading->own;
	struct own_metric *metric;

	if (own->count == OUTPUT_METRICS_MAX)
		return error_set(err, ERROR_MEASUREMENT, "more than %d metrics",
				 OUTPUT_METRICS_MAX);
	if (find_own(own, name))
		return error_set(err, ERROR_MEASUREMENT, "metric %s came twice", name);
	own->items =
		memory_grow(own->items, own->count, &own->capacity, sizeof(*own->items));
	metric = &own->items[own->count++];
	*metric = (struct own_metric){.unit = unit, .better = better, .value = value};
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	if (!judged)
		return 0;
	metric->unit = judged->unit;
	metric->better = metric_better_name((enum metric_better)judged->better);
	return 0;
}

static int add_metric(struct reading *reading, const char *name, const char *unit,
		      const char *better, double value, struct error *err)
{
	enum metric_id id = metric_find(name);

	if (id == METRIC_COUNT)
		return add_own(reading, name, unit, better, value, err);
	metric_values_set(reading->values, id, value);
	return 0;
}

static int read_plain(struct reading *reading, enum output_parser parser,
		      const struct text *output, struct error *err)
{
	CLEANUP(cleanup_free) struct output *parsed = memory_new(1, sizeof(*parsed));
	struct problem problem;

	if (output_parse(parser, text_string(output), output->size, parsed, &problem))
		return error_set(err, ERROR_MEASUREMENT, "%s", problem.text);
	for (size_t i = 0; i < parsed->count; i++)
		if (add_metric(reading, parsed->metrics[i].name, "", "none",
			       parsed->metrics[i].value, err))
			return -1;
	return 0;
}

/* The name of a job may hold anything, that of a metric may not. */
static char *name_of(const struct reading *reading, const struct fio_figure *figure)
{
	char *name = strcmp(reading->job, figure->job)
			     ? memory_format("%s.%s", figure->job, figure->metric)
			     : memory_copy_string(figure->metric);

	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) || strchr("_./-", *c) ? *c : '-';
	if (strlen(name) >= OUTPUT_NAME_SIZE)
		name[OUTPUT_NAME_SIZE - 1] = '\0';
	return name;
}

static int take_figure(void *context, const struct fio_figure *figure, struct error *err)
{
	struct reading *reading = context;
	CLEANUP(cleanup_free) char *name = NULL;

	if (!reading->job)
		reading->job = figure->job;
	name = name_of(reading, figure);
	return add_own(reading, name, figure->unit, better_name(figure->better),
		       figure->value, err);
}

int collect_output(const struct scenario *scenario, enum output_parser parser,
		   const struct text *output, struct metric_values *values,
		   struct own_metrics *ret_metrics, struct error *err)
{
	struct own_metrics own = {0};
	struct reading reading = {scenario, values, &own, NULL};
	int failed = parser == PARSER_FIO_JSON
			     ? fio_parse(text_string(output), output->size, take_figure,
					 &reading, err)
			     : read_plain(&reading, parser, output, err);

	if (failed) {
		own_metrics_finish(&own);
		return -1;
	}
	*ret_metrics = own;
	return 0;
}

/* The values that some runs have of one metric. */
static size_t values_of(const struct own_metrics *runs, size_t count, const char *name,
			double *values)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		const struct own_metric *metric = find_own(&runs[i], name);

		if (metric)
			values[found++] = metric->value;
	}
	return found;
}

/* Whether an earlier run has it too: each name is written once. */
static int is_known(const struct own_metrics *runs, size_t run, const char *name)
{
	for (size_t i = 0; i < run; i++)
		if (find_own(&runs[i], name))
			return 1;
	return 0;
}

struct writing {
	const char *label;
	struct evidence *evidence;
	void (*write)(const struct writing *writing, const struct own_metric *metric,
		      double *values, size_t count);
};

static void write_each(const struct own_metrics *runs, size_t count,
		       const struct writing *writing)
{
	CLEANUP(cleanup_free) double *values = memory_new(count, sizeof(*values));

	for (size_t run = 0; run < count; run++)
		for (size_t i = 0; i < runs[run].count; i++) {
			const struct own_metric *metric = &runs[run].items[i];

			if (is_known(runs, run, metric->name))
				continue;
			writing->write(writing, metric, values,
				       values_of(runs, count, metric->name, values));
		}
}

static void write_median(const struct writing *writing, const struct own_metric *metric,
			 double *values, size_t count)
{
	evidence_add_sample(writing->evidence, writing->label, metric->name, metric->unit,
			    metric->better, summary_median(values, count));
}

static void write_series(const struct writing *writing, const struct own_metric *metric,
			 double *values, size_t count)
{
	CLEANUP(cleanup_free) char *name = memory_format("runs.%s", metric->name);
	struct evidence_series *series = evidence_add_series(
		writing->evidence, writing->label, name, metric->unit, 0);

	for (size_t i = 0; i < count; i++)
		evidence_series_add(series, values[i]);
}

void own_metrics_write_medians(const struct own_metrics *runs, size_t count,
			       const char *label, struct evidence *evidence)
{
	write_each(runs, count, &(struct writing){label, evidence, write_median});
}

void own_metrics_write_runs(const struct own_metrics *runs, size_t count,
			    const char *label, struct evidence *evidence)
{
	write_each(runs, count, &(struct writing){label, evidence, write_series});
}
