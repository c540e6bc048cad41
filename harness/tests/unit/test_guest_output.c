/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parsers of what commands print. */
#include "guest/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct output output;
static struct problem problem;

static int parse(enum output_parser parser, const char *text)
{
	return output_parse(parser, text, strlen(text), &output, &problem);
}

static double value_of(const char *name)
{
	for (size_t i = 0; i < output.count; i++)
		if (!strcmp(output.metrics[i].name, name))
			return output.metrics[i].value;
	fail_msg("no metric %s", name);
	return 0;
}

static void test_number(void **state)
{
	static const char *const bad[] = {"",     "x",     "1 2",  "nan", "inf",
					  "0x10", "1e999", "5 ms", "-",   "."};

	(void)state;
	assert_int_equal(parse(PARSER_NUMBER, " \n-12.5e1\r\n"), 0);
	assert_true(value_of("value") == -125);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!parse(PARSER_NUMBER, bad[i]))
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(output_parse(PARSER_NUMBER, "5\0", 2, &output, &problem), -1);
}

static void test_metric_lines(void **state)
{
	(void)state;
	assert_int_equal(parse(PARSER_METRIC_LINES, "a comment\nread.iops=1.5\nx = 7\n"),
			 0);
	assert_int_equal(output.count, 2);
	assert_true(value_of("read.iops") == 1.5);
	assert_true(value_of("x") == 7);
	assert_int_equal(parse(PARSER_METRIC_LINES, "a=1\na=2\n"), -1);
	assert_string_equal(problem.text, "metric a was printed twice");
	assert_int_equal(parse(PARSER_METRIC_LINES, "a=fast\n"), -1);
	assert_string_equal(problem.text, "a is \"fast\", which is no number");
	assert_int_equal(parse(PARSER_METRIC_LINES, "=1\n"), -1);
	assert_int_equal(parse(PARSER_METRIC_LINES, "a\x1b=1\n"), -1);
	assert_int_equal(parse(PARSER_METRIC_LINES, "nothing\n"), -1);
	assert_string_equal(problem.text, "the output holds no metric");
}

static void test_too_many_metrics(void **state)
{
	static char text[16 * OUTPUT_METRICS_MAX];
	size_t used = 0;

	(void)state;
	for (int i = 0; i <= OUTPUT_METRICS_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "m%d=1\n", i);
	assert_int_equal(parse(PARSER_METRIC_LINES, text), -1);
}

static void test_gnu_time(void **state)
{
	(void)state;
	assert_int_equal(
		parse(PARSER_GNU_TIME,
		      "0.05user 37.14system 1:09.39elapsed 53%CPU (0avgtext+0avgdata "
		      "2048maxresident)k\n0inputs+0outputs "
		      "(1986major+3228minor)pagefaults "
		      "0swaps\n"),
		0);
	assert_true(value_of("user") == 0.05e9);
	assert_true(value_of("system") == 37.14e9);
	assert_true(value_of("elapsed") > 69.389e9 && value_of("elapsed") < 69.391e9);
	assert_true(value_of("cpu_percent") == 53);
	assert_true(value_of("major_faults") == 1986);
	assert_true(value_of("minor_faults") == 3228);
	assert_int_equal(parse(PARSER_GNU_TIME, "real 35.2\nuser 0.1\nsys 6.0\n"), 0);
	assert_true(value_of("elapsed") == 35.2e9);
	assert_true(value_of("system") == 6e9);
	assert_int_equal(
		parse(PARSER_GNU_TIME,
		      "\tUser time (seconds): 0.02\n"
		      "\tPercent of CPU this job got: 98%\n"
		      "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:00:01.5\n"
		      "\tMajor (requiring I/O) page faults: 3\n"),
		0);
	assert_true(value_of("elapsed") == 3601.5e9);
	assert_int_equal(output.count, 4);
	assert_int_equal(parse(PARSER_GNU_TIME, "all went well\n"), -1);
}

/* Any text ends in a verdict and stays inside the bounds. */
static void test_random_text(void **state)
{
	static const char alphabet[] = "a=1.:e- \nuser%CPUelapsedmajor+";
	uint32_t random = 3;
	char *text;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t length = round % 80;

		text = malloc(length + 1);
		for (size_t i = 0; i < length; i++) {
			random = random * 1664525 + 1013904223;
			text[i] = alphabet[(random >> 16) % (sizeof(alphabet) - 1)];
		}
		text[length] = '\0';
		parse((enum output_parser)(round % 4), text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_metric_lines),
		cmocka_unit_test(test_too_many_metrics),
		cmocka_unit_test(test_gnu_time),
		cmocka_unit_test(test_random_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
