/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/interrupt.h"
#include "base/utf8.h"
#include "store/findings.h"
#include "store/noise.h"
#include "store/queue.h"
#include "store/results.h"
#include "store/schema_private.h"
#include "store/search.h"
#include "store/verdicts.h"
#include "store_fixture.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sample_record two_samples[] = {
	{"block_size=4096", "elapsed", "ns", "lower", 3138000123.0},
	{"block_size=4096", "throughput", "B/s", "higher", 0.1},
};

/* One integer out of the file, seen by a connection of its own. */
static long long ask(const char *path, const char *sql)
{
	sqlite3 *handle;
	sqlite3_stmt *statement;
	long long answer = -1;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	/* A writer that opens or recovers the file holds it for a moment. */
	sqlite3_busy_timeout(handle, 60000);
	assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL),
			 SQLITE_OK);
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return answer;
}

static void tell(const char *path, const char *sql)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	sqlite3_busy_timeout(handle, 60000);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

static void add_boot(struct world *world, struct boot_record boot)
{
	struct error err = {0};
	int64_t id;

	if (store_add_boot(world->store, &boot, &id, &err) < 0)
		fail_msg("%s", err.text);
}

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

static void opening_twice_keeps_the_rows(void **state)
{
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	store_close(world.store);
	assert_int_equal(store_open(world.path, STORE_READ_WRITE, &world.store, &err), 0);
	assert_int_equal(ask(world.path, "PRAGMA user_version"), schema_version());
	assert_int_equal(ask(world.path, "PRAGMA application_id"), 0x4b524752);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM sessions"), 1);
	assert_int_equal(
		ask(world.path, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"),
		1);
	world_finish(&world);
}

/* What must be refused, and must be the same bytes afterwards. */
static void expect_refusal(const struct world *world, enum store_mode mode,
			   const char *words)
{
	CLEANUP(text_finish) struct text before = {0};
	CLEANUP(text_finish) struct text after = {0};
	CLEANUP(cleanup_store) struct store *store = NULL;
	struct error err = {0};

	assert_int_equal(file_read(world->path, 1 << 22, &before, &err), 0);
	assert_int_equal(store_open(world->path, mode, &store, &err), -1);
	assert_null(store);
	assert_non_null(strstr(err.text, words));
	assert_non_null(strstr(err.text, world->path));
	assert_int_equal(file_read(world->path, 1 << 22, &after, &err), 0);
	assert_int_equal(before.size, after.size);
	assert_memory_equal(text_string(&before), text_string(&after), before.size);
}

static void foreign_files_are_left_alone(void **state)
{
	struct world world;
	struct error err = {0};
	char noise[8192];

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	tell(world.path, "PRAGMA user_version = 999");
	expect_refusal(&world, STORE_READ_WRITE, "newer kregress");
	expect_refusal(&world, STORE_READ_ONLY, "newer kregress");
	tell(world.path, "PRAGMA user_version = 0");
	expect_refusal(&world, STORE_READ_ONLY, "older kregress");
	tell(world.path, "PRAGMA application_id = 7");
	expect_refusal(&world, STORE_READ_WRITE, "another program");
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)(i * 37 + 11);
	assert_int_equal(file_write(world.path, noise, sizeof(noise), &err), 0);
	expect_refusal(&world, STORE_READ_WRITE, "not a database");
	expect_refusal(&world, STORE_READ_ONLY, "not a database");
	world_finish(&world);
}

static void damage_is_an_error(void **state)
{
	struct world world;
	struct error err = {0};
	struct results results = {0};
	struct results_query query = {0};
	const char zeros[4096] = {0};
	int fd;

	(void)state;
	world_init(&world);
	add_boot(&world, world_boot(&world));
	store_close(TAKE(world.store));
	fd = open(world.path, O_WRONLY);
	for (int page = 1; page < 60; page++)
		assert_int_equal(pwrite(fd, zeros, 4096, page * 4096), 4096);
	close(fd);
	if (!store_open(world.path, STORE_READ_ONLY, &world.store, &err))
		assert_int_equal(store_load_results(world.store, &query, &results, &err),
				 -1);
	assert_non_null(strstr(err.text, "damaged"));
	world_finish(&world);
}

