/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/store.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "store/schema_private.h"
#include "store/statement_private.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* SQLite takes full paths up to 511 bytes, and names its log PATH-journal. */
enum { PATH_LIMIT = 511 - 8 };

/* Another writer is waited for a minute; not that long by a user who wants to leave. */
enum { BUSY_WAITS = 6000, BUSY_WAITS_LEAVING = 200, BUSY_WAIT_NANOSECONDS = 10000000 };

/* What SQLite's codes mean to the one who must do something about them. */
static const struct {
	int code;
	const char *text;
} explanations[] = {
	{SQLITE_FULL, "the disk is full; nothing was lost, free some space"},
	{SQLITE_NOTADB, "not a database; it was left as it is, name another file or "
			"move it away"},
	{SQLITE_CORRUPT, "the file is damaged; it was left as it is, keep a copy and try "
			 "sqlite3's .recover"},
	{SQLITE_BUSY, "another process has been writing to it for a minute"},
	{SQLITE_READONLY, "it may not be written"},
	{SQLITE_CANTOPEN, "it cannot be opened"},
	{SQLITE_IOERR, "reading or writing failed (is the disk full or gone?)"},
	{SQLITE_PERM, "permission denied"},
};

int store_fail(struct store *store, const char *what, struct error *err)
{
	int code = sqlite3_errcode(store->handle);

	if ((code & 0xff) == SQLITE_BUSY && interrupt_requested())
		return error_set(err, ERROR_INTERRUPTED,
				 "interrupted, while another process was writing to %s",
				 store->path);
	for (size_t i = 0; i < sizeof(explanations) / sizeof(*explanations); i++)
		if ((code & 0xff) == explanations[i].code)
			return error_set(err, ERROR_HOST, "%s: %s", store->path,
					 explanations[i].text);
	return error_set(err, ERROR_HOST, "%s: %s: %s", store->path, what,
			 sqlite3_errmsg(store->handle));
}

/* Characters that would end the path in a URI are written as %XX. */
static char *immutable_uri(const char *path)
{
	struct text uri = {0};

	text_add(&uri, "file:");
	for (const char *c = path; *c; c++)
		if (strchr("%?#", *c))
			text_format(&uri, "%%%02X", (unsigned char)*c);
		else
			text_add_char(&uri, *c);
	text_add(&uri, "?immutable=1");
	return text_take(&uri);
}

static int wait_for_writer(void *unused, int waits)
{
	struct timespec pause = {.tv_nsec = BUSY_WAIT_NANOSECONDS};

	(void)unused;
	if (waits >= (interrupt_requested() ? BUSY_WAITS_LEAVING : BUSY_WAITS))
		return 0;
	nanosleep(&pause, NULL);
	return 1;
}

static int open_handle(struct store *store, const char *name, int flags)
{
	sqlite3_close_v2(store->handle);
	store->handle = NULL;
	if (sqlite3_open_v2(name, &store->handle, flags | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return -1;
	sqlite3_busy_handler(store->handle, wait_for_writer, NULL);
	/* Opening is lazy: the first read tells. */
	return sqlite3_exec(store->handle, "SELECT 1 FROM sqlite_schema LIMIT 1", NULL,
			    NULL, NULL) == SQLITE_OK
		       ? 0
		       : -1;
}

/*
 * Reading a write-ahead file needs its shared memory beside it. In a folder that may not
 * be written that fails; where no write-ahead log is there, the file alone is the truth.
 */
static int open_read_only(struct store *store, struct error *err)
{
	CLEANUP(cleanup_free) char *uri = NULL;
	CLEANUP(cleanup_free) char *log = NULL;
	int code;

	if (!file_exists(store->path))
		return error_set(err, ERROR_USAGE,
				 "%s: no results there yet; \"kregress run\" makes them",
				 store->path);
	if (!open_handle(store, store->path, SQLITE_OPEN_READONLY))
		return 0;
	code = sqlite3_errcode(store->handle) & 0xff;
	log = memory_format("%s-wal", store->path);
	if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || file_exists(log))
		return store_fail(store, "open", err);
	uri = immutable_uri(store->path);
	if (open_handle(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI) < 0)
		return store_fail(store, "open", err);
	return 0;
}

static int open_read_write(struct store *store, struct error *err)
{
	if (open_handle(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) <
	    0)
		return store_fail(store, "open", err);
	return 0;
}

/* SQLite would only say that it cannot open the file. */
static int check_length(const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *here = *path == '/' ? NULL : getcwd(NULL, 0);
	size_t length = strlen(path) + (here ? strlen(here) + 1 : 0);

	if (length <= PATH_LIMIT)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "the full path of %s has %zu bytes, more than the %d that "
			 "SQLite takes; --results names a shorter folder",
			 path, length, PATH_LIMIT);
}

int store_open(const char *path, enum store_mode mode, struct store **ret_store,
	       struct error *err)
{
	CLEANUP(cleanup_store) struct store *store = memory_new(1, sizeof(*store));
	int (*open)(struct store *, struct error *) =
		mode == STORE_READ_ONLY ? open_read_only : open_read_write;

	store->path = memory_copy_string(path);
	store->read_only = mode == STORE_READ_ONLY;
	if (check_length(path, err) || open(store, err) < 0 ||
	    schema_ensure(store, err) < 0)
		return -1;
	*ret_store = TAKE(store);
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close_v2(store->handle);
	free(store->path);
	free(store);
}

void cleanup_store(struct store **store)
{
	store_close(*store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

int64_t store_now(void)
{
	return clock_now();
}

/* The depth is part of the name, so that each level ends its own savepoint. */
static int run_at_depth(struct store *store, const char *verb, int depth)
{
	CLEANUP(cleanup_free) char *sql = memory_format("%s level%d", verb, depth);

	return sqlite3_exec(store->handle, sql, NULL, NULL, NULL);
}

static int begin(struct store *store, const char *outermost, struct error *err)
{
	int code = store->depth
			   ? run_at_depth(store, "SAVEPOINT", store->depth)
			   : sqlite3_exec(store->handle, outermost, NULL, NULL, NULL);

	if (code != SQLITE_OK)
		return store_fail(store, "begin", err);
	store->depth++;
	return 0;
}

/*
 * IMMEDIATE, since a transaction that turns from reading to writing half-way cannot wait
 * for another writer.
 */
int store_begin(struct store *store, struct error *err)
{
	return begin(store, "BEGIN IMMEDIATE", err);
}

int store_begin_read(struct store *store, struct error *err)
{
	return begin(store, "BEGIN", err);
}

int store_commit(struct store *store, struct error *err)
{
	int depth = store->depth - 1;
	int code = depth ? run_at_depth(store, "RELEASE", depth)
			 : sqlite3_exec(store->handle, "COMMIT", NULL, NULL, NULL);

	if (code != SQLITE_OK)
		return store_fail(store, "commit", err);
	store->depth = depth;
	return 0;
}

/* Fails only where SQLite has rolled back by itself already (a full disk). */
void store_rollback(struct store *store)
{
	int depth = --store->depth;

	if (!depth) {
		sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
		return;
	}
	run_at_depth(store, "ROLLBACK TO", depth);
	run_at_depth(store, "RELEASE", depth);
}
