/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boots and their samples: what is stored comes back. */
#include "base/utf8.h"
#include "store/results.h"
#include "store/verdicts.h"
#include "store_sql_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const struct sample_record two_samples[] = {
	{"block_size=4096", "elapsed", "ns", "lower", 3138000123.0},
	{"block_size=4096", "throughput", "B/s", "higher", 0.1},
};

static void utf8_is_told_from_bytes(void **state)
{
	static const struct {
		const char *bytes, *clean;
	} rows[] = {
		{"plain", "plain"},
		{"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7",
		 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7"},
		{"a\xff", "a\xef\xbf\xbd"},
		{"\xc3", "\xef\xbf\xbd"},
		{"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82z", "\xef\xbf\xbd\xef\xbf\xbdz"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(text_finish) struct text clean = {0};

		utf8_add(&clean, rows[i].bytes, strlen(rows[i].bytes));
		assert_string_equal(text_string(&clean), rows[i].clean);
		assert_int_equal(utf8_valid(rows[i].bytes, strlen(rows[i].bytes)),
				 !strcmp(rows[i].bytes, rows[i].clean));
		assert_true(utf8_valid(clean.data, clean.size));
	}
}

static void doubles_come_back_bit_by_bit(void **state)
{
	static const double values[] = {0.1,     1.0 / 3, 324413.0, 9007199254740993.0,
					DBL_MIN, DBL_MAX, 4.9e-324, -1.5e-7};
	enum { COUNT = sizeof(values) / sizeof(*values) };
	CLEANUP(boot_list_finish) struct boot_list list = {0};
	const struct series_record series[] = {
		{"", "windows", "ns", 1, values, COUNT},
		{"", "empty", "ns", 0, NULL, 0},
	};
	struct sample_record samples[COUNT];
	struct world world;
	struct boot_record boot;
	struct error err = {0};
	int64_t id;

	(void)state;
	world_init(&world);
	for (size_t i = 0; i < COUNT; i++)
		samples[i] = (struct sample_record){
			.case_label = memory_format("n=%zu", i),
			.metric = "elapsed",
			.unit = "ns",
			.better = "lower",
			.value = values[i],
		};
	boot = world_boot(&world);
	boot.samples = samples;
	boot.sample_count = COUNT;
	boot.series = series;
	boot.series_count = 2;
	assert_int_equal(store_add_boot(world.store, &boot, &id, &err), 0);
	assert_int_equal(store_load_boot(world.store, id, &list, &err), 0);
	assert_int_equal(list.items[0].sample_count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_memory_equal(&list.items[0].samples[i].value, &values[i], 8);
		free((void *)samples[i].case_label);
	}
	assert_int_equal(list.items[0].series_count, 2);
	assert_int_equal(list.items[0].series[0].count, COUNT);
	assert_memory_equal(list.items[0].series[0].values, values, sizeof(values));
	assert_int_equal(list.items[0].series[1].count, 0);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM windows"), COUNT);
	world_finish(&world);
}

static void broken_numbers_leave_nothing(void **state)
{
	struct sample_record samples[2];
	struct world world;
	struct boot_record boot;
	struct error err = {0};
	int64_t id;

	(void)state;
	world_init(&world);
	memcpy(samples, two_samples, sizeof(samples));
	samples[1].value = NAN;
	boot = world_boot(&world);
	boot.samples = samples;
	boot.sample_count = 2;
	assert_int_equal(store_add_boot(world.store, &boot, &id, &err), -1);
	assert_int_equal(err.kind, ERROR_MEASUREMENT);
	assert_non_null(strstr(err.text, "throughput"));
	samples[1] = samples[0]; /* the same number twice */
	assert_int_equal(store_add_boot(world.store, &boot, &id, &err), -1);
	boot.sample_count = 1;
	boot.kernel = 12345; /* no such row */
	assert_int_equal(store_add_boot(world.store, &boot, &id, &err), -1);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM boots"), 0);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM samples"), 0);
	world_finish(&world);
}

