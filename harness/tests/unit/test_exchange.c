/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "exchange/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "version,scenario,case,metric,unit,better,boot,value\n"

static int read_bytes(const char *bytes, size_t length, struct dataset *dataset,
		      struct error *err)
{
	char path[] = "/tmp/kregress-csv-XXXXXX";
	int fd = mkstemp(path), result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	result = csv_read(path, dataset, err);
	unlink(path);
	return result;
}

static int read_text(const char *text, struct dataset *dataset, struct error *err)
{
	return read_bytes(text, strlen(text), dataset, err);
}

static void rows_become_levels(void **state)
{
	CLEANUP(dataset_finish) struct dataset data = {0};
	const struct series *series;
	struct error err;

	(void)state;
	assert_int_equal(read_text("\xef\xbb\xbf" HEADER
				   "v2,s,\"a=1,b=2\",t,ns,lower,x,30\r\n"
				   "v2,s,\"a=1,b=2\",t,ns,lower,x,10\r\n"
				   "\r\n"
				   "v1,s,\"a=1,b=2\",t,ns,lower,x,-1.5e1\r\n"
				   "v2,s,\"a=1,b=2\",t,ns,lower,x,20\r\n"
				   "v2,s,\"a=1,b=2\",t,ns,lower,w,50\r\n"
				   "v2,s,,\"say \"\"hi\"\"\",1/s,higher,x,7",
				   &data, &err),
			 0);
	assert_int_equal(data.measurements.version_count, 2);
	assert_string_equal(data.measurements.versions[0], "v2");
	assert_int_equal(dataset_find_version(&data, "v1"), 1);
	assert_int_equal(dataset_find_version(&data, "v3"), -1);
	assert_int_equal(data.measurements.count, 2);
	series = &data.measurements.series[0];
	assert_string_equal(series->name.case_label, "a=1,b=2");
	assert_int_equal(series->count, 2);
	assert_int_equal(series->levels[0].count, 2);
	assert_true(series->levels[0].boots[0] == 20 && series->levels[0].boots[1] == 50);
	assert_string_equal(series->levels[0].boot_names[1], "w");
	assert_true(series->levels[1].boots[0] == -15);
	series = &data.measurements.series[1];
	assert_string_equal(series->name.metric, "say \"hi\"");
	assert_int_equal(series->name.better, BETTER_HIGHER);
}

static void columns_may_stand_anywhere(void **state)
{
	CLEANUP(dataset_finish) struct dataset data = {0};
	const struct level *levels;
	struct error err;

	(void)state;
	assert_int_equal(read_text("environment,value,boot,better,unit,metric,case,"
				   "scenario,version\n"
				   "e1,1,1,lower,s,m,c,s,v1\n"
				   "e1,1,2,lower,s,m,c,s,v1\n"
				   "e1,1,1,lower,s,m,c,s,v2\n"
				   "e2,1,2,lower,s,m,c,s,v2\n",
				   &data, &err),
			 0);
	levels = data.measurements.series[0].levels;
	assert_string_equal(levels[0].environment, "e1");
	assert_false(levels[0].environment_mixed);
	assert_true(levels[1].environment_mixed);
}

