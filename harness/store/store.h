/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The database of results: one SQLite file, in write-ahead mode, so that readers never
 * hold up a running measurement and a measurement never holds up a report.
 *
 * Rows are added and never rewritten: what changes with time (the end of a session, the
 * state of a search, the life of a finding) is a row of its own that points back.
 * People may read the file with sqlite3; the views results, windows, within_runs,
 * outcomes, regressions, executed and timeline have plain columns.
 *
 * One struct store belongs to one thread and must not be used across fork(). Several
 * processes may have the file open; a writer waits up to a minute for another.
 *
 * Each store_add_...() is one transaction of its own, or part of the transaction that
 * store_begin() opened. A failed one leaves nothing behind. A process that is killed
 * loses at most the transaction that was open.
 *
 * Strings given may hold any bytes: what is not UTF-8 is stored as U+FFFD, and NULL is
 * stored as "no value". Strings read back are UTF-8 and never NULL ("" for no value).
 * Times are Unix seconds; a time of 0 given means now. Doubles come back bit by bit as
 * they were given; NAN stands for "no value" where a header allows that.
 *
 * Lists read back belong to the caller: start from {0}, end with ..._finish(), which also
 * frees every string that the items point to.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/error.h"

#include <stdint.h>

/* The usual name below the results folder. */
#define STORE_FILE_NAME "kregress.sqlite"

struct store;

enum store_mode {
	STORE_READ_WRITE, /* made when it does not exist, brought to this version */
	STORE_READ_ONLY,  /* nothing on disk changes; works in a read-only folder too */
};

/*
 * Fails without touching the file where it is no database, a database of another
 * program, or written by a newer kregress. Read-only opening of an older one fails too
 * (the message says which command brings it up to date).
 */
int store_open(const char *path, enum store_mode mode, struct store **ret_store,
	       struct error *err);
/* Rolls back what was not committed. Takes NULL. */
void store_close(struct store *store);
void cleanup_store(struct store **store); /* for CLEANUP() */

const char *store_path(const struct store *store);

/* The clock of the rows: clock_now(). */
int64_t store_now(void);

/*
 * A transaction over several calls; they nest, and the outermost decides. Between begin
 * and commit one unmoving state of the database is seen. store_rollback()
 * ends the innermost one and cannot fail.
 */
int store_begin(struct store *store, struct error *err);
/* For reading alone: never waits for a writer, never holds one up. */
int store_begin_read(struct store *store, struct error *err);
int store_commit(struct store *store, struct error *err);
void store_rollback(struct store *store);

#endif
