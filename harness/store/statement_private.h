/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SQL with values, for the files of this folder alone.
 *
 *	statement_execute(store, "INSERT INTO t(a, b) VALUES(?, ?)",
 *			  VALUES(value_text(name), value_integer(7)), &id, err)
 *
 *	CLEANUP(statement_finish) struct statement rows = {0};
 *	if (statement_prepare(&rows, store, sql, VALUES(value_integer(id)), err) < 0)
 *		return -1;
 *	while ((more = statement_step(&rows, err)) > 0)
 *		... column_integer(&rows, 0) ...
 *	return more;
 */
#ifndef STORE_STATEMENT_PRIVATE_H
#define STORE_STATEMENT_PRIVATE_H

#include "base/cleanup.h"
#include "base/text.h"
#include "store/store.h"

#include <sqlite3.h>
#include <stddef.h>

struct store {
	sqlite3 *handle;
	char *path;
	int depth; /* transactions that are open */
	int read_only;
};

enum value_type { VALUE_INTEGER, VALUE_DOUBLE, VALUE_TEXT };

struct value {
	enum value_type type;
	int64_t integer;
	double number;
	const char *text;
};

static inline struct value value_integer(int64_t integer)
{
	return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* NAN becomes NULL. */
static inline struct value value_double(double number)
{
	return (struct value){.type = VALUE_DOUBLE, .number = number};
}

/* NULL stays NULL; bytes that are not UTF-8 are replaced. */
static inline struct value value_text(const char *text)
{
	return (struct value){.type = VALUE_TEXT, .text = text};
}

/* An id where 0 means none: NULL. */
struct value value_id(int64_t id);
/* A time where 0 means now. */
struct value value_time(int64_t time);
/* "" where there is none, for columns that are never NULL. */
static inline struct value value_string(const char *text)
{
	return value_text(text ? text : "");
}

#define VALUES(...)                                                                      \
	(const struct value[]){__VA_ARGS__},                                             \
		sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)
#define NO_VALUES NULL, 0

struct statement {
	struct store *store;
	sqlite3_stmt *handle;
};

int statement_prepare(struct statement *statement, struct store *store, const char *sql,
		      const struct value *values, size_t count, struct error *err);
/* Makes a prepared one ready again with new values. */
int statement_reset(struct statement *statement, const struct value *values, size_t count,
		    struct error *err);
/* 1: a row, 0: no more, -1. */
int statement_step(struct statement *statement, struct error *err);
void statement_finish(struct statement *statement);

/* Runs to the end; ret_id (may be NULL) gets the id of the row inserted. */
int statement_execute(struct store *store, const char *sql, const struct value *values,
		      size_t count, int64_t *ret_id, struct error *err);
/* Resets, binds, runs to the end: for one of many inserts. */
int statement_repeat(struct statement *statement, const struct value *values,
		     size_t count, struct error *err);
/* The integer in the first column of the first row; *ret_found 0 where no row came. */
int statement_integer(struct store *store, const char *sql, const struct value *values,
		      size_t count, int64_t *ret_integer, int *ret_found,
		      struct error *err);

/*
 * The id of the row that select finds, which insert adds first where there is none; part
 * of a transaction of the caller's.
 */
int statement_intern(struct store *store, const char *select, const struct value *key,
		     size_t key_count, const char *insert, const struct value *values,
		     size_t count, int64_t *ret_id, struct error *err);

int64_t column_integer(struct statement *statement, int column);
double column_double(struct statement *statement, int column); /* NAN for NULL */
/* A copy that belongs to strings; "" for NULL. */
const char *column_text(struct statement *statement, int column,
			struct text_list *strings);

/* What SQLite last complained of, with the cure where there is one; returns -1. */
int store_fail(struct store *store, const char *what, struct error *err);

/*
 * A transaction for the length of a scope:
 *
 *	CLEANUP(transaction_finish) struct transaction transaction = {0};
 *	if (transaction_begin(&transaction, store, err) < 0)
 *		return -1;
 *	...
 *	return transaction_commit(&transaction, err);
 */
struct transaction {
	struct store *store; /* NULL: not open */
};

int transaction_begin(struct transaction *transaction, struct store *store,
		      struct error *err);
int transaction_begin_read(struct transaction *transaction, struct store *store,
			   struct error *err);
int transaction_commit(struct transaction *transaction, struct error *err);
void transaction_finish(struct transaction *transaction);

#endif
