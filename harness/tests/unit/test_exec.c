/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command of the user's own: what it brings into the guest, and what it prints. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "guest/frame.h"
#include "guest/result.h"
#include "lab/collect.h"
#include "lab/programs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

static int make_folder(void **state)
{
	struct error err;

	(void)state;
	return file_make_temporary_folder("/tmp/kregress-test-", &folder, &err);
}

static int remove_folder(void **state)
{
	struct error err;

	(void)state;
	file_remove_tree(folder, &err);
	free(folder);
	return 0;
}

/* --- the output */

static const char fio_output[] =
	"fio: this machine has no such clock\n"
	"{\"fio version\": \"fio-3.33\", \"jobs\": ["
	"{\"jobname\": \"a\", \"write\": {\"total_ios\": 9, \"iops\": 250.5,"
	" \"bw_bytes\": 4096, \"clat_ns\": {\"mean\": 3, \"max\": 9, \"percentile\":"
	" {\"50.000000\": 2}}}, \"sync\": {\"total_ios\": 0, \"lat_ns\": {\"N\": 9,"
	" \"mean\": 70, \"max\": 80}}, \"read\": {\"total_ios\": 0, \"iops\": 0}},"
	"{\"jobname\": \"b, c\", \"read\": {\"total_ios\": 1, \"iops\": 7}}]}\nbye\n";

static char own_name[] = "write_ops_per_second", own_unit[] = "1/s";
static struct scenario_metric judged[] = {
	{.name = own_name, .unit = own_unit, .better = METRIC_HIGHER}};

struct outputs {
	struct scenario scenario;
	struct scenario_case item;
	struct parameter_value parser;
	struct collector *collector;
	struct evidence evidence;
};

static void outputs_init(struct outputs *outputs, const char *parser, uint64_t runs)
{
	static char label[] = "";

	*outputs = (struct outputs){0};
	strcpy(outputs->parser.name, "parser");
	strcpy(outputs->parser.value, parser);
	outputs->item = (struct scenario_case){
		.label = label, .parameters = &outputs->parser, .parameter_count = 1};
	outputs->scenario = (struct scenario){
		.workload = workload_kind_find("exec"),
		.runs = runs,
		.metrics = {judged, 1},
		.cases = {&outputs->item, 1},
	};
	outputs->collector = collector_create(&outputs->scenario);
}

static void outputs_finish(struct outputs *outputs)
{
	collector_destroy(outputs->collector);
	evidence_finish(&outputs->evidence);
}

static void send(struct outputs *outputs, const struct result *result)
{
	static uint16_t sequence;
	CLEANUP(cleanup_free) char *out = memory_new(FRAME_SIZE_MAX, 1);
	CLEANUP(cleanup_free) char *payload = memory_new(FRAME_PAYLOAD_MAX, 1);
	size_t length = result_encode(result, payload);

	assert_true(length > 0);
	length = frame_encode(out, (uint16_t)result->type, sequence++, payload, length);
	collector_feed(outputs->collector, out, length);
}

/* One run of the command, its output in pieces of 100 bytes. */
static void tell_run(struct outputs *outputs, uint64_t run, const char *printed)
{
	CLEANUP(cleanup_free) struct result *result = memory_new(1, sizeof(*result));
	size_t length = strlen(printed), part;

	for (size_t at = 0; at < length; at += part) {
		part = length - at < 100 ? length - at : 100;
		*result = (struct result){.type = RESULT_OUTPUT, .run = run};
		result->output.length = part;
		memcpy(result->output.bytes, printed + at, part);
		send(outputs, result);
	}
	*result = (struct result){.type = RESULT_RUN, .run = run};
	metric_values_set(&result->values.values, METRIC_ELAPSED, 5);
	metric_values_set(&result->values.values, METRIC_USER, 6);
	send(outputs, result);
}

static void end(struct outputs *outputs)
{
	collector_end(outputs->collector, RUN_BROKEN, &outputs->evidence);
}

