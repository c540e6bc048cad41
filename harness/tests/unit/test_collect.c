/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/collect.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "guest/frame.h"
#include "guest/result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char label_a[] = "size=1", label_b[] = "size=2";
static struct scenario_case cases[] = {{.label = label_a}, {.label = label_b}};
static const struct scenario scenario = {
	.workload = &workload_kinds[0],
	.runs = 3,
	.cases = {cases, 2},
};

static void cleanup_collector(struct collector **collector)
{
	collector_destroy(*collector);
}

static uint16_t sequence;

static void send(struct collector *collector, const struct result *result)
{
	CLEANUP(cleanup_free) char *out = memory_new(FRAME_SIZE_MAX, 1);
	CLEANUP(cleanup_free) char *payload = memory_new(FRAME_PAYLOAD_MAX, 1);
	size_t length = result_encode(result, payload);

	assert_true(length > 0);
	length = frame_encode(out, (uint16_t)result->type, sequence++, payload, length);
	collector_feed(collector, out, length);
}

static void send_run(struct collector *collector, uint64_t index, uint64_t run,
		     double elapsed)
{
	struct result *result = memory_new(1, sizeof(*result));

	result->type = RESULT_RUN;
	result->case_index = index;
	result->run = run;
	metric_values_set(&result->values.values, METRIC_ELAPSED, elapsed);
	send(collector, result);
	free(result);
}

static double metric_of(const struct evidence *evidence, const char *label,
			const char *metric)
{
	for (size_t i = 0; i < evidence->samples.count; i++)
		if (!strcmp(evidence->samples.items[i].case_label, label) &&
		    !strcmp(evidence->samples.items[i].metric, metric))
			return evidence->samples.items[i].value;
	return NAN;
}

static double sample_of(const struct evidence *evidence, const char *label)
{
	return metric_of(evidence, label, "elapsed");
}

static void first_and_later_runs_are_kept_apart(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};

	(void)state;
	send_run(collector, 0, 1, 27);
	send_run(collector, 0, 2, 5);
	send_run(collector, 0, 3, 7);
	send_run(collector, 1, 1, 9);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_true(sample_of(&evidence, "size=1,run=first") == 27);
	assert_true(sample_of(&evidence, "size=1,run=later") == 6);
	assert_true(sample_of(&evidence, "size=2,run=first") == 9);
	assert_true(isnan(sample_of(&evidence, "size=2,run=later")));
}

static void send_left_out(struct collector *collector, uint64_t index, const char *disk)
{
	struct result *result = memory_new(1, sizeof(*result));

	result->type = RESULT_LEFT_OUT;
	result->case_index = index;
	snprintf(result->failure.disk, sizeof(result->failure.disk), "%s", disk);
	strcpy(result->failure.text, "its sectors are too large");
	send(collector, result);
	free(result);
}

static void disks_that_are_left_out_are_named(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);

	(void)state;
	assert_null(collector_state(collector).left_out);
	send_left_out(collector, 0, "D3");
	send_left_out(collector, 0, "D7");
	send_left_out(collector, 1, "D3");
	send_left_out(collector, 1, "D7");
	send_left_out(collector, 9, "D9"); /* no such case */
	assert_string_equal(collector_state(collector).left_out,
			    "left out of case size=1: disk D3 (its sectors are too "
			    "large); disk D7 (its sectors are too large)");
	assert_int_equal(collector_state(collector).left_out_cases, 2);
	assert_int_equal(collector_state(collector).failed_cases, 0);
	/* A guest that never stops telling does not fill our memory. */
	for (int i = 0; i < 1000; i++)
		send_left_out(collector, 0, "D3");
	assert_true(strlen(collector_state(collector).left_out) < 2000);
}

static void pieces_of_the_symbols_are_joined(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	CLEANUP(cleanup_free) struct result *result = memory_new(1, sizeof(*result));

	(void)state;
	result->type = RESULT_SYMBOLS;
	strcpy(result->output.bytes, "ffff");
	result->output.length = 4;
	send(collector, result);
	send(collector, result);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_string_equal(text_string(&evidence.symbols), "ffffffff");
}

static void records_that_make_no_sense_are_refused(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};

	(void)state;
	send_run(collector, 2, 1, 1); /* no such case */
	send_run(collector, 0, 4, 1); /* no such run */
	send_run(collector, 0, 0, 1);
	send_run(collector, 0, 1, 10);
	send_run(collector, 0, 1, 99); /* the same again */
	assert_int_equal(collector_state(collector).refused, 4);
	assert_int_equal(collector_state(collector).runs_missing, 5);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_true(sample_of(&evidence, "size=1,run=first") == 10);
	assert_int_equal(evidence.samples.count, 1);
}

static void windows_of_a_cut_run_are_kept(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	struct result *result = memory_new(1, sizeof(*result));

	(void)state;
	result->type = RESULT_SERIES;
	result->run = 1;
	strcpy(result->series.name, "window_mean");
	result->series.count = 2;
	result->series.value[0] = 1;
	result->series.value[1] = 2;
	send(collector, result);
	send(collector, result); /* at a place that is taken */
	result->series.first = 2;
	send(collector, result);
	free(result);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_int_equal(evidence.series.count, 1);
	assert_int_equal(evidence.series.items[0].count, 4);
	assert_int_equal(collector_state(collector).refused, 1);
}

/* Windows of 10 operations each, the first of them at 1000 ns, each `rise` ns more. */
static void send_windows(struct collector *collector, uint64_t run, size_t count,
			 double rise)
{
	struct result *result = memory_new(1, sizeof(*result));

	result->type = RESULT_SERIES;
	result->run = run;
	strcpy(result->series.name, "window_mean");
	result->series.step = 10;
	result->series.count = count;
	for (size_t i = 0; i < count; i++)
		result->series.value[i] = 1000 + rise * (double)i;
	send(collector, result);
	free(result);
}

