/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a process group when this process dies, however it dies. The kernel's own signal
 * on a parent's death reaches children only, not their children.
 *
 * A small process of ours waits on a pipe that nobody else writes to; its end means that
 * we are gone. For base/process.c.
 */
#ifndef BASE_PROCESS_GUARD_H
#define BASE_PROCESS_GUARD_H

#include <sys/types.h>

struct process_guard {
	pid_t pid; /* 0: none */
	int fd;
};

/* Watches over a group. -1 with errno where that cannot be had. */
int process_guard_start(pid_t group, struct process_guard *ret_guard);

/* The group has ended, or may stay. Takes an empty one. */
void process_guard_end(struct process_guard *guard);

#endif