static void broken_files_are_refused_by_line(void **state)
{
	static const struct {
		const char *text;
		const char *message; /* part of it */
	} rows[] = {
		{"", "line 1"},
		{"\n", "line 1"},
		{"version,scenario,case,metric,unit,better,boot\n",
		 "line 1: column value"},
		{"version,scenario,case,metric,unit,direction,boot,value\n",
		 "line 1: no column is called 'direction'"},
		{"version,version,scenario,case,metric,unit,better,boot,value\n",
		 "twice"},
		{HEADER "v,s,c,m,ns,lower,1,1\nv,s,c,m,ns,lower,2,fast\n",
		 "line 3, column value"},
		{HEADER "v,s,c,m,ns,lower,1,nan\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,inf\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,-Infinity\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,1e999\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,0x10\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1, 1\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1,1;5\n", "line 2, column value"},
		{HEADER "v,s,c,m,ns,lower,1\n", "line 2: 7 fields"},
		{HEADER "v,s,c,m,ns,lower,1,1,1\n", "line 2: 9 fields"},
		{HEADER "v,s,c,m,ns,smaller,1,1\n", "line 2, column better"},
		{HEADER ",s,c,m,ns,lower,1,1\n", "line 2, column version"},
		{HEADER "v,s,c,m,ns,lower,,1\n", "line 2, column boot"},
		{HEADER "v,s,c,m,ns,lower,1,1\nw,s,c,m,us,lower,1,1\n",
		 "line 3: column unit"},
		{HEADER "v,s,c,m,ns,lower,1,1\nw,s,c,m,ns,higher,1,1\n",
		 "line 3: column better"},
		{HEADER "v,\"s\nt\",c,m,ns,lower,1,1\nv,s,c,m,ns,lower,1,x\n", "line 4"},
		{HEADER "v,s,c,m,ns,lower,1,1\nv,\"s,c,m,ns,lower,1,1\n", "line 3"},
		{HEADER "v,s\"t,c,m,ns,lower,1,1\n", "line 2, field 2"},
		{HEADER "v,\"s\"t,c,m,ns,lower,1,1\n", "line 2, field 2"},
		{HEADER "v,,,,,,,,,,,,,,,,,,,,,,,\n", "line 2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(dataset_finish) struct dataset data = {0};
		struct error err = {0};

		assert_int_equal(read_text(rows[i].text, &data, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (!strstr(err.text, rows[i].message))
			fail_msg("'%s' expected in '%s'", rows[i].message, err.text);
	}
}

static void hostile_bytes_do_no_harm(void **state)
{
	CLEANUP(dataset_finish) struct dataset data = {0};
	CLEANUP(text_finish) struct text text = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(read_bytes(HEADER "v\0w", sizeof(HEADER) + 2, &data, &err), -1);
	assert_non_null(strstr(err.text, "line 2"));
	text_add(&text, HEADER "v,");
	for (int i = 0; i < 70000; i++)
		text_add_char(&text, 'x');
	text_add(&text, ",c,m,ns,lower,1,1\n");
	dataset_finish(&data);
	assert_int_equal(read_bytes(text.data, text.size, &data, &err), -1);
	assert_non_null(strstr(err.text, "longer than"));
	dataset_finish(&data);
	assert_int_equal(csv_read("/nonexistent/file.csv", &data, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	dataset_finish(&data);
	assert_int_equal(csv_read("/", &data, &err), -1);
	/* Control characters are only names; two bytes that are no UTF-8 may become one.
	 */
	dataset_finish(&data);
	assert_int_equal(read_text(HEADER "v,s,c\xff,m,,lower,1,1\n", &data, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "line 2, column case"));
	dataset_finish(&data);
	assert_int_equal(read_text(HEADER "\xc3\xa9\x01,s,c,m,,lower,1,1\n", &data, &err),
			 0);
	text_clear(&text);
	json_put_string(&text, data.measurements.versions[0]);
	assert_string_equal(text.data, "\"\xc3\xa9\\u0001\"");
}

/* Every cut of a good file is read or refused, never anything worse. */
static void cut_files_are_survived(void **state)
{
	static const char whole[] =
		HEADER "v1,s,\"a \"\"b\"\"\",m,ns,lower,1,1.5\r\nv2,s,\"x\n\",m,ns,"
		       "lower,1,2\n";

	(void)state;
	for (size_t length = 0; length < sizeof(whole); length++) {
		CLEANUP(dataset_finish) struct dataset data = {0};
		struct error err = {0};

		if (read_bytes(whole, length, &data, &err))
			assert_true(*err.text && err.kind == ERROR_USAGE);
	}
}

static void written_rows_come_back(void **state)
{
	static const double values[] = {0.1, 1e-300, -1.0 / 3, 9007199254740993.0, 5e300};
	CLEANUP(dataset_finish) struct dataset data = {0};
	CLEANUP(text_finish) struct text text = {0};
	struct error err;

	(void)state;
	csv_write_header(&text);
	for (size_t i = 0; i < 5; i++) {
		char boot[8];
		struct dataset_row row = {"v\"1\"",     "s,t", "c\n", "m",      "ns",
					  BETTER_LOWER, boot,  "e",   values[i]};

		snprintf(boot, sizeof(boot), "%zu", i);
		csv_write_row(&text, &row);
	}
	assert_int_equal(read_bytes(text.data, text.size, &data, &err), 0);
	assert_string_equal(data.measurements.versions[0], "v\"1\"");
	assert_string_equal(data.measurements.series[0].name.scenario, "s,t");
	assert_string_equal(data.measurements.series[0].name.case_label, "c\n");
	assert_int_equal(data.measurements.series[0].levels[0].count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(data.measurements.series[0].levels[0].boots[i] == values[i]);
}

static void long_names_stay_apart(void **state)
{
	CLEANUP(dataset_finish) struct dataset data = {0};
	char scenario[400], case_label[400];
	struct dataset_row row = {"v",          scenario, case_label, "m", "ns",
				  BETTER_LOWER, "1",      "",         1};
	struct error err;

	(void)state;
	memset(scenario, 's', sizeof(scenario));
	memset(case_label, 'c', sizeof(case_label));
	scenario[399] = case_label[399] = '\0';
	assert_int_equal(dataset_add(&data, &row, &err), 0);
	row.metric = "n";
	assert_int_equal(dataset_add(&data, &row, &err), 0);
	row.metric = "m";
	row.boot = "2";
	assert_int_equal(dataset_add(&data, &row, &err), 0);
	dataset_complete(&data);
	assert_int_equal(data.measurements.count, 2);
	assert_int_equal(data.measurements.series[0].levels[0].count, 2);
	assert_string_equal(data.measurements.series[0].name.case_label, case_label);
	assert_string_equal(data.measurements.series[1].name.metric, "n");
}

static void json_is_strict(void **state)
{
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	text_add_char(&text, '{');
	json_put_key(&text, "a\"\\\n\t\x7f");
	json_put_number(&text, NAN);
	json_put_key(&text, "b");
	json_put_number(&text, -0.0);
	json_put_key(&text, "c");
	json_put_number(&text, 0.1);
	json_put_key(&text, "d");
	json_put_string(&text, NULL);
	json_put_key(&text, "e");
	json_put_number(&text, INFINITY);
	text_add_char(&text, '}');
	assert_string_equal(text.data,
			    "{\"a\\\"\\\\\\n\\t\\u007f\":null,\"b\":0,\"c\":0.1,"
			    "\"d\":null,\"e\":null}");
	text_clear(&text);
	json_put_string(&text, "\xc3\xa9 \xed\xa0\x80 \xf5 \xe2\x82");
	assert_string_equal(text.data, "\"\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
				       "\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_become_levels),
		cmocka_unit_test(columns_may_stand_anywhere),
		cmocka_unit_test(broken_files_are_refused_by_line),
		cmocka_unit_test(hostile_bytes_do_no_harm),
		cmocka_unit_test(cut_files_are_survived),
		cmocka_unit_test(written_rows_come_back),
		cmocka_unit_test(long_names_stay_apart),
		cmocka_unit_test(json_is_strict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
