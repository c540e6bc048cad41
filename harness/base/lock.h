/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One holder at a time for a thing shared by processes: a lock file (flock), which the
 * kernel lets go when its holder dies, so that no lock is ever stale. The file says who
 * holds it, since when and how far it is, for messages; it stays when the lock is
 * released, and what it says then means nothing.
 *
 * The file may lie where everybody may write and is believed in nothing but words.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct lock {
	int fd; /* -1: not held; start from LOCK_NONE */
};

#define LOCK_NONE ((struct lock){-1})

enum lock_mode {
	LOCK_ALONE,
	LOCK_BESIDE, /* several at once, but none beside one that is alone */
};

/*
 * Makes the file where needed and takes the lock alone: *ret_taken 1 and lock filled, or
 * 0 when another process has it (the caller tries again or gives up). purpose goes into
 * the file ("bisect v6.1..v6.2").
 */
int lock_try(const char *path, const char *purpose, struct lock *lock, int *ret_taken,
	     struct error *err);
int lock_try_mode(const char *path, enum lock_mode mode, const char *purpose,
		  struct lock *lock, int *ret_taken, struct error *err);

/*
 * Waits up to timeout_seconds for a lock that is taken alone; then ERROR_HOST that names
 * the holder. Ctrl-C ends it.
 */
int lock_wait(const char *path, const char *purpose, double timeout_seconds,
	      struct lock *lock, struct error *err);

/* Takes one that is not held. For CLEANUP(). */
void lock_release(struct lock *lock);

/* How far the holder is: one line, kept beside its name. Not worth an error. */
void lock_tell(const struct lock *lock, const char *progress);

/* What the file says of the last one that took it. */
struct lock_holder {
	int held; /* somebody holds it now */
	long pid; /* 0: not told */
	int64_t since;
	char purpose[404], progress[204]; /* fit for a terminal */
};

/* A file that is not there is a lock that nobody holds. */
int lock_look(const char *path, struct lock_holder *ret_holder, struct error *err);

/* "process 4711 (bisect v6.1..v6.2), since 2026-01-31T23:59:59Z" */
void lock_describe(const struct lock_holder *holder, struct text *out);

#endif
