/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One holder at a time for a thing shared by processes: a lock file (flock), which the
 * kernel lets go when its holder dies, so that no lock is ever stale. The file says who
 * holds it, for messages; it stays when the lock is released.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/error.h"

struct lock {
	int fd; /* -1: not held; start from LOCK_NONE */
};

#define LOCK_NONE ((struct lock){-1})

/*
 * Makes the file where needed and takes the lock: *ret_taken 1 and lock filled, or 0
 * when another process has it (the caller tries again or gives up). purpose goes into
 * the file ("bisect v6.1..v6.2").
 */
int lock_try(const char *path, const char *purpose, struct lock *lock, int *ret_taken,
	     struct error *err);

/* Waits up to timeout_seconds; then ERROR_HOST that names the holder. Ctrl-C ends it. */
int lock_wait(const char *path, const char *purpose, double timeout_seconds,
	      struct lock *lock, struct error *err);

/* Takes one that is not held. For CLEANUP(). */
void lock_release(struct lock *lock);

#endif
