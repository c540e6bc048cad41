/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of disks, as guests read them back; boots that left disks out. */
#include "store/boots.h"
#include "store/results.h"
#include "tests/unit/older_private.h"

#include <string.h>

static const struct setting_record settings[] = {
	{"mode=keep", "DISK0", "scheduler", "none"},
	{"mode=keep", "DISK0", "queue_depth", "63"},
	{"mode=keep", "DISK0", "queue_depth", "63"},
	{"mode=extend", "DISK0", "queue_depth", "63"},
};

static int64_t add_boot(struct world *world, const char *outcome)
{
	const struct sample_record sample = {"mode=keep", "elapsed", "ns", "lower", 7};
	struct boot_record boot = world_boot(world);
	struct error err = {0};
	int64_t id = 0;

	boot.version = world->version;
	boot.outcome = outcome;
	boot.samples = &sample;
	boot.sample_count = 1;
	boot.settings = settings;
	boot.setting_count = sizeof(settings) / sizeof(*settings);
	if (store_add_boot(world->store, &boot, &id, &err))
		fail_msg("%s", err.text);
	return id;
}

static int count(const struct world *world, const char *sql)
{
	sqlite3_stmt *statement;
	sqlite3 *handle;
	int number;

	assert_int_equal(sqlite3_open(world->path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	number = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return number;
}

static void settings_are_kept_once_a_case(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	add_boot(&world, "ok");
	add_boot(&world, "ok");
	assert_int_equal(count(&world, "SELECT count(*) FROM settings"), 6);
	assert_int_equal(count(&world, "SELECT count(*) FROM disk_settings"), 2);
	assert_int_equal(count(&world, "SELECT count(*) FROM settings WHERE version = "
				       "'v1' AND case_label = 'mode=extend' AND disk = "
				       "'DISK0' AND name = 'queue_depth' AND value = "
				       "'63'"),
			 2);
	world_finish(&world);
}

static void a_boot_in_part_has_results_and_is_told(void **state)
{
	CLEANUP(results_finish) struct results results = {0};
	CLEANUP(failure_list_finish) struct failure_list failures = {0};
	const struct results_query all = {0};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	add_boot(&world, "partial");
	add_boot(&world, "panic");
	assert_int_equal(store_load_results(world.store, &all, &results, &err), 0);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.series[0].count, 1);
	assert_int_equal(store_load_failures(world.store, 0, &failures, &err), 0);
	assert_int_equal(failures.count, 2);
	assert_string_equal(failures.items[0].outcome, "partial");
	world_finish(&world);
}

static void an_older_database_is_brought_up(void **state)
{
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	world_make_older(&world, 4);
	assert_int_equal(store_open(world.path, STORE_READ_WRITE, &world.store, &err), 0);
	add_boot(&world, "ok");
	assert_int_equal(count(&world, "SELECT count(*) FROM settings"), 3);
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_kept_once_a_case),
		cmocka_unit_test(a_boot_in_part_has_results_and_is_told),
		cmocka_unit_test(an_older_database_is_brought_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