static const struct evidence_sample *sample_of(const struct outputs *outputs,
					       const char *label, const char *metric)
{
	const struct evidence *evidence = &outputs->evidence;

	for (size_t i = 0; i < evidence->samples.count; i++)
		if (!strcmp(evidence->samples.items[i].case_label, label) &&
		    !strcmp(evidence->samples.items[i].metric, metric))
			return &evidence->samples.items[i];
	return NULL;
}

static void expect(const struct outputs *outputs, const char *metric, const char *unit,
		   const char *better, double value)
{
	const struct evidence_sample *sample = sample_of(outputs, "", metric);

	assert_non_null(sample);
	assert_string_equal(sample->unit, unit);
	assert_string_equal(sample->better, better);
	assert_true(sample->value == value);
}

static void every_parser_gives_metrics(void **state)
{
	CLEANUP(outputs_finish) struct outputs number = {0};
	CLEANUP(outputs_finish) struct outputs lines = {0};
	CLEANUP(outputs_finish) struct outputs gnu_time = {0};
	CLEANUP(outputs_finish) struct outputs fio = {0};

	(void)state;
	outputs_init(&number, "number", 1);
	tell_run(&number, 1, "42.5\n");
	end(&number);
	expect(&number, "value", "", "none", 42.5);
	expect(&number, "elapsed", "ns", "lower", 5);
	outputs_init(&lines, "metric-lines", 1);
	tell_run(&lines, 1, "hello\nwrite_ops_per_second=100\nelapsed = 7\n");
	end(&lines);
	expect(&lines, "write_ops_per_second", "1/s", "higher", 100);
	expect(&lines, "elapsed", "ns", "lower", 7);
	expect(&lines, "user", "ns", "lower", 6);
	outputs_init(&gnu_time, "gnu-time", 1);
	tell_run(&gnu_time, 1, "real 1.50\nuser 0.25\nsys 0.50\n");
	end(&gnu_time);
	expect(&gnu_time, "elapsed", "ns", "lower", 1.5e9);
	expect(&gnu_time, "user", "ns", "lower", 0.25e9);
	outputs_init(&fio, "fio-json", 1);
	tell_run(&fio, 1, fio_output);
	end(&fio);
	expect(&fio, "write_ops_per_second", "1/s", "higher", 250.5);
	expect(&fio, "write_latency_p50", "ns", "lower", 2);
	expect(&fio, "sync_latency_mean", "ns", "lower", 70);
	expect(&fio, "b--c.read_ops_per_second", "1/s", "higher", 7);
	assert_null(sample_of(&fio, "", "read_ops_per_second"));
}

static void runs_of_a_command_are_kept_apart(void **state)
{
	CLEANUP(outputs_finish) struct outputs outputs = {0};

	(void)state;
	outputs_init(&outputs, "number", 4);
	tell_run(&outputs, 1, "100");
	tell_run(&outputs, 2, "10");
	tell_run(&outputs, 3, "30");
	tell_run(&outputs, 4, "11");
	end(&outputs);
	assert_true(sample_of(&outputs, "run=first", "value")->value == 100);
	assert_true(sample_of(&outputs, "run=later", "value")->value == 11);
	for (size_t i = 0; i < outputs.evidence.series.count; i++)
		if (!strcmp(outputs.evidence.series.items[i].name, "runs.value")) {
			assert_int_equal(outputs.evidence.series.items[i].count, 4);
			return;
		}
	fail_msg("the runs are no series");
}

