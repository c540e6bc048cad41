/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/child.h"

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>

static void make_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
}

void child_block_signal(void)
{
	sigset_t set;

	make_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

pid_t child_wait(uint64_t timeout, int *ret_status, struct rusage *ret_usage)
{
	struct timespec time = {.tv_sec = (time_t)(timeout / 1000000000),
				.tv_nsec = (long)(timeout % 1000000000)};
	pid_t pid = wait4(-1, ret_status, WNOHANG, ret_usage);
	sigset_t set;

	if (pid)
		return pid;
	make_set(&set);
	sigtimedwait(&set, NULL, &time);
	return wait4(-1, ret_status, WNOHANG, ret_usage);
}
