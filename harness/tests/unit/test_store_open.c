/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening: old, foreign and damaged files, and those that may not be written. */
#include "store/noise.h"
#include "store/queue.h"
#include "store/results.h"
#include "store/schema_private.h"
#include "store_sql_private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void opening_twice_keeps_the_rows(void **state)
{
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	store_close(world.store);
	assert_int_equal(store_open(world.path, STORE_READ_WRITE, &world.store, &err), 0);
	assert_int_equal(sql_ask(world.path, "PRAGMA user_version"), schema_version());
	assert_int_equal(sql_ask(world.path, "PRAGMA application_id"), 0x4b524752);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM sessions"), 1);
	assert_int_equal(sql_ask(world.path,
				 "SELECT journal_mode = 'wal' FROM pragma_journal_mode"),
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
	sql_tell(world.path, "PRAGMA user_version = 999");
	expect_refusal(&world, STORE_READ_WRITE, "newer kregress");
	expect_refusal(&world, STORE_READ_ONLY, "newer kregress");
	sql_tell(world.path, "PRAGMA user_version = 0");
	expect_refusal(&world, STORE_READ_ONLY, "older kregress");
	sql_tell(world.path, "PRAGMA application_id = 7");
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
	world_add_boot(&world, world_boot(&world));
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
	newest = sql_ask(world.path, "PRAGMA user_version");
	path = file_join(world.folder, "old.sqlite");
	assert_int_equal(
		file_read("harness/tests/unit/schema-1.sql", 1 << 20, &old, &err), 0);
	sql_tell(path, text_string(&old));
	assert_int_equal(sql_ask(path, "PRAGMA user_version"), 1);
	assert_int_equal(store_open(path, STORE_READ_ONLY, &store, &err), -1);
	assert_int_equal(store_open(path, STORE_READ_WRITE, &store, &err), 0);
	assert_int_equal(sql_ask(path, "PRAGMA user_version"), newest);
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
	world_add_boot(&world, world_boot(&world));
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM sessions"), 1);
	assert_int_equal(store_commit(world.store, &err), 0);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM sessions"), 2);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM boots"), 1);
	assert_int_equal(store_begin(world.store, &err), 0);
	world_add_boot(&world, world_boot(&world));
	store_rollback(world.store);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM boots"), 1);
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opening_twice_keeps_the_rows),
		cmocka_unit_test(foreign_files_are_left_alone),
		cmocka_unit_test(damage_is_an_error),
		cmocka_unit_test(missing_file_is_not_made_by_readers),
		cmocka_unit_test(older_databases_are_brought_up),
		cmocka_unit_test(a_path_too_long_for_sqlite_is_said),
		cmocka_unit_test(readers_need_no_write_permission),
		cmocka_unit_test(transactions_nest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
