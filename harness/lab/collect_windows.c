/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/collect_windows.h"

#include "base/cleanup.h"
#include "lab/sentence.h"
#include "stats/windows.h"

#include <math.h>
#include <string.h>

#define SECOND 1000000000

/* A run with its judgement, on the way to sentences. */
struct judged {
	const struct run_windows *windows;
	const char *label;
	const struct evidence_series *series; /* NULL: none */
	int throughput;
	struct windows_judgement judgement;
	struct evidence *evidence;
};

static const struct evidence_series *find_series(const struct evidence *pieces,
						 const char *name, int run)
{
	for (size_t i = 0; i < pieces->series.count; i++)
		if (pieces->series.items[i].run == run &&
		    !strcmp(pieces->series.items[i].name, name))
			return &pieces->series.items[i];
	return NULL;
}

static void choose_series(struct judged *judged)
{
	const struct run_windows *windows = judged->windows;

	judged->series = find_series(windows->pieces, "window_mean", windows->run);
	if (judged->series)
		return;
	judged->series = find_series(windows->pieces, "bytes_per_second", windows->run);
	/* A short run has shorter periods, in which any disk looks uneven. */
	if (judged->series && judged->series->step < SECOND)
		judged->series = NULL;
	judged->throughput = judged->series != NULL;
}

static void add_remark(const struct judged *judged, const char *word, double start,
		       double length, double size, const struct text *text)
{
	struct evidence_remark *remark =
		evidence_add_remark(judged->evidence, judged->label, judged->windows->run,
				    word, text_string(text));

	remark->start = start;
	remark->length = length;
	remark->size = size;
}

static const char *noun_of(const struct judged *judged)
{
	return judged->throughput ? "second" : "window";
}

static void say_warm_up(const struct judged *judged)
{
	const struct windows_judgement *j = &judged->judgement;
	CLEANUP(text_finish) struct text text = {0};

	if (!j->warm_up)
		return;
	text_add(&text, "warms up: ");
	sentence_add_count(&text, (double)j->warm_up, noun_of(judged));
	text_format(&text, " slower than the rest, the first %.3g times",
		    j->warm_up_factor);
	add_remark(judged, "warm-up", 0, (double)j->warm_up, j->warm_up_factor, &text);
}

static void say_drift(const struct judged *judged)
{
	const struct windows_judgement *j = &judged->judgement;
	double step = (double)judged->series->step, slope = j->slope / step;
	CLEANUP(text_finish) struct text text = {0};

	if (!j->drifts)
		return;
	text_add(&text, "drifts: each operation takes ");
	sentence_add_time(&text, fabs(slope));
	text_format(&text, " %s than the one before (95 %% %.4g to %.4g ns), ",
		    slope > 0 ? "longer" : "less", j->slope_ci[0] / step,
		    j->slope_ci[1] / step);
	sentence_add_time(&text, j->drift_total);
	if (isfinite(j->drift_percent))
		text_format(&text, " or %+.0f %%", j->drift_percent);
	text_format(&text, " over the run of %zu windows", judged->series->count);
	add_remark(judged, "drift", (double)j->warm_up,
		   (double)(judged->series->count - j->warm_up), slope, &text);
}

static void say_stall(const struct judged *judged, const struct stall *stall)
{
	CLEANUP(text_finish) struct text text = {0};

	text_format(&text, "stalls from %s %zu of %zu on for ", noun_of(judged),
		    stall->start + 1, judged->series->count);
	sentence_add_count(&text, (double)stall->length, noun_of(judged));
	if (isfinite(stall->factor))
		text_format(&text, ", up to %.3g times slower than the median",
			    stall->factor);
	else
		text_add(&text, ", in which nothing moved");
	text_add(&text, stall->recovered ? ", and recovers" : ", and does not recover");
	add_remark(judged, "stall", (double)stall->start, (double)stall->length,
		   isfinite(stall->factor) ? stall->factor : NAN, &text);
}

static int is_believed(const struct judged *judged, const struct stall *stall)
{
	return !judged->throughput || stall->recovered ||
	       judged->windows->end != RUN_COMPLETE;
}

static size_t say_stalls(const struct judged *judged)
{
	const struct windows_judgement *j = &judged->judgement;
	size_t count = 0;

	for (size_t i = 0; i < j->stall_count; i++) {
		if (!is_believed(judged, &j->stalls[i]))
			continue;
		say_stall(judged, &j->stalls[i]);
		count++;
	}
	return count;
}

/* How a run ended that did not end by itself. */
static void say_cut(const struct judged *judged)
{
	size_t windows = judged->series ? judged->series->count : 0;
	int hangs = judged->windows->end == RUN_SILENT;
	CLEANUP(text_finish) struct text text = {0};

	text_add(&text, hangs ? "hangs: nothing came any more"
			      : "is not finished: cut by the time limit");
	if (windows) {
		text_add(&text, " after ");
		sentence_add_count(&text, (double)windows, noun_of(judged));
	}
	if (windows && !judged->throughput)
		text_format(&text, " (operation %.0f)",
			    (double)windows * (double)judged->series->step);
	add_remark(judged, hangs ? "hang" : "timed-out", (double)windows, NAN, NAN,
		   &text);
}

static void judge(struct judged *judged)
{
	const struct windows_input input = {
		.values = judged->series->values,
		.count = judged->series->count,
		.throughput = judged->throughput,
		.operations = judged->throughput ? 0 : judged->series->step,
		.floor = judged->windows->drift_floor,
		.complete = judged->windows->end == RUN_COMPLETE,
	};

	judged->judgement = windows_judge(&input);
	if (judged->throughput)
		judged->judgement.drifts = 0;
}

static double drift_of(const struct judged *judged)
{
	return judged->judgement.drifts
		       ? judged->judgement.slope / (double)judged->series->step
		       : 0;
}

void collect_judge_run(const struct run_windows *windows, const char *label,
		       struct metric_values *values, struct evidence *evidence)
{
	struct judged judged = {.windows = windows, .label = label, .evidence = evidence};
	size_t stalls;

	choose_series(&judged);
	if (judged.series && judged.series->count) {
		judge(&judged);
		say_warm_up(&judged);
		say_drift(&judged);
		stalls = say_stalls(&judged);
		if (values && !judged.throughput)
			metric_values_set(values, METRIC_DRIFT, drift_of(&judged));
		if (values)
			metric_values_set(values, METRIC_STALLS, (double)stalls);
	}
	if (windows->end == RUN_SILENT || windows->end == RUN_TIMED_OUT)
		say_cut(&judged);
}
