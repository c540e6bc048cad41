/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Databases of earlier versions, for the tests of migrations. */
#ifndef TESTS_UNIT_OLDER_PRIVATE_H
#define TESTS_UNIT_OLDER_PRIVATE_H

#include "tests/unit/store_fixture.h"

#include <sqlite3.h>

/*
 * The database as a kregress of that schema would have left it: without the tables that
 * came later. It is closed then.
 */
static inline void world_make_older(struct world *world, int version)
{
	static const char *const later[] = {
		[2] = "DROP TABLE queue_items; DROP TABLE queues; DROP TABLE "
		      "finding_moves;",
		[3] = "DROP VIEW executed; DROP TABLE explanations; DROP TABLE "
		      "profile_lines;"
		      "DROP TABLE profiles; DROP TABLE functions;",
		[4] = "DROP TABLE noise; DROP TABLE calibrations;",
		[5] = "DROP TABLE commit_order;",
		[6] = "DROP VIEW within_runs; DROP TABLE remarks;",
		[7] = "DROP VIEW settings; DROP TABLE boot_settings; DROP TABLE "
		      "disk_settings;",
		[8] = "DROP TABLE changed_code;",
	};
	CLEANUP(text_finish) struct text lines = {0};
	sqlite3 *handle;

	store_close(TAKE(world->store));
	for (size_t i = sizeof(later) / sizeof(*later) - 1; i > (size_t)version; i--)
		text_add(&lines, later[i]);
	text_format(&lines, "PRAGMA user_version = %d", version);
	assert_int_equal(sqlite3_open(world->path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, text_string(&lines), NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(handle);
}

#endif
