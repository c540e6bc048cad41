/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remarks on boots in the database, and databases of older programs. */
#include "store/schema_private.h"
#include "tests/unit/older_private.h"

#include <math.h>
#include <string.h>

static long long ask(const char *path, const char *sql)
{
	sqlite3 *handle;
	sqlite3_stmt *statement;
	long long answer = -1;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL),
			 SQLITE_OK);
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return answer;
}

static void add_boot(struct world *world, const char *outcome,
		     const struct remark_record *remarks, size_t count)
{
	struct boot_record boot = world_boot(world);
	struct error err = {0};
	int64_t id;

	boot.outcome = outcome;
	boot.remarks = remarks;
	boot.remark_count = count;
	if (store_add_boot(world->store, &boot, &id, &err) < 0)
		fail_msg("%s", err.text);
}

/* Those of the last boot count; what does not apply comes back as such. */
static void remarks_of_the_last_boot_come_back(void **state)
{
	static const struct remark_record old[] = {
		{"target=file", 1, "stall", 3, 1, 9, "stalls"}};
	static const struct remark_record last[] = {
		{"target=device", 1, "drift", 0, 100, 82.5, "drifts"},
		{"target=device", 2, "hang", 43, NAN, NAN, "hangs \x1b[31m \xff"},
	};
	CLEANUP(remark_list_finish) struct remark_list list = {0};
	CLEANUP(remark_list_finish) struct remark_list none = {0};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	add_boot(&world, "ok", old, 1);
	add_boot(&world, "hung", last, 2);
	assert_int_equal(store_load_remarks(world.store, world.session, &none, &err), 0);
	assert_int_equal(none.count, 0); /* the session has no versions yet */
	assert_int_equal(store_add_session_versions(world.store, world.session,
						    &world.version, 1, &err),
			 0);
	assert_int_equal(store_load_remarks(world.store, world.session, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].version, "v1");
	assert_string_equal(list.items[0].scenario, "fsync-loop");
	assert_string_equal(list.items[1].outcome, "hung");
	assert_string_equal(list.items[0].remark.case_label, "target=device");
	assert_string_equal(list.items[0].remark.word, "drift");
	assert_true(list.items[0].remark.size == 82.5);
	assert_int_equal(list.items[1].remark.run, 2);
	assert_true(list.items[1].remark.start == 43);
	assert_true(isnan(list.items[1].remark.length));
	assert_string_equal(list.items[1].remark.text, "hangs \x1b[31m \xef\xbf\xbd");
	assert_int_equal(ask(world.path, "SELECT count(*) FROM within_runs"
					 " WHERE word = 'drift' AND size > 82"),
			 1);
	world_finish(&world);
}

static void an_older_database_is_brought_up(void **state)
{
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	add_boot(&world, "ok", NULL, 0);
	world_make_older(&world, 5);
	assert_int_equal(store_open(world.path, STORE_READ_ONLY, &world.store, &err), -1);
	assert_non_null(strstr(err.text, "older kregress"));
	if (store_open(world.path, STORE_READ_WRITE, &world.store, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ask(world.path, "PRAGMA user_version"), schema_version());
	assert_int_equal(ask(world.path, "SELECT count(*) FROM boots"), 1);
	assert_int_equal(ask(world.path, "SELECT count(*) FROM remarks"), 0);
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remarks_of_the_last_boot_come_back),
		cmocka_unit_test(an_older_database_is_brought_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
