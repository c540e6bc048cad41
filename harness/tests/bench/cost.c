/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost COMMAND...: runs it on one processor with its output thrown away, and prints the
 * seconds that it took, the processor's seconds, and the most memory in MB. The exit code
 * is that of the command.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void run(char **argv)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	dup2(nowhere, STDOUT_FILENO);
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	double started = now();
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	child = fork();
	if (!child)
		run(argv + 1);
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 127;
	printf("%.2f %.2f %.0f\n", now() - started,
	       seconds(usage.ru_utime) + seconds(usage.ru_stime),
	       (double)usage.ru_maxrss / 1024);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
