/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for children with something to do meanwhile. SIGCHLD must be blocked since
 * before they were started (child_block_signal()).
 */
#ifndef AGENT_CHILD_H
#define AGENT_CHILD_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

void child_block_signal(void);

/*
 * Waits at most `timeout` ns for a child to end: its pid, or 0 where none did. -1 means
 * that there is no child.
 */
pid_t child_wait(uint64_t timeout, int *ret_status, struct rusage *ret_usage);

#endif
