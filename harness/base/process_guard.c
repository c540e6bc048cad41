/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/process_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A byte is the all-clear, the end of the pipe means that the other side died. Of all
 * else that it inherited it holds nothing: locks and pipes are not kept open by it.
 */
__attribute__((noreturn)) static void watch(int fd, pid_t group)
{
	sigset_t all;
	char byte;
	ssize_t got;

	setpgid(0, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (dup2(fd, 0) < 0 || close_range(1, UINT_MAX, 0))
		_exit(1);
	while ((got = read(0, &byte, 1)) < 0 && errno == EINTR)
		;
	if (got == 0)
		kill(-group, SIGKILL);
	_exit(0);
}

int process_guard_start(pid_t group, struct process_guard *ret_guard)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid == 0)
		watch(ends[0], group);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -1;
	}
	*ret_guard = (struct process_guard){.pid = pid, .fd = ends[1]};
	return 0;
}

void process_guard_end(struct process_guard *guard)
{
	if (!guard->pid)
		return;
	if (write(guard->fd, "", 1) < 0)
		kill(guard->pid, SIGKILL);
	close(guard->fd);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*guard = (struct process_guard){0};
}
