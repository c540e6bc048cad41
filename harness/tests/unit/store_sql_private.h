/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The database file as others see it: by connections of their own. */
#ifndef TESTS_UNIT_STORE_SQL_PRIVATE_H
#define TESTS_UNIT_STORE_SQL_PRIVATE_H

#include "store_fixture.h"

#include <sqlite3.h>

/* One integer out of the file, seen by a connection of its own. */
static inline long long sql_ask(const char *path, const char *sql)
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

static inline void sql_tell(const char *path, const char *sql)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	sqlite3_busy_timeout(handle, 60000);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

#endif
