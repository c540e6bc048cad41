/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "lab/command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void one_number_is_read(void **state)
{
	static const struct {
		const char *output, *metric;
		double value;
	} good[] = {
		{"12.5\n", NULL, 12.5},     {"  -3e2 \r\n\n", NULL, -300},
		{"ns=17\n", NULL, 17},      {"ns=17\n", "ns", 17},
		{"a = 1\nb = 2\n", "b", 2}, {"starting up\na=1\nb=nan\n", "a", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		CLEANUP(text_finish) struct text problem = {0};
		double value = 0;

		assert_int_equal(command_read_output(good[i].output,
						     strlen(good[i].output),
						     good[i].metric, &value, &problem),
				 0);
		assert_true(value == good[i].value);
	}
}

static void anything_else_is_refused(void **state)
{
	static const struct {
		const char *output, *metric;
	} bad[] = {
		{"", NULL},           {"\n", NULL},        {"nan", NULL},
		{"-inf\n", NULL},     {"1e999\n", NULL},   {"1 2\n", NULL},
		{"1\n2\n", NULL},     {"=5\n", NULL},      {"ns=\n", NULL},
		{"ns=nan\n", "ns"},   {"12abc\n", NULL},   {"a=1\nb=2\n", NULL},
		{"a=1\na=2\n", "a"},  {"a=1\n", "b"},      {"measured nothing\n", NULL},
		{"done\n12\n", NULL}, {"0x10\n", NULL},    {"1e308\n", NULL},
		{"-1e101\n", NULL},   {"a=5e-324\n", "a"},
	};
	CLEANUP(text_finish) struct text problem = {0};
	double value = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(command_read_output(bad[i].output, strlen(bad[i].output),
						     bad[i].metric, &value, &problem),
				 -1);
		assert_true(problem.size > 0);
	}
	assert_int_equal(command_read_output("1\0002\n", 4, NULL, &value, &problem), -1);
}

static void exit_codes_have_their_meaning(void **state)
{
	static const struct {
		const char *command, *outcome;
		int pass_fail, hopeless;
	} cases[] = {
		{"echo 5", "ok", 0, 0},
		{"echo 5; exit 1", "infrastructure", 0, 0},
		{"echo 5; exit 125", "skipped", 0, 0},
		{"exit 126", "infrastructure", 0, 1},
		{"no-such-program-here 2>&1", "infrastructure", 0, 1},
		{"kill -9 $$", "infrastructure", 0, 1},
		{"exit 139", "infrastructure", 0, 1},
		{"exit 0", "infrastructure", 0, 0},
		{"exit 0", "ok", 1, 0},
		{"exit 1", "ok", 1, 0},
		{"exit 2", "infrastructure", 1, 0},
		{"exit 125", "skipped", 1, 0},
		{"test $KREGRESS_COMMIT = 0123", "ok", 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct host_command command = {.command = cases[i].command,
					       .pass_fail = cases[i].pass_fail};
		CLEANUP(trial_finish) struct trial trial = {0};
		struct error err = {0};

		assert_int_equal(
			command_measurer.measure(&command, "0123", 0, &trial, &err), 0);
		assert_string_equal(trial.outcome, cases[i].outcome);
		assert_int_equal(trial.hopeless, cases[i].hopeless);
	}
}

static void a_run_without_end_is_ended(void **state)
{
	struct host_command command = {.command = "echo 5; sleep 100",
				       .max_seconds = 0.2};
	CLEANUP(trial_finish) struct trial trial = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(command_measurer.measure(&command, "0123", 0, &trial, &err), 0);
	assert_string_equal(trial.outcome, "infrastructure");
	assert_int_equal(trial.hopeless, 0);
	assert_true(trial.seconds >= 0.2 && trial.seconds < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_number_is_read),
		cmocka_unit_test(anything_else_is_refused),
		cmocka_unit_test(exit_codes_have_their_meaning),
		cmocka_unit_test(a_run_without_end_is_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