static void missing_file_is_not_made_by_readers(void **state)
{
	CLEANUP(cleanup_store) struct store *store = NULL;
	struct error err = {0};

	(void)state;
	assert_int_equal(
		store_open("/tmp/kregress-no-such/x", STORE_READ_ONLY, &store, &err), -1);
	assert_non_null(strstr(err.text, "no results there yet"));
	assert_int_equal(
		store_open("/tmp/kregress-no-such/x", STORE_READ_WRITE, &store, &err),
		-1);
	assert_int_equal(err.kind, ERROR_HOST);
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
		add_boot(&world, boot);
	}
	environment_key(world_fields, 3, key);
	assert_int_equal(store_find_session_boots(world.store, "key of v1", "digest", key,
						  &set, NULL, &list, &err),
			 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].session, killed);
	world_finish(&world);
}

/* What an old version wrote is there afterwards, with the tables that came since. */
static void older_databases_are_brought_up(void **state)
{
	CLEANUP(text_finish) struct text old = {0};
	CLEANUP(cleanup_free) char *path = NULL;
	struct results_query query = {0};
	struct results results = {0};
	struct floor_list floors = {0};
	struct store *store = NULL;
	struct world world;
	struct error err = {0};
	long long newest;

	(void)state;
	world_init(&world);
	newest = ask(world.path, "PRAGMA user_version");
	path = file_join(world.folder, "old.sqlite");
	assert_int_equal(
		file_read("harness/tests/unit/schema-1.sql", 1 << 20, &old, &err), 0);
	tell(path, text_string(&old));
	assert_int_equal(ask(path, "PRAGMA user_version"), 1);
	assert_int_equal(store_open(path, STORE_READ_ONLY, &store, &err), -1);
	assert_int_equal(store_open(path, STORE_READ_WRITE, &store, &err), 0);
	assert_int_equal(ask(path, "PRAGMA user_version"), newest);
	assert_int_equal(store_load_results(store, &query, &results, &err), 0);
	assert_int_equal(results.versions.count, 2);
	assert_int_equal(results.series[0].count, 3);
	assert_int_equal(store_load_floors(store, &floors, &err), 0);
	assert_int_equal(floors.count, 0);
	assert_int_equal(store_add_queue(store, 1, NULL, 0, &err), 0);
	results_finish(&results);
	floor_list_finish(&floors);
	store_close(store);
	world_finish(&world);
}

