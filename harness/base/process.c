/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/process.h"

#include "base/cleanup.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_OUTPUT_LIMIT = 1 << 20, POLL_MILLISECONDS = 20 };

double process_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pause_briefly(void)
{
	struct timespec pause = {.tv_nsec = POLL_MILLISECONDS * 1000000L};

	nanosleep(&pause, NULL);
}

char *process_locate(const char *program)
{
	const char *path = getenv("PATH");
	CLEANUP(cleanup_free)
	char *folders = memory_copy_string(path ? path : "/usr/bin:/bin");
	char *rest = folders, *folder;

	if (strchr(program, '/'))
		return access(program, X_OK) ? NULL : realpath(program, NULL);
	while ((folder = strsep(&rest, ":"))) {
		CLEANUP(cleanup_free)
		char *name = memory_format("%s/%s", *folder ? folder : ".", program);

		if (access(name, X_OK) == 0)
			return *name == '/' ? TAKE(name) : realpath(name, NULL);
	}
	return NULL;
}

int process_find(const char *program)
{
	CLEANUP(cleanup_free) char *path = process_locate(program);

	return path != NULL;
}

/* What the child does before exec; errno goes to the parent through report. */
static void become(const struct process_options *options, int out, int log, int report,
		   pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;
	int cause;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	dup2(out >= 0 ? out : log >= 0 ? log : null, STDOUT_FILENO);
	if (log >= 0)
		dup2(log, STDERR_FILENO);
	if (options->keep_fd > STDERR_FILENO)
		fcntl(options->keep_fd, F_SETFD, 0);
	for (const char *const *item = options->environment; item && *item; item++)
		putenv((char *)*item);
	/* A parent that died before PR_SET_PDEATHSIG sends no signal. */
	if (getppid() == parent && (!options->folder || chdir(options->folder) == 0))
		execvp(options->argv[0], (char *const *)options->argv);
	cause = errno;
	if (write(report, &cause, sizeof(cause)) < 0)
		_exit(127);
	_exit(127);
}

static int open_log(const char *path, int *ret_fd, struct error *err)
{
	if (!path)
		return 0;
	*ret_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	return *ret_fd < 0 ? error_system(err, "cannot write %s", path) : 0;
}

static int spawn(const struct process_options *options, int out, struct process *process,
		 struct error *err)
{
	CLEANUP(cleanup_fd) int log = -1;
	CLEANUP(cleanup_fd) int report = -1;
	pid_t parent = getpid();
	int pipe_ends[2];
	int cause;
	pid_t pid;

	if (open_log(options->log_path, &log, err))
		return -1;
	if (pipe2(pipe_ends, O_CLOEXEC))
		return error_system(err, "cannot start %s", options->argv[0]);
	report = pipe_ends[0];
	pid = fork();
	if (pid == 0)
		become(options, out, log, pipe_ends[1], parent);
	close(pipe_ends[1]);
	if (pid < 0)
		return error_system(err, "cannot start %s", options->argv[0]);
	setpgid(pid, pid);
	if (read(report, &cause, sizeof(cause)) == (ssize_t)sizeof(cause)) {
		waitpid(pid, NULL, 0);
		errno = cause;
		return error_system(err, "cannot start %s", options->argv[0]);
	}
	*process = (struct process){.pid = pid, .started = process_now()};
	if (!options->guarded || !process_guard_start(pid, &process->guard))
		return 0;
	error_system(err, "cannot guard %s", options->argv[0]);
	process_stop(process);
	return -1;
}

int process_start(const struct process_options *options, struct process *ret_process,
		  struct error *err)
{
	return spawn(options, -1, ret_process, err);
}

void process_poll(struct process *process, struct process_result *ret_result)
{
	int status = 0;
	pid_t got = process->pid ? waitpid(process->pid, &status, WNOHANG) : -1;

	*ret_result = (struct process_result){
		.end = PROCESS_RUNNING, .seconds = process_now() - process->started};
	if (got == 0 || (got < 0 && errno == EINTR))
		return;
	ret_result->end = WIFSIGNALED(status) ? PROCESS_SIGNALED : PROCESS_EXITED;
	ret_result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	if (process->pid)
		kill(-process->pid, SIGKILL); /* what it left in the background */
	process_guard_end(&process->guard);
	process->pid = 0;
}