/* 2000 ns a window of 10 are 200 ns an operation; 50 ns are below the floor of 10. */
static void drifts_become_a_metric_and_a_remark(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	const struct evidence_remark *remark;

	(void)state;
	send_windows(collector, 1, 50, 0);
	send_run(collector, 0, 1, 1);
	send_windows(collector, 2, 50, 2000);
	send_run(collector, 0, 2, 1);
	send_windows(collector, 3, 50, 50);
	send_run(collector, 0, 3, 1);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_true(metric_of(&evidence, "size=1,run=first", "drift") == 0);
	assert_true(fabs(metric_of(&evidence, "size=1,run=later", "drift") - 100) < 1);
	assert_true(metric_of(&evidence, "size=1,run=later", "stalls") == 0);
	assert_int_equal(evidence.remarks.count, 1);
	remark = &evidence.remarks.items[0];
	assert_string_equal(remark->word, "drift");
	assert_string_equal(remark->case_label, "size=1");
	assert_int_equal(remark->run, 2);
	assert_true(fabs(remark->size - 200) < 1);
	assert_non_null(strstr(remark->text, "200 ns longer than the one before"));
}

static void a_silent_run_hangs_where_it_was(void **state)
{
	static const struct {
		enum run_end end;
		const char *word, *text;
	} ends[] = {
		{RUN_SILENT, "hang",
		 "nothing came any more after 43 windows (operation "
		 "430)"},
		{RUN_TIMED_OUT, "timed-out", "cut by the time limit after 43 windows"},
		{RUN_BROKEN, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(cleanup_collector)
		struct collector *collector = collector_create(&scenario);
		CLEANUP(evidence_finish) struct evidence evidence = {0};

		send_windows(collector, 1, 50, 0);
		send_run(collector, 0, 1, 1);
		send_windows(collector, 2, 43, 0);
		collector_end(collector, ends[i].end, &evidence);
		assert_int_equal(evidence.remarks.count, ends[i].word != NULL);
		if (!ends[i].word)
			continue;
		assert_string_equal(evidence.remarks.items[0].word, ends[i].word);
		assert_int_equal(evidence.remarks.items[0].run, 2);
		assert_true(evidence.remarks.items[0].start == 43);
		assert_non_null(strstr(evidence.remarks.items[0].text, ends[i].text));
	}
}

static void a_guest_says_nothing_of_its_drift(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	struct result *result = memory_new(1, sizeof(*result));

	(void)state;
	result->type = RESULT_RUN;
	result->run = 1;
	metric_values_set(&result->values.values, METRIC_DRIFT, 99);
	send(collector, result);
	free(result);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_true(isnan(metric_of(&evidence, "size=1,run=first", "drift")));
}

static void names_that_are_no_utf8_are_refused(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	struct result *result = memory_new(1, sizeof(*result));

	(void)state;
	result->type = RESULT_SERIES;
	result->run = 1;
	result->series.count = 1;
	strcpy(result->series.name, "window\xff");
	send(collector, result);
	*result = (struct result){.type = RESULT_COUNTERS, .run = 1};
	metric_values_set(&result->values.values, METRIC_ELAPSED, 1);
	strcpy(result->values.disk, "sd\xfe");
	send(collector, result);
	strcpy(result->values.disk, "sd\xc3\xa9");
	send(collector, result);
	free(result);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_int_equal(collector_state(collector).refused, 2);
	assert_int_equal(evidence.series.count, 1);
}

static void noise_between_frames_changes_nothing(void **state)
{
	CLEANUP(cleanup_collector)
	struct collector *collector = collector_create(&scenario);
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	char noise[5000];

	(void)state;
	srandom(7);
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)random();
	collector_feed(collector, noise, sizeof(noise));
	send_run(collector, 0, 1, 10);
	collector_feed(collector, noise, 333);
	send_run(collector, 0, 2, 11);
	collector_end(collector, RUN_BROKEN, &evidence);
	assert_true(sample_of(&evidence, "size=1,run=first") == 10);
	assert_true(sample_of(&evidence, "size=1,run=later") == 11);
}

static void equal_evidence_is_equal_to_the_last_bit(void **state)
{
	CLEANUP(evidence_finish) struct evidence a = {0};
	CLEANUP(evidence_finish) struct evidence b = {0};
	size_t first;

	(void)state;
	evidence_add_sample(&a, "x", "elapsed", "ns", "lower", 1);
	evidence_add_sample(&b, "x", "elapsed", "ns", "lower", 1);
	assert_true(evidence_equal(&a, &b, &first));
	evidence_add_sample(&a, "y", "elapsed", "ns", "lower", 1);
	evidence_add_sample(&b, "y", "elapsed", "ns", "lower", nextafter(1, 2));
	assert_false(evidence_equal(&a, &b, &first));
	assert_int_equal(first, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_later_runs_are_kept_apart),
		cmocka_unit_test(disks_that_are_left_out_are_named),
		cmocka_unit_test(pieces_of_the_symbols_are_joined),
		cmocka_unit_test(records_that_make_no_sense_are_refused),
		cmocka_unit_test(windows_of_a_cut_run_are_kept),
		cmocka_unit_test(drifts_become_a_metric_and_a_remark),
		cmocka_unit_test(a_silent_run_hangs_where_it_was),
		cmocka_unit_test(a_guest_says_nothing_of_its_drift),
		cmocka_unit_test(names_that_are_no_utf8_are_refused),
		cmocka_unit_test(noise_between_frames_changes_nothing),
		cmocka_unit_test(equal_evidence_is_equal_to_the_last_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