/* The newest calibration of an environment counts, and no other environment's. */
static void floors_are_of_the_newest_calibration(void **state)
{
	struct noise_record rows[] = {
		{"a=1", "elapsed", 10, 1, 2.5, {5, 4, NAN}, 3, 0},
		{"a=2", "elapsed", 0, NAN, NAN, {NAN, NAN, NAN}, 3, 1},
	};
	struct calibration_record record = {.version = "v1",
					    .scenario = "sync",
					    .boots = 30,
					    .rows = rows,
					    .count = 2};
	struct floor_list list = {0};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	record.session = world.session;
	record.environment = world.environment;
	assert_int_equal(store_add_calibration(world.store, &record, &err), 0);
	rows[0].floor_percent = 1.5;
	record.count = 1;
	assert_int_equal(store_add_calibration(world.store, &record, &err), 0);
	assert_int_equal(store_load_floors(world.store, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_true(floor_find(&list, world.environment, "sync", "a=1", "elapsed") ==
		    1.5);
	assert_true(floor_find(&list, world.environment, "sync", "a=2", "elapsed") == 0);
	assert_true(floor_find(&list, world.environment + 1, "sync", "a=1", "elapsed") ==
		    0);
	assert_true(floor_find(&list, world.environment, "sync", "a=1", "p99") == 0);
	floor_list_finish(&list);
	world_finish(&world);
}

/* Only a user who is not root meets the folder that may not be written. */
static void a_path_too_long_for_sqlite_is_said(void **state)
{
	CLEANUP(text_finish) struct text path = {0};
	struct store *store = NULL;
	struct error err = {0};

	(void)state;
	for (int i = 0; i < 6; i++)
		text_format(&path, "/%0100d", 0);
	assert_int_equal(store_open(text_string(&path), STORE_READ_WRITE, &store, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "606 bytes"));
}

static void readers_need_no_write_permission(void **state)
{
	struct world world;
	struct error err = {0};
	int status;
	pid_t child;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	assert_int_equal(chmod(world.folder, 0555) | chmod(world.path, 0444), 0);
	child = fork();
	if (!child) {
		struct store *store = NULL;
		struct session_list list = {0};

		if (!geteuid() && (setgid(65534) || setuid(65534)))
			_exit(2);
		if (store_open(world.path, STORE_READ_ONLY, &store, &err) < 0 ||
		    store_load_sessions(store, &list, &err) < 0 || list.count != 1)
			_exit(1);
		/* and writing is refused */
		_exit(store_end_session(store, 1, 0, NULL, &err) < 0 ? 0 : 3);
	}
	waitpid(child, &status, 0);
	chmod(world.folder, 0755);
	assert_int_equal(status, 0);
	world_finish(&world);
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
	assert_int_equal(ask(world.path, "SELECT count(*) FROM windows"), COUNT);
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
	assert_int_equal(ask(world.path, "SELECT count(*) FROM boots"), 0);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM samples"), 0);
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
	add_boot(&world, boot);
	boot.outcome = "hung";
	add_boot(&world, boot);
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
	add_boot(world, boot);
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

static void failures_name_version_and_cause(void **state)
{
	CLEANUP(failure_list_finish) struct failure_list list = {0};
	struct world world;
	struct boot_record boot;
	struct build_record build = {.outcome = "build-failed",
				     .first_error = "fs/x.c:3: error: no"};
	struct error err = {0};
	int64_t second, later;

	(void)state;
	world_init(&world);
	boot = world_boot(&world);
	boot.outcome = "panic";
	boot.detail = "VFS: Unable to mount root";
	boot.started = 100;
	add_boot(&world, boot);
	build.session = world.session;
	build.started = 200;
	second = world_add_version(&world, "v2", NULL, &build.kernel);
	assert_int_equal(store_add_build(world.store, &build, &err), 0);
	assert_int_equal(store_load_failures(world.store, world.session, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[1].version, "v1");
	assert_string_equal(list.items[1].outcome, "panic");
	assert_string_equal(list.items[0].version, "v2");
	assert_string_equal(list.items[0].detail, "fs/x.c:3: error: no");
	assert_int_equal(ask(world.path, "SELECT count(*) FROM outcomes"), 2);
	/* a later session about v2 has nothing of its own, but v2 still does not build */
	assert_int_equal(store_add_session(world.store,
					   &(struct session_record){.command = "again"},
					   &later, &err),
			 0);
	assert_int_equal(store_add_session_versions(world.store, later, &second, 1, &err),
			 0);
	failure_list_finish(&list);
	assert_int_equal(store_load_failures(world.store, later, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].version, "v2");
	build.outcome = "ok";
	build.started = 300;
	assert_int_equal(store_add_build(world.store, &build, &err), 0);
	failure_list_finish(&list);
	assert_int_equal(store_load_failures(world.store, later, &list, &err), 0);
	assert_int_equal(list.count, 0);
	world_finish(&world);
}

static void searches_are_replayed(void **state)
{
	static const double values[] = {0.1, 7, 1e300};
	static const struct suspect_record suspects[] = {{"aa", 0.25, 1, 0},
							 {"bb", 0.75, 0, 1}};
	CLEANUP(step_list_finish) struct step_list steps = {0};
	CLEANUP(search_list_finish) struct search_list list = {0};
	struct world world;
	struct search_record search = {.key = "k", .kind = "command", .parameters = "{}"};
	struct search_event event = {
		.status = "running", .suspects = suspects, .suspect_count = 2};
	struct step_record step = {.commit = "aa",
				   .outcome = "ok",
				   .values = values,
				   .value_count = 3,
				   .seconds = 1.5};
	struct error err = {0};
	int64_t first, second, found;

	(void)state;
	world_init(&world);
	search.session = world.session;
	assert_int_equal(store_find_search(world.store, "k", &found, &err), 0);
	assert_int_equal(found, 0);
	assert_int_equal(store_add_search(world.store, &search, &first, &err), 0);
	assert_int_equal(store_add_search(world.store, &search, &second, &err), 0);
	assert_int_equal(store_find_search(world.store, "k", &found, &err), 0);
	assert_int_equal(found, second);
	assert_int_equal(store_add_step(world.store, second, &step, &err), 0);
	step = (struct step_record){.commit = "bb", .outcome = "skipped"};
	assert_int_equal(store_add_step(world.store, second, &step, &err), 0);
	assert_int_equal(store_load_steps(world.store, second, &steps, &err), 0);
	assert_int_equal(steps.count, 2);
	assert_int_equal(steps.items[0].value_count, 3);
	assert_memory_equal(steps.items[0].values, values, sizeof(values));
	assert_int_equal(steps.items[1].value_count, 0);
	assert_string_equal(steps.items[1].commit, "bb");
	assert_int_equal(store_add_search_event(world.store, second, &event, &err), 0);
	event = (struct search_event){
		.status = "confirmed", .culprit = "bb", .result = "{\"boots\":2}"};
	assert_int_equal(store_add_search_event(world.store, second, &event, &err), 0);
	assert_int_equal(store_load_searches(world.store, 0, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].status, "running");
	assert_string_equal(list.items[1].status, "confirmed");
	assert_string_equal(list.items[1].culprit, "bb");
	assert_int_equal(list.items[1].suspect_count, 2);
	assert_true(list.items[1].suspects[1].probability == 0.75);
	world_finish(&world);
}

static void verdicts_keep_every_figure(void **state)
{
	static const char *const reasons[] = {"exact", "significant"};
	CLEANUP(verdict_list_finish) struct verdict_list list = {0};
	struct world world;
	struct verdict_record verdicts[2] = {{
		.role = "neighbour",
		.a = {.text = "v1", .boots = 1, .median = 1, .min = 1, .max = 1},
		.b = {.text = "v2", .boots = 2, .median = 2.5, .min = 2, .max = 3},
		.scenario = "fsync-loop",
		.metric = "elapsed",
		.unit = "ns",
		.better = "lower",
		.change_percent = 150,
		.ci_low_percent = NAN,
		.ci_high_percent = NAN,
		.p = NAN,
		.q = NAN,
		.superiority = 1,
		.verdict = "regression",
		.reasons = reasons,
		.reason_count = 2,
	}};
	struct error err = {0};

	(void)state;
	world_init(&world);
	verdicts[0].session = world.session;
	verdicts[0].a.version = world.version;
	verdicts[1] = verdicts[0];
	verdicts[1].verdict = "same";
	verdicts[1].reason_count = 0;
	assert_int_equal(store_add_verdicts(world.store, verdicts, 2, &err), 0);
	assert_int_equal(store_load_verdicts(world.store, world.session, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_true(isnan(list.items[0].p) && isnan(list.items[0].ci_low_percent));
	assert_true(list.items[0].b.median == 2.5 && list.items[0].b.boots == 2);
	assert_int_equal(list.items[0].reason_count, 2);
	assert_string_equal(list.items[0].reasons[1], "significant");
	assert_int_equal(list.items[1].reason_count, 0);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM regressions"), 1);
	verdicts[1].session = 999; /* all or none */
	assert_int_equal(store_add_verdicts(world.store, verdicts, 2, &err), -1);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM verdicts"), 2);
	world_finish(&world);
}

static void findings_live_by_events(void **state)
{
	static const struct finding_case item = {"fsync-loop", "a=1", "elapsed", 0};
	CLEANUP(finding_list_finish) struct finding_list list = {0};
	struct world world;
	struct finding_record finding = {
		.lab = "virtual", .cases = &item, .case_count = 1, .bad = "v2"};
	struct finding_event event = {.kind = "bisected", .commit = "abc"};
	struct error err = {0};
	int64_t kernel, id;

	(void)state;
	world_init(&world);
	finding.session = event.session = world.session;
	finding.good_version = world.version;
	finding.bad_version = world_add_version(&world, "v2", NULL, &kernel);
	assert_int_equal(store_add_finding(world.store, &finding, &id, &err), 0);
	assert_int_equal(store_add_finding_case(world.store, id, &item, &err), 0);
	assert_int_equal(store_add_finding_event(world.store, id, &event, &err), 0);
	assert_int_equal(store_load_findings(world.store, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].case_count, 1);
	assert_int_equal(list.items[0].event_count, 2);
	assert_string_equal(list.items[0].bad, "v2");
	assert_string_equal(finding_state(&list.items[0]), "bisected");
	world_finish(&world);
}

/* Opens for itself and adds boots until it is stopped or has added enough. */
static void write_boots(const struct world *world, int boots)
{
	struct sample_record samples[200];
	struct world mine = *world;
	struct boot_record boot = world_boot(world);
	struct error err = {0};
	int64_t id;

	for (int i = 0; i < 200; i++)
		samples[i] = (struct sample_record){
			.case_label = memory_format("n=%d", i),
			.metric = "elapsed",
			.unit = "ns",
			.better = "lower",
			.value = i,
		};
	boot.samples = samples;
	boot.sample_count = 200;
	if (store_open(mine.path, STORE_READ_WRITE, &mine.store, &err) < 0)
		_exit(1);
	for (int i = 0; i < boots; i++)
		if (store_add_boot(mine.store, &boot, &id, &err) < 0)
			_exit(2);
	store_close(mine.store);
	_exit(0);
}

static void two_processes_write_at_once(void **state)
{
	struct world world;
	pid_t children[2];
	int status;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i])
			write_boots(&world, 20);
	}
	for (int i = 0; i < 2; i++) {
		waitpid(children[i], &status, 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(ask(world.path, "SELECT count(*) FROM samples"), 2 * 20 * 200);
	world_finish(&world);
}

/* Both make the same new file at the same time. */
static void two_processes_create_at_once(void **state)
{
	struct world world;
	pid_t children[2];
	int status;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int round = 0; round < 10; round++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s-%d", world.path, round);

		for (int i = 0; i < 2; i++) {
			children[i] = fork();
			if (!children[i]) {
				struct store *store = NULL;
				struct error err = {0};

				_exit(store_open(path, STORE_READ_WRITE, &store, &err) <
				      0);
			}
		}
		for (int i = 0; i < 2; i++) {
			waitpid(children[i], &status, 0);
			assert_int_equal(status, 0);
		}
		assert_int_equal(ask(path, "PRAGMA user_version"), schema_version());
	}
	world_finish(&world);
}

/* Until the writer is at work, however slow the machine is: more boots than before. */
static void wait_for_boots(const char *path, long long before)
{
	for (int i = 0; i < 6000; i++) {
		if (ask(path, "SELECT count(*) FROM boots") > before)
			return;
		usleep(10000);
	}
	fail_msg("nothing was written in a minute");
}

static void a_killed_writer_leaves_whole_boots(void **state)
{
	struct world world;
	long long boots = 0;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int round = 0; round < 12; round++) {
		pid_t child = fork();

		if (!child)
			write_boots(&world, 100000);
		wait_for_boots(world.path, boots);
		usleep((unsigned)(round * 7919));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		boots = ask(world.path, "SELECT count(*) FROM boots");
		assert_int_equal(ask(world.path,
				     "SELECT count(*) FROM boots b WHERE 200 <> (SELECT"
				     " count(*) FROM samples WHERE boot = b.id)"),
				 0);
	}
	assert_int_equal(ask(world.path, "SELECT integrity_check = 'ok' FROM"
					 " pragma_integrity_check"),
			 1);
	world_finish(&world);
}

/* In a child: an interrupt is for ever. */
static int write_while_leaving(const char *path)
{
	struct store *store;
	struct error err = {0};

	interrupt_install();
	raise(SIGINT);
	return store_open(path, STORE_READ_WRITE, &store, &err) ||
	       store_begin(store, &err) != -1 || err.kind != ERROR_INTERRUPTED;
}

static void an_interrupt_does_not_wait_a_minute_for_a_writer(void **state)
{
	struct world world;
	sqlite3 *writer;
	int status;
	pid_t child;

	(void)state;
	world_init(&world);
	assert_int_equal(sqlite3_open(world.path, &writer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	child = fork();
	if (child == 0) {
		alarm(20);
		_exit(write_while_leaving(world.path));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	sqlite3_close(writer);
	world_finish(&world);
}

static void a_long_reader_loses_nothing(void **state)
{
	CLEANUP(cleanup_store) struct store *reader = NULL;
	CLEANUP(session_list_finish) struct session_list list = {0};
	struct world world;
	struct error err = {0};
	int64_t id;

	(void)state;
	world_init(&world);
	assert_int_equal(store_open(world.path, STORE_READ_ONLY, &reader, &err), 0);
	assert_int_equal(store_begin_read(reader, &err), 0);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	for (int i = 0; i < 50; i++)
		assert_int_equal(
			store_add_session(world.store,
					  &(struct session_record){.command = "run"}, &id,
					  &err),
			0);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	assert_int_equal(list.count, 2); /* one, read twice: nothing moved */
	assert_int_equal(store_commit(reader, &err), 0);
	session_list_finish(&list);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	assert_int_equal(list.count, 51);
	world_finish(&world);
}

static void transactions_nest(void **state)
{
	struct world world;
	struct error err = {0};
	int64_t id;
	const struct session_record session = {.command = "x"};

	(void)state;
	world_init(&world);
	assert_int_equal(store_begin(world.store, &err), 0);
	assert_int_equal(store_add_session(world.store, &session, &id, &err), 0);
	assert_int_equal(store_begin(world.store, &err), 0);
	assert_int_equal(store_add_session(world.store, &session, &id, &err), 0);
	store_rollback(world.store);
	add_boot(&world, world_boot(&world));
	assert_int_equal(ask(world.path, "SELECT count(*) FROM sessions"), 1);
	assert_int_equal(store_commit(world.store, &err), 0);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM sessions"), 2);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM boots"), 1);
	assert_int_equal(store_begin(world.store, &err), 0);
	add_boot(&world, world_boot(&world));
	store_rollback(world.store);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM boots"), 1);
	world_finish(&world);
}

/* In a tiny file system: boots go in until the disk is full, then one more fails. */
static int fill_disk(const char *folder)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, STORE_FILE_NAME);
	struct world world = {.path = path};
	struct boot_record boot;
	struct error err = {0};
	double points[2000];
	const struct series_record series = {"", "windows", "ns", 1, points, 2000};
	int64_t id;
	int boots = 0;

	for (int i = 0; i < 2000; i++)
		points[i] = 1.0 / (i + 3);
	if (store_open(path, STORE_READ_WRITE, &world.store, &err) < 0)
		return 10;
	store_add_session(world.store, &(struct session_record){.command = "x"},
			  &world.session, &err);
	store_add_scenario(world.store, "d", "s", "", &world.scenario, &err);
	store_add_environment(world.store, "virtual", world_fields, 3, &world.environment,
			      &err);
	store_add_kernel(world.store, &(struct kernel_record){.key = "k"}, &world.kernel,
			 &err);
	boot = world_boot(&world);
	boot.version = 0;
	boot.series = &series;
	boot.series_count = 1;
	while (boots < 1000 && !store_add_boot(world.store, &boot, &id, &err))
		boots++;
	if (boots < 3 || boots == 1000)
		return 11;
	if (!strstr(err.text, "full"))
		return 12;
	store_close(world.store);
	if (ask(path, "SELECT count(*) FROM series") != boots)
		return 13;
	return 0;
}

static void a_full_disk_loses_nothing(void **state)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	struct error err = {0};
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(file_make_temporary_folder("/tmp/kregress-full-", &folder, &err),
			 0);
	child = fork();
	if (!child) {
		if (unshare(CLONE_NEWNS) ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tmpfs", folder, "tmpfs", 0, "size=1500k"))
			_exit(77);
		_exit(fill_disk(folder));
	}
	waitpid(child, &status, 0);
	file_remove_tree(folder, &err);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* only root may mount */
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_told_from_bytes),
		cmocka_unit_test(opening_twice_keeps_the_rows),
		cmocka_unit_test(foreign_files_are_left_alone),
		cmocka_unit_test(damage_is_an_error),
		cmocka_unit_test(missing_file_is_not_made_by_readers),
		cmocka_unit_test(a_path_too_long_for_sqlite_is_said),
		cmocka_unit_test(readers_need_no_write_permission),
		cmocka_unit_test(doubles_come_back_bit_by_bit),
		cmocka_unit_test(broken_numbers_leave_nothing),
		cmocka_unit_test(hostile_strings_are_data),
		cmocka_unit_test(exact_results_are_found_by_content),
		cmocka_unit_test(results_are_grouped),
		cmocka_unit_test(boots_of_moved_sessions_are_known),
		cmocka_unit_test(interrupted_sessions_go_on),
		cmocka_unit_test(older_databases_are_brought_up),
		cmocka_unit_test(floors_are_of_the_newest_calibration),
		cmocka_unit_test(failures_name_version_and_cause),
		cmocka_unit_test(searches_are_replayed),
		cmocka_unit_test(verdicts_keep_every_figure),
		cmocka_unit_test(findings_live_by_events),
		cmocka_unit_test(two_processes_write_at_once),
		cmocka_unit_test(two_processes_create_at_once),
		cmocka_unit_test(a_killed_writer_leaves_whole_boots),
		cmocka_unit_test(an_interrupt_does_not_wait_a_minute_for_a_writer),
		cmocka_unit_test(a_long_reader_loses_nothing),
		cmocka_unit_test(transactions_nest),
		cmocka_unit_test(a_full_disk_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
