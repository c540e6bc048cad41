/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/collect_case.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "guest/histogram.h"
#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void collected_case_finish(struct collected_case *collected, uint64_t runs)
{
	for (uint64_t i = 0; collected->output && i < runs; i++)
		text_finish(&collected->output[i]);
	for (uint64_t i = 0; collected->own && i < runs; i++)
		own_metrics_finish(&collected->own[i]);
	free(collected->output);
	free(collected->own);
	free(collected->runs);
	evidence_finish(&collected->pieces);
}

static struct collected_run *run_of(struct collected_case *collected, uint64_t run,
				    uint64_t runs)
{
	if (!collected->runs)
		collected->runs = memory_new(runs, sizeof(*collected->runs));
	return &collected->runs[run - 1];
}

static struct evidence_series *series_of(struct collected_case *collected,
					 const char *name, const char *unit, int run)
{
	for (size_t i = 0; i < collected->pieces.series.count; i++) {
		struct evidence_series *series = &collected->pieces.series.items[i];

		if (series->run == run && !strcmp(series->name, name))
			return series;
	}
	return evidence_add_series(&collected->pieces, "", name, unit, run);
}

static int take_series(struct collected_case *collected, const struct result *result,
		       int run)
{
	const struct result_series *piece = &result->series;
	const char *unit = strstr(piece->name, "bytes") ? "bytes" : "ns";
	struct evidence_series *series;

	if (collected->pieces.series.count > 16 * COLLECT_RUNS_MAX)
		return -1;
	series = series_of(collected, piece->name, unit, run);
	series->step = piece->step;
	/* Pieces come in order; one that was lost leaves the rest without a place. */
	if (piece->first != series->count ||
	    series->count + piece->count > COLLECT_POINTS_MAX)
		return -1;
	for (size_t i = 0; i < piece->count; i++)
		if (isfinite(piece->value[i]))
			evidence_series_add(series, piece->value[i]);
	return 0;
}

/* Pairs: the least time of a bucket in ns, and how many operations fell into it. */
static int take_histogram(struct collected_case *collected, const struct result *result,
			  int run)
{
	struct evidence_series *series =
		series_of(collected, "latency_histogram", "ns,hits", run);

	if (series->count > COLLECT_POINTS_MAX)
		return -1;
	for (size_t i = 0; i < result->histogram.count; i++) {
		evidence_series_add(series,
				    (double)histogram_low(result->histogram.bucket[i]));
		evidence_series_add(series, (double)result->histogram.hits[i]);
	}
	return 0;
}

static int take_counters(struct collected_case *collected, const struct result *result,
			 int run)
{
	const struct result_values *counters = &result->values;

	if (collected->pieces.series.count > (size_t)METRIC_COUNT * COLLECT_DISKS_MAX)
		return -1;
	for (int id = 0; id < METRIC_COUNT; id++) {
		CLEANUP(cleanup_free) char *name = NULL;

		if (!metric_values_has(&counters->values, (enum metric_id)id) ||
		    !isfinite(counters->values.value[id]))
			continue;
		name = memory_format("disk.%s.%s", counters->disk, metric_table[id].name);
		evidence_series_add(
			series_of(collected, name, metric_table[id].unit, run),
			counters->values.value[id]);
	}
	return 0;
}

static int take_run(struct collected_case *collected, const struct result *result,
		    struct collected_run *run)
{
	(void)collected;
	if (run->seen)
		return -1;
	run->values = result->values.values;
	run->seen = 1;
	/* Not the guest's to say. */
	metric_values_clear(&run->values, METRIC_DRIFT);
	metric_values_clear(&run->values, METRIC_STALLS);
	return 0;
}

static int take_output(struct collected_case *collected, const struct result *result,
		       uint64_t runs)
{
	const struct result_output *piece = &result->output;
	struct text *output;

	if (!collected->output)
		collected->output = memory_new(runs, sizeof(*collected->output));
	output = &collected->output[result->run - 1];
	if (output->size + piece->length > COLLECT_OUTPUT_MAX)
		return -1;
	text_add_bytes(output, piece->bytes, piece->length);
	return 0;
}

static int take_readback(struct collected_case *collected, const struct result *result)
{
	const struct result_readback *back = &result->readback;
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{"readahead_sectors", back->readahead_sectors},
		{"queue_depth", back->queue_depth},
		{"size", back->size},
		{"logical_block_size", back->logical_block_size},
		{"rotational", back->rotational},
		{"fua", back->fua},
	};

	if (collected->pieces.settings.count > 16 * COLLECT_DISKS_MAX)
		return -1;
	evidence_add_setting(&collected->pieces, "", back->disk, "device", back->device);
	evidence_add_setting(&collected->pieces, "", back->disk, "scheduler",
			     back->scheduler);
	evidence_add_setting(&collected->pieces, "", back->disk, "write_cache",
			     back->write_cache);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char text[24];

		snprintf(text, sizeof(text), "%llu",
			 (unsigned long long)numbers[i].value);
		evidence_add_setting(&collected->pieces, "", back->disk, numbers[i].name,
				     text);
	}
	return 0;
}

/* The database cleans names; two that differ in such bytes alone would become one. */
static int has_bad_name(const struct result *result)
{
	const char *name = result->type == RESULT_SERIES     ? result->series.name
			   : result->type == RESULT_COUNTERS ? result->values.disk
							     : "";

	return !utf8_valid(name, strlen(name));
}

