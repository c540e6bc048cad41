/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is to measure: one command on a host at a time, whoever runs it and
 * wherever its results go. Two that build and boot side by side would disturb each
 * other's numbers in the disk lab and keep each other waiting in the virtual one.
 * A search with a host command measures we know not what: such searches may run side by
 * side, but not beside guests.
 *
 * The turn is a lock file (base/lock.h): /run/lock/kregress.lock, or in /tmp where there
 * is no such folder. The environment variable KREGRESS_LOCK names another file: commands
 * with different ones do not wait for each other. A command that was started by one that
 * has its turn ("bisect --command 'kregress run ...'") measures in that turn.
 */
#ifndef MEASURE_TURN_H
#define MEASURE_TURN_H

#include "base/lock.h"

/* Start from {0}. */
struct turn {
	int taken;
	struct lock lock; /* where taken; not in the turn of a process above us */
};

/* The path of the lock file; the caller frees. */
char *turn_path(void);

/*
 * Waits up to so many seconds, saying for whom; then ERROR_HOST that names the holder.
 * Nothing where it is taken already.
 */
int turn_take(struct turn *turn, enum lock_mode mode, const char *command,
	      double wait_seconds, struct error *err);
/* Takes one that was not taken. For CLEANUP(). */
void turn_end(struct turn *turn);

/* Who has the turn now. */
int turn_look(struct lock_holder *ret_holder, struct error *err);

/* How far this command is, for those who wait and for "kregress status". */
void turn_tell(const struct turn *turn, const char *progress);

#endif