static void hostile_strings_are_data(void **state)
{
	static const char hostile[] =
		"'); DROP TABLE boots;-- <script>\x01 \xff\xfe %s%n";
	CLEANUP(boot_list_finish) struct boot_list list = {0};
	struct world world;
	struct boot_record boot;
	struct error err = {0};
	int64_t id;

	(void)state;
	world_init(&world);
	boot = world_boot(&world);
	boot.outcome = "panic";
	boot.detail = hostile;
	boot.guest_release = hostile;
	assert_int_equal(store_add_boot(world.store, &boot, &id, &err), 0);
	assert_int_equal(store_load_boot(world.store, id, &list, &err), 0);
	assert_string_equal(
		list.items[0].detail,
		"'); DROP TABLE boots;-- <script>\x01 \xef\xbf\xbd\xef\xbf\xbd %s%n");
	assert_string_equal(list.items[0].build_id, "");
	world_finish(&world);
}

static void exact_results_are_found_by_content(void **state)
{
	CLEANUP(boot_list_finish) struct boot_list list = {0};
	char key[HASH_HEX_SIZE], other[HASH_HEX_SIZE];
	const struct environment_field turned[] = {world_fields[2], world_fields[0],
						   world_fields[1]};
	struct world world;
	struct boot_record boot;
	struct error err = {0};

	(void)state;
	world_init(&world);
	environment_key(world_fields, 3, key);
	environment_key(turned, 3, other);
	assert_string_equal(key, other);
	environment_key(turned, 2, other);
	assert_string_not_equal(key, other);
	boot = world_boot(&world);
	boot.samples = two_samples;
	boot.sample_count = 2;
	world_add_boot(&world, boot);
	boot.outcome = "hung";
	world_add_boot(&world, boot);
	assert_int_equal(
		store_find_boots(world.store, "key of v1", "digest", key, &list, &err),
		0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].sample_count, 2);
	assert_string_equal(list.items[0].samples[1].better, "higher");
	assert_string_equal(list.items[0].purpose, "measure");
	assert_int_equal(
		store_find_boots(world.store, "key of v1", "digest", other, &list, &err),
		0);
	assert_int_equal(list.count, 1);
	world_finish(&world);
}

static void add_value(struct world *world, int64_t kernel, double value,
		      const char *purpose)
{
	const struct sample_record sample = {"", "elapsed", "ns", "lower", value};
	struct boot_record boot = world_boot(world);

	boot.kernel = kernel;
	boot.purpose = purpose;
	boot.samples = &sample;
	boot.sample_count = 1;
	world_add_boot(world, boot);
}

static void results_are_grouped(void **state)
{
	struct world world;
	struct results results;
	struct results_query query = {.scenario = "fsync-loop"};
	const struct result_value *values;
	struct error err = {0};
	int64_t kernel, wanted[2];
	size_t count;

	(void)state;
	world_init(&world);
	wanted[1] = world.version;
	wanted[0] = world_add_version(&world, "v2", NULL, &kernel);
	add_value(&world, world.kernel, 10, NULL);
	add_value(&world, world.kernel, 11, "identity");
	add_value(&world, kernel, 20, NULL);
	add_value(&world, kernel, 99, "reference");
	query.versions = wanted;
	query.version_count = 2;
	assert_int_equal(store_load_results(world.store, &query, &results, &err), 0);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.versions.count, 2);
	assert_string_equal(results.versions.items[0].text, "v2");
	assert_string_equal(results.series[0].metric, "elapsed");
	values = results_of_version(&results.series[0], 0, &count);
	assert_int_equal(count, 1);
	assert_true(values[0].value == 20);
	values = results_of_version(&results.series[0], 1, &count);
	assert_int_equal(count, 2);
	assert_true(values[1].value == 11);
	results_of_version(&results.series[0], 2, &count);
	assert_int_equal(count, 0);
	results_finish(&results);
	query.scenario = "nothing";
	assert_int_equal(store_load_results(world.store, &query, &results, &err), 0);
	assert_int_equal(results.count, 0);
	results_finish(&results);
	wanted[0] = 77;
	assert_int_equal(store_load_results(world.store, &query, &results, &err), -1);
	world_finish(&world);
}