int collected_case_take(struct collected_case *collected, const struct result *result,
			uint64_t runs)
{
	int of_run = result->type == RESULT_SERIES || result->type == RESULT_HISTOGRAM ||
		     result->type == RESULT_COUNTERS || result->type == RESULT_RUN ||
		     result->type == RESULT_OUTPUT;

	if (of_run && (result->run < 1 || result->run > runs))
		return -1;
	if (has_bad_name(result))
		return -1;
	collected->running = result->run <= runs ? result->run : 0;
	switch (result->type) {
	case RESULT_SERIES:
		return take_series(collected, result, (int)result->run);
	case RESULT_HISTOGRAM:
		return take_histogram(collected, result, (int)result->run);
	case RESULT_COUNTERS:
		return take_counters(collected, result, (int)result->run);
	case RESULT_RUN:
		return take_run(collected, result, run_of(collected, result->run, runs));
	case RESULT_OUTPUT:
		return take_output(collected, result, runs);
	case RESULT_READBACK:
		return take_readback(collected, result);
	case RESULT_CASE_END:
		collected->ended = 1;
		return 0;
	default:
		return 0;
	}
}

int collected_case_read(struct collected_case *collected, uint64_t run,
			const struct scenario *scenario, size_t case_index,
			struct error *err)
{
	const struct scenario_case *item = &scenario->cases.items[case_index];
	static const struct text nothing;

	if (!parameter_find(scenario->workload, "parser"))
		return 0;
	if (!collected->own)
		collected->own = memory_new(scenario->runs, sizeof(*collected->own));
	return collect_output(scenario,
			      (enum output_parser)parameters_number(
				      scenario->workload, item->parameters,
				      item->parameter_count, "parser"),
			      collected->output ? &collected->output[run - 1] : &nothing,
			      &collected->runs[run - 1].values, &collected->own[run - 1],
			      err);
}

/* The values of one metric over the runs from..to (from 1), without those missing. */
static size_t values_of(const struct collected_case *collected, enum metric_id id,
			uint64_t from, uint64_t to, double *values)
{
	size_t count = 0;

	for (uint64_t run = from; run <= to; run++) {
		const struct collected_run *item = &collected->runs[run - 1];

		if (item->seen && metric_values_has(&item->values, id) &&
		    isfinite(item->values.value[id]))
			values[count++] = item->values.value[id];
	}
	return count;
}

static void write_phase(const struct collected_case *collected, const char *label,
			uint64_t from, uint64_t to, struct evidence *evidence)
{
	CLEANUP(cleanup_free) double *values = memory_new(to - from + 1, sizeof(*values));

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *metric = &metric_table[id];
		size_t count = values_of(collected, (enum metric_id)id, from, to, values);

		if (count)
			evidence_add_sample(evidence, label, metric->name, metric->unit,
					    metric_better_name(metric->better),
					    summary_median(values, count));
	}
	if (collected->own)
		own_metrics_write_medians(&collected->own[from - 1], to - from + 1, label,
					  evidence);
}

static void write_runs(const struct collected_case *collected, const char *label,
		       uint64_t runs, struct evidence *evidence)
{
	CLEANUP(cleanup_free) double *values = memory_new(runs, sizeof(*values));

	for (int id = 0; id < METRIC_COUNT; id++) {
		CLEANUP(cleanup_free) char *name = NULL;
		size_t count = values_of(collected, (enum metric_id)id, 1, runs, values);
		struct evidence_series *series;

		if (!count)
			continue;
		name = memory_format("runs.%s", metric_table[id].name);
		series = evidence_add_series(evidence, label, name, metric_table[id].unit,
					     0);
		for (size_t i = 0; i < count; i++)
			evidence_series_add(series, values[i]);
	}
	if (collected->own)
		own_metrics_write_runs(collected->own, runs, label, evidence);
}

static void write_pieces(const struct collected_case *collected, const char *label,
			 struct evidence *evidence)
{
	for (size_t i = 0; i < collected->pieces.series.count; i++) {
		const struct evidence_series *from = &collected->pieces.series.items[i];
		struct evidence_series *to = evidence_add_series(
			evidence, label, from->name, from->unit, from->run);

		for (size_t j = 0; j < from->count; j++)
			evidence_series_add(to, from->values[j]);
	}
	for (size_t i = 0; i < collected->pieces.settings.count; i++) {
		const struct evidence_setting *from =
			&collected->pieces.settings.items[i];

		evidence_add_setting(evidence, label, from->disk, from->name,
				     from->value);
	}
}

/* Run 0 stands for the time between runs. */
static void judge_runs(struct collected_case *collected,
		       const struct collected_output *output, struct evidence *evidence)
{
	for (uint64_t run = 0; run <= output->runs; run++) {
		struct collected_run *item =
			collected->runs && run ? &collected->runs[run - 1] : NULL;
		struct run_windows windows = {
			.pieces = &collected->pieces,
			.run = (int)run,
			.drift_floor = output->drift_floor,
			.end = item && item->seen          ? RUN_COMPLETE
			       : run == collected->running ? output->end
							   : RUN_BROKEN,
		};

		collect_judge_run(&windows, output->label, item ? &item->values : NULL,
				  evidence);
	}
}

void collected_case_write(struct collected_case *collected,
			  const struct collected_output *output,
			  struct evidence *evidence)
{
	const char *label = output->label;
	CLEANUP(cleanup_free) char *first = evidence_run_label(label, output->runs, 1);
	CLEANUP(cleanup_free) char *later = evidence_run_label(label, output->runs, 2);

	judge_runs(collected, output, evidence);
	write_pieces(collected, label, evidence);
	if (!collected->runs)
		return;
	write_runs(collected, label, output->runs, evidence);
	write_phase(collected, first, 1, 1, evidence);
	if (output->runs > 1)
		write_phase(collected, later, 2, output->runs, evidence);
}
