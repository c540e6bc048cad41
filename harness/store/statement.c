/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/statement_private.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

struct value value_id(int64_t id)
{
	return id ? value_integer(id) : value_text(NULL);
}

struct value value_time(int64_t time)
{
	return value_integer(time ? time : store_now());
}

/* SQLite keeps its own copy, since most strings are short and do not live long. */
static int bind_text(sqlite3_stmt *handle, int position, const char *string)
{
	CLEANUP(text_finish) struct text clean = {0};
	size_t length;

	if (!string)
		return sqlite3_bind_null(handle, position);
	length = strlen(string);
	if (utf8_valid(string, length))
		return sqlite3_bind_text(handle, position, string, (int)length,
					 SQLITE_TRANSIENT);
	utf8_add(&clean, string, length);
	return sqlite3_bind_text(handle, position, clean.data, (int)clean.size,
				 SQLITE_TRANSIENT);
}

static int bind(sqlite3_stmt *handle, int position, const struct value *value)
{
	switch (value->type) {
	case VALUE_INTEGER:
		return sqlite3_bind_int64(handle, position, value->integer);
	case VALUE_DOUBLE:
		return sqlite3_bind_double(handle, position, value->number);
	case VALUE_TEXT:
		return bind_text(handle, position, value->text);
	}
	return SQLITE_MISUSE;
}

static int bind_all(struct statement *statement, const struct value *values, size_t count,
		    struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (bind(statement->handle, (int)i + 1, &values[i]) != SQLITE_OK)
			return store_fail(statement->store, "bind", err);
	return 0;
}

int statement_prepare(struct statement *statement, struct store *store, const char *sql,
		      const struct value *values, size_t count, struct error *err)
{
	statement->store = store;
	if (sqlite3_prepare_v2(store->handle, sql, -1, &statement->handle, NULL) !=
	    SQLITE_OK)
		return store_fail(store, "prepare", err);
	return bind_all(statement, values, count, err);
}

int statement_reset(struct statement *statement, const struct value *values, size_t count,
		    struct error *err)
{
	sqlite3_reset(statement->handle);
	return bind_all(statement, values, count, err);
}

int statement_step(struct statement *statement, struct error *err)
{
	switch (sqlite3_step(statement->handle)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return store_fail(statement->store, "step", err);
	}
}

void statement_finish(struct statement *statement)
{
	sqlite3_finalize(statement->handle);
	*statement = (struct statement){0};
}

int statement_execute(struct store *store, const char *sql, const struct value *values,
		      size_t count, int64_t *ret_id, struct error *err)
{
	CLEANUP(statement_finish) struct statement statement = {0};

	if (statement_prepare(&statement, store, sql, values, count, err) < 0 ||
	    statement_step(&statement, err) < 0)
		return -1;
	if (ret_id)
		*ret_id = sqlite3_last_insert_rowid(store->handle);
	return 0;
}

int statement_repeat(struct statement *statement, const struct value *values,
		     size_t count, struct error *err)
{
	if (statement_reset(statement, values, count, err) < 0)
		return -1;
	return statement_step(statement, err) < 0 ? -1 : 0;
}

int statement_integer(struct store *store, const char *sql, const struct value *values,
		      size_t count, int64_t *ret_integer, int *ret_found,
		      struct error *err)
{
	CLEANUP(statement_finish) struct statement statement = {0};
	int more;

	if (statement_prepare(&statement, store, sql, values, count, err) < 0)
		return -1;
	more = statement_step(&statement, err);
	if (more < 0)
		return -1;
	*ret_found = more;
	if (more)
		*ret_integer = column_integer(&statement, 0);
	return 0;
}

int statement_intern(struct store *store, const char *select, const struct value *key,
		     size_t key_count, const char *insert, const struct value *values,
		     size_t count, int64_t *ret_id, struct error *err)
{
	int found;

	if (statement_integer(store, select, key, key_count, ret_id, &found, err) < 0)
		return -1;
	return found ? 0 : statement_execute(store, insert, values, count, ret_id, err);
}

int64_t column_integer(struct statement *statement, int column)
{
	return sqlite3_column_int64(statement->handle, column);
}

double column_double(struct statement *statement, int column)
{
	if (sqlite3_column_type(statement->handle, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(statement->handle, column);
}

/* A file that others wrote to may hold anything, so it is made clean here too. */
const char *column_text(struct statement *statement, int column,
			struct text_list *strings)
{
	CLEANUP(text_finish) struct text clean = {0};
	const unsigned char *text = sqlite3_column_text(statement->handle, column);

	if (text)
		utf8_add(&clean, (const char *)text, strlen((const char *)text));
	text_list_add(strings, text_string(&clean));
	return strings->items[strings->count - 1];
}

int transaction_begin(struct transaction *transaction, struct store *store,
		      struct error *err)
{
	if (store_begin(store, err) < 0)
		return -1;
	transaction->store = store;
	return 0;
}

int transaction_begin_read(struct transaction *transaction, struct store *store,
			   struct error *err)
{
	if (store_begin_read(store, err) < 0)
		return -1;
	transaction->store = store;
	return 0;
}

int transaction_commit(struct transaction *transaction, struct error *err)
{
	if (store_commit(transaction->store, err) < 0)
		return -1;
	transaction->store = NULL;
	return 0;
}

void transaction_finish(struct transaction *transaction)
{
	if (transaction->store)
		store_rollback(transaction->store);
	transaction->store = NULL;
}