/* A note takes away the verdicts of its session: its boots are told apart. */
static void boots_of_moved_sessions_are_known(void **state)
{
	struct results_query query = {0};
	struct results results = {0};
	struct note_record note = {.kind = NOTE_REFERENCE_MOVED, .text = "it moved"};
	struct session_record session = {.command = "run", .lab = "disk", .program = "1"};
	CLEANUP(session_set_finish) struct session_set sessions = {0};
	const struct result_value *values;
	struct world world;
	struct error err = {0};
	size_t count;

	(void)state;
	world_init(&world);
	add_value(&world, world.kernel, 10, NULL);
	add_value(&world, world.kernel, 98, "calibrate");
	note.session = world.session;
	assert_int_equal(store_add_note(world.store, &note, &err), 0);
	assert_int_equal(store_add_session(world.store, &session, &world.session, &err),
			 0);
	add_value(&world, world.kernel, 11, NULL);
	assert_int_equal(store_load_results(world.store, &query, &results, &err), 0);
	values = results_of_version(&results.series[0], 0, &count);
	assert_int_equal(count, 2);
	assert_true(results_moved(&results, values[0].boot));
	assert_false(results_moved(&results, values[1].boot));
	results_finish(&results);
	session_set_add(&sessions, world.session);
	query.boots_of = &sessions;
	assert_int_equal(store_load_results(world.store, &query, &results, &err), 0);
	values = results_of_version(&results.series[0], 0, &count);
	assert_int_equal(count, 1);
	assert_true(values[0].value == 11);
	results_finish(&results);
	world_finish(&world);
}

static int64_t add_session(struct world *world, const char *command, const char *lab,
			   int exit_code)
{
	struct session_record session = {.command = command, .lab = lab, .program = "1"};
	struct error err = {0};
	int64_t id;

	assert_int_equal(store_add_session(world->store, &session, &id, &err), 0);
	if (exit_code >= 0)
		assert_int_equal(
			store_end_session(world->store, id, exit_code, NULL, &err), 0);
	return id;
}

/* What was interrupted or killed goes on, back to the last one that came to an end. */
static void interrupted_sessions_go_on(void **state)
{
	CLEANUP(session_set_finish) struct session_set set = {0};
	CLEANUP(boot_list_finish) struct boot_list list = {0};
	struct boot_record boot;
	struct world world;
	struct error err = {0};
	int64_t killed, stopped, now;
	char key[HASH_HEX_SIZE];

	(void)state;
	world_init(&world);
	add_session(&world, "run a b", "disk", 130);
	add_session(&world, "run a b", "disk", 0);
	killed = add_session(&world, "run a b", "disk", -1);
	add_session(&world, "run a c", "disk", 1);
	add_session(&world, "run a b", "virtual", 0);
	stopped = add_session(&world, "run a b", "disk", 130);
	now = add_session(&world, "run a b", "disk", -1);
	assert_int_equal(store_find_interrupted(world.store, now, &set, &err), 0);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.ids[0], stopped);
	assert_int_equal(set.ids[1], killed);
	for (int i = 0; i < 3; i++) {
		boot = world_boot(&world);
		boot.session = i == 0 ? killed : i == 1 ? stopped : world.session;
		boot.purpose = i == 1 ? "reference" : NULL;
		world_add_boot(&world, boot);
	}
	environment_key(world_fields, 3, key);
	assert_int_equal(store_find_session_boots(world.store, "key of v1", "digest", key,
						  &set, NULL, &list, &err),
			 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].session, killed);
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_told_from_bytes),
		cmocka_unit_test(doubles_come_back_bit_by_bit),
		cmocka_unit_test(broken_numbers_leave_nothing),
		cmocka_unit_test(hostile_strings_are_data),
		cmocka_unit_test(exact_results_are_found_by_content),
		cmocka_unit_test(results_are_grouped),
		cmocka_unit_test(boots_of_moved_sessions_are_known),
		cmocka_unit_test(interrupted_sessions_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
