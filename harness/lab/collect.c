/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/collect.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "guest/frame.h"
#include "guest/histogram.h"
#include "guest/result.h"
#include "lab/collect_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct collector {
	const struct scenario *scenario;
	struct frame_decoder decoder;
	struct collector_state state;
	struct result_hello hello;
	struct collected_case *cases; /* one for each case of the scenario */
	uint64_t runs;                /* whose numbers are there */
	struct text symbols;
	char *failure;
	struct text left_out; /* of the case below */
	size_t left_out_case; /* the first one, then the last one counted */
};

enum { LEFT_OUT_LIMIT = 800 };

struct collector *collector_create(const struct scenario *scenario)
{
	struct collector *collector = memory_new(1, sizeof(*collector));

	collector->scenario = scenario;
	collector->cases = memory_new(scenario->cases.count, sizeof(*collector->cases));
	return collector;
}

void collector_destroy(struct collector *collector)
{
	if (!collector)
		return;
	for (size_t i = 0; i < collector->scenario->cases.count; i++)
		collected_case_finish(&collector->cases[i], collector->scenario->runs);
	free(collector->cases);
	text_finish(&collector->symbols);
	free(collector->failure);
	text_finish(&collector->left_out);
	free(collector);
}

static const char *shown_label(const struct collector *collector, uint64_t case_index)
{
	const char *label = collector->scenario->cases.items[case_index].label;

	return *label ? label : "(only one)";
}

/* Of the first case all, of others their number: they mostly say the same. */
static void take_left_out(struct collector *collector, const struct result *result)
{
	struct text *text = &collector->left_out;
	size_t *cases = &collector->state.left_out_cases;

	if (!*cases || collector->left_out_case != result->case_index)
		++*cases;
	collector->left_out_case = result->case_index;
	if (*cases > 1 || text->size > LEFT_OUT_LIMIT)
		return;
	if (text->size)
		text_add(text, "; ");
	else
		text_format(text, "left out of case %s: ",
			    shown_label(collector, result->case_index));
	text_format(text, "disk %.64s (%.160s)", result->failure.disk,
		    result->failure.text);
}

/* The first failure is the one that counts. */
static void fail(struct collector *collector, const struct result *result,
		 const char *what)
{
	const char *label = shown_label(collector, result->case_index);

	collector->state.failed_cases++;
	if (!collector->failure)
		collector->failure =
			result->run ? memory_format("case %s, run %llu: %s", label,
						    (unsigned long long)result->run, what)
				    : memory_format("case %s: %s", label, what);
}

static void take_failure(struct collector *collector, const struct result *result)
{
	const struct result_failure *failure = &result->failure;
	CLEANUP(cleanup_free)
	char *what = *failure->call
			     ? memory_format("%s%s%s at offset %llu: %s", failure->call,
					     *failure->disk ? " on " : "", failure->disk,
					     (unsigned long long)failure->offset,
					     failure->text)
			     : memory_format("%s%s%s", failure->disk,
					     *failure->disk ? ": " : "", failure->text);

	fail(collector, result, what);
}

static void take_run(struct collector *collector, const struct result *result,
		     struct collected_case *collected)
{
	struct error err;

	collector->runs++;
	if (!collected_case_read(collected, result->run, collector->scenario,
				 result->case_index, &err))
		return;
	error_prefix(&err, "output of the command");
	fail(collector, result, err.text);
}

/* Windows come more often than progress. */
static void note_operations(struct collector_state *state, const struct result *result)
{
	const struct result_series *series = &result->series;

	if (result->type == RESULT_PROGRESS)
		state->operations = result->progress.operations;
	if (result->type == RESULT_SERIES && !strcmp(series->name, "window_mean"))
		state->operations = (series->first + series->count) * series->step;
}

static void take_case_record(struct collector *collector, const struct result *result)
{
	struct collected_case *collected;

	if (result->case_index >= collector->scenario->cases.count) {
		collector->state.refused++;
		return;
	}
	collector->state.case_index = result->case_index;
	note_operations(&collector->state, result);
	if (result->type == RESULT_FAILURE) {
		take_failure(collector, result);
		return;
	}
	if (result->type == RESULT_LEFT_OUT) {
		take_left_out(collector, result);
		return;
	}
	collected = &collector->cases[result->case_index];
	if (collected_case_take(collected, result, collector->scenario->runs))
		collector->state.refused++;
	else if (result->type == RESULT_RUN)
		take_run(collector, result, collected);
}

static void take(struct collector *collector, const struct result *result)
{
	collector->state.records++;
	if (result->type == RESULT_DONE) {
		collector->state.done = 1;
	} else if (result->type == RESULT_SYMBOLS) {
		text_add_bytes(&collector->symbols, result->output.bytes,
			       result->output.length);
	} else if (result->type != RESULT_HELLO) {
		take_case_record(collector, result);
	} else if (!collector->state.hello) {
		collector->hello = result->hello;
		collector->state.hello = 1;
	}
}

static void take_frames(struct collector *collector)
{
	struct result *result = memory_new(1, sizeof(*result));
	struct problem problem;
	struct frame frame;

	while (frame_decoder_next(&collector->decoder, &frame))
		if (result_decode(&frame, result, &problem))
			collector->state.refused++;
		else
			take(collector, result);
	free(result);
}

void collector_feed(struct collector *collector, const void *bytes, size_t length)
{
	const char *next = bytes;

	while (length > 0) {
		size_t taken = frame_decoder_feed(&collector->decoder, next, length);

		next += taken;
		length -= taken;
		take_frames(collector);
	}
}

struct collector_state collector_state(const struct collector *collector)
{
	struct collector_state state = collector->state;

	state.guest_says = collector->failure;
	state.left_out = collector->left_out.size ? collector->left_out.data : NULL;
	state.runs_missing =
		collector->scenario->cases.count * collector->scenario->runs -
		collector->runs;
	return state;
}

static double drift_floor(const struct scenario *scenario)
{
	const struct metric *drift = &metric_table[METRIC_DRIFT];
	const struct scenario_metric *judged =
		scenario_find_metric(scenario, drift->name);

	return judged ? judged->min_change : drift->min_change;
}

void collector_end(struct collector *collector, enum run_end end,
		   struct evidence *evidence)
{
	const struct scenario *scenario = collector->scenario;
	const struct result_hello *hello = &collector->hello;

	frame_decoder_end(&collector->decoder);
	take_frames(collector);
	if (collector->state.hello) {
		evidence->release = memory_copy_string(hello->release);
		evidence->banner = memory_copy_string(hello->version);
		evidence->build_id = memory_copy_string(hello->build_id);
		evidence->command_line = memory_copy_string(hello->command_line);
	}
	evidence->symbols = collector->symbols;
	collector->symbols = (struct text){0};
	for (size_t i = 0; i < scenario->cases.count; i++) {
		struct collected_case *collected = &collector->cases[i];
		struct collected_output output = {
			.label = scenario->cases.items[i].label,
			.runs = scenario->runs,
			.end = i == collector->state.case_index && !collected->ended
				       ? end
				       : RUN_BROKEN,
			.drift_floor = drift_floor(scenario),
		};

		collected_case_write(collected, &output, evidence);
	}
}