void process_stop(struct process *process)
{
	double end = process_now() + 2;

	if (!process->pid)
		return;
	kill(-process->pid, SIGTERM);
	while (waitpid(process->pid, NULL, WNOHANG) == 0 && process_now() < end)
		pause_briefly();
	kill(-process->pid, SIGKILL);
	waitpid(process->pid, NULL, 0);
	process_guard_end(&process->guard);
	process->pid = 0;
}

/* Reads what is there; closes *fd at its end. Bytes past the limit are dropped. */
static void collect(int *fd, const struct process_options *options, int wait)
{
	size_t limit =
		options->output_limit ? options->output_limit : DEFAULT_OUTPUT_LIMIT;
	struct pollfd ready = {.fd = *fd, .events = POLLIN};
	char buffer[16384];
	ssize_t got;

	if (poll(&ready, 1, wait ? POLL_MILLISECONDS : 0) <= 0)
		return;
	got = read(*fd, buffer, sizeof(buffer));
	if (got <= 0) {
		if (got < 0 && errno == EINTR)
			return;
		close(*fd);
		*fd = -1;
		return;
	}
	if ((size_t)got > limit - options->output->size)
		got = (ssize_t)(limit - options->output->size);
	text_add_bytes(options->output, buffer, (size_t)got);
}

static void drain(int *fd, const struct process_options *options)
{
	int flags = *fd >= 0 ? fcntl(*fd, F_GETFL) : -1;
	struct pollfd ready = {.fd = *fd, .events = POLLIN};

	if (flags < 0)
		return;
	fcntl(*fd, F_SETFL, flags | O_NONBLOCK);
	while (*fd >= 0 && poll(&ready, 1, 0) > 0)
		collect(fd, options, 0);
}

static int is_too_long(const struct process_options *options, double started)
{
	return options->timeout_seconds > 0 &&
	       process_now() - started > options->timeout_seconds;
}

/* Until the process ends, or briefly: the interrupt flag wants to be looked at. */
static void wait_briefly(const struct process *process)
{
	CLEANUP(cleanup_fd) int fd = pidfd_open(process->pid, 0);
	struct pollfd ready = {.fd = fd, .events = POLLIN};

	if (fd >= 0)
		poll(&ready, 1, POLL_MILLISECONDS);
	else
		pause_briefly();
}

static int wait_for(struct process *process, const struct process_options *options,
		    int *fd, struct process_result *ret_result, struct error *err)
{
	for (;;) {
		if (*fd >= 0)
			collect(fd, options, 1);
		process_poll(process, ret_result);
		if (ret_result->end != PROCESS_RUNNING)
			return 0;
		if (!options->ignore_interrupt && interrupt_check(err)) {
			process_stop(process);
			return -1;
		}
		if (is_too_long(options, process->started)) {
			process_stop(process);
			ret_result->end = PROCESS_TIMED_OUT;
			return 0;
		}
		if (*fd < 0)
			wait_briefly(process);
	}
}

int process_run(const struct process_options *options, struct process_result *ret_result,
		struct error *err)
{
	CLEANUP(cleanup_fd) int read_end = -1;
	CLEANUP(cleanup_fd) int write_end = -1;
	struct process process;
	int pipe_ends[2];

	if (options->output) {
		if (pipe2(pipe_ends, O_CLOEXEC))
			return error_system(err, "cannot start %s", options->argv[0]);
		read_end = pipe_ends[0];
		write_end = pipe_ends[1];
	}
	if (spawn(options, write_end, &process, err))
		return -1;
	if (write_end >= 0)
		close(write_end);
	write_end = -1;
	if (wait_for(&process, options, &read_end, ret_result, err))
		return -1;
	drain(&read_end, options);
	return 0;
}