static void nonsense_is_a_failed_workload(void **state)
{
	static const struct {
		const char *parser, *printed, *says;
	} bad[] = {
		{"number", "", "is not one number"},
		{"number", "nan", "is not one number"},
		{"number", "1 2", "is not one number"},
		{"metric-lines", "a=1\na=2\n", "metric a was printed twice"},
		{"metric-lines", "nothing here\n", "holds no metric"},
		{"gnu-time", "no time\n", "holds no metric"},
		{"fio-json", "fio: no such engine\n", "fio's JSON, line"},
		{"fio-json", "{\"jobs\": [{\"jobname\": \"a\"", "fio's JSON, line"},
		{"fio-json", "{\"jobs\": []}", "no job that read or wrote"},
		{"fio-json", "{}", "it has no jobs"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CLEANUP(outputs_finish) struct outputs outputs = {0};
		struct collector_state told;

		outputs_init(&outputs, bad[i].parser, 1);
		tell_run(&outputs, 1, bad[i].printed);
		told = collector_state(outputs.collector);
		assert_int_equal(told.failed_cases, 1);
		if (!strstr(told.guest_says, bad[i].says) ||
		    !strstr(told.guest_says, "case (only one), run 1: output of the "))
			fail_msg("'%s' is not in '%s'", bad[i].says, told.guest_says);
	}
}

/* --- the files */

static int collect(char **files, size_t count, struct programs *programs,
		   struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "mine.yaml");
	struct scenario scenario = {.path = path, .files = {files, count, count}};

	return programs_collect(&scenario, programs, err);
}

static void write_program(const char *name, const char *text)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	struct error err;

	assert_int_equal(file_write(path, text, strlen(text), &err), 0);
	chmod(path, 0755);
}

static void programs_bring_their_libraries(void **state)
{
	static char program[] = "/usr/bin/env", data[] = "data.txt", script[] = "run.sh";
	char *files[] = {program, data, script};
	CLEANUP(programs_finish) struct programs programs = {0};
	struct error err = {0};

	(void)state;
	write_program("data.txt", "numbers");
	write_program("run.sh", "#! /bin/sh -e\necho 1\n");
	if (collect(files, 3, &programs, &err))
		fail_msg("%s", err.text);
	assert_string_equal(programs.targets.items[0], "/usr/bin/env");
	assert_true(text_list_contains(&programs.targets, "/files/data.txt"));
	assert_true(text_list_contains(&programs.targets, "/files/run.sh"));
	/* The interpreter of the script comes along, and the loader of both, once. */
	assert_true(text_list_contains(&programs.targets, "/bin/sh"));
	assert_true(text_list_contains(&programs.targets, "/lib64/ld-linux-x86-64.so.2"));
	for (size_t i = 0; i < programs.targets.count; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(programs.targets.items[i],
						programs.targets.items[k]);
}

static void another_content_is_another_key(void **state)
{
	static char name[] = "mine.sh";
	char *files[] = {name}, keys[2][HASH_HEX_SIZE];
	struct error err = {0};

	(void)state;
	for (int i = 0; i < 2; i++) {
		CLEANUP(programs_finish) struct programs programs = {0};

		write_program(name, i ? "one" : "two");
		assert_int_equal(collect(files, 1, &programs, &err), 0);
		assert_int_equal(programs_hash(&programs, keys[i], &err), 0);
	}
	assert_string_not_equal(keys[0], keys[1]);
}

static void broken_programs_are_told(void **state)
{
	static char script[] = "lost.sh", gone[] = "gone";
	char *files[] = {script}, *none[] = {gone};
	CLEANUP(programs_finish) struct programs programs = {0};
	struct error err = {0};

	(void)state;
	write_program(script, "#!/no/such/interpreter\n");
	assert_int_equal(collect(files, 1, &programs, &err), -1);
	assert_non_null(strstr(err.text, "lost.sh: /no/such/interpreter: No such file"));
	assert_int_equal(collect(none, 1, &programs, &err), -1);
	assert_non_null(strstr(err.text, "/gone: No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_parser_gives_metrics),
		cmocka_unit_test(runs_of_a_command_are_kept_apart),
		cmocka_unit_test(nonsense_is_a_failed_workload),
		cmocka_unit_test(programs_bring_their_libraries),
		cmocka_unit_test(another_content_is_another_key),
		cmocka_unit_test(broken_programs_are_told),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
