/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "report/format.h"
#include "report/json_private.h"
#include "report/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void numbers_read_well(void **state)
{
	static const struct {
		double value;
		const char *unit, *text;
	} rows[] = {
		{3138000123.0, "ns", "3.138 s"},
		{324413, "ns", "324.4 \xc2\xb5s"},
		{12, "ns", "12 ns"},
		{0, "ns", "0 ns"},
		{0.01234567, "requests", "0.01235 requests"},
		{1986, "count", "1986"},
		{-2500000, "ns", "-2.500 ms"},
		{1e300, "requests", "1.000e+300 requests"},
		{NAN, "ns", "n/a"},
		{INFINITY, "ns", "n/a"},
		{2097152, "bytes", "2 MiB"},
		{5, "1/s", "5 1/s"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(text_finish) struct text text = {0};

		format_value(&text, rows[i].value, rows[i].unit);
		assert_string_equal(text_string(&text), rows[i].text);
	}
}

static void changes_and_times_read_well(void **state)
{
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	format_change(&text, 7.24);
	format_change(&text, -0.0611);
	format_change(&text, 0.001);
	format_change(&text, NAN);
	format_change(&text, 912.3);
	assert_string_equal(text_string(&text), "+7.2 %-0.06 %0 %n/a+912 %");
	text_clear(&text);
	format_time(&text, 86399);
	assert_string_equal(text_string(&text), "1970-01-01T23:59:59Z");
	text_clear(&text);
	format_duration(&text, 7385);
	format_duration(&text, 200);
	format_duration(&text, 4.24);
	assert_string_equal(text_string(&text), "2 h 3 min3 min 20 s4.2 s");
}

static void shell_words_are_quoted(void **state)
{
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	format_shell_word(&text, "v6.1-rc1~3");
	format_shell_word(&text, " ");
	format_shell_word(&text, "$(rm)'");
	format_shell_word(&text, "");
	assert_string_equal(text_string(&text), "v6.1-rc1~3' ''$(rm)'\\'''''");
}

static void tables_fit_the_line(void **state)
{
	CLEANUP(table_finish) struct table table = {0};
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	table_add_column(&table, "case", 0);
	table_add_column(&table, "value", 1);
	table_add_cell(&table, "block_size=4096,mode=extend,run=first");
	table_add_cell(&table, "3.138 s");
	table_add_cell(&table, "a\x1b[31m\xc3\xa9");
	table_print(&table, 30, &text);
	assert_string_equal(text_string(&text), "case                     value\n"
						"---------------------  -------\n"
						"block_size=4096,       3.138 s\n"
						"mode=extend,run=first\n"
						"a?[31m\xc3\xa9\n");
	for (const char *line = text.data; *line; line = strchr(line, '\n') + 1)
		assert_true(strcspn(line, "\n") <= 31);
}

static void titles_fold_at_blanks(void **state)
{
	CLEANUP(table_finish) struct table table = {0};
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	table_add_column(&table, "flush first", 1);
	table_add_column(&table, "real (s)", 1);
	table_add_cell(&table, "1.000");
	table_add_cell(&table, "0.5");
	table_print(&table, 11, &text);
	assert_string_equal(text_string(&text), "flush  real\n"
						"first   (s)\n"
						"-----  ----\n"
						"1.000   0.5\n");
}

static void json_has_no_nan_and_no_broken_bytes(void **state)
{
	CLEANUP(text_finish) struct text text = {0};
	json_t *list = json_array();

	(void)state;
	json_array_append_new(list, json_number_or_null(NAN));
	json_array_append_new(list, json_number_or_null(-INFINITY));
	json_array_append_new(list, json_number_or_null(3138000123.0));
	json_array_append_new(list, json_number_or_null(0.5));
	json_array_append_new(list, json_text("\xff\"<"));
	json_array_append_new(list, json_text(NULL));
	json_array_append_new(list, json_text_or_null(""));
	json_array_append_new(list, json_time(0));
	json_print(list, &text);
	assert_string_equal(text_string(&text), "[\n null,\n null,\n 3138000123,\n 0.5,\n"
						" \"\\uFFFD\\\"<\",\n null,\n null,\n"
						" null\n]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_read_well),
		cmocka_unit_test(changes_and_times_read_well),
		cmocka_unit_test(shell_words_are_quoted),
		cmocka_unit_test(tables_fit_the_line),
		cmocka_unit_test(titles_fold_at_blanks),
		cmocka_unit_test(json_has_no_nan_and_no_broken_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
