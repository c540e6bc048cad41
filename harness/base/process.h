/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that we start: own process group, stdin from /dev/null, ended with all
 * their children when time is up, when the user interrupts, or when we die.
 *
 * Two forms. process_run() waits. process_start() / process_poll() / process_stop()
 * let one loop drive several (boots and builds side by side).
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"
#include "base/process_guard.h"
#include "base/text.h"

#include <sys/types.h>

struct process_options {
	const char *const *argv;        /* argv[0] is looked up in PATH */
	const char *const *environment; /* "NAME=VALUE" added to ours; NULL for none */
	const char *folder;             /* working folder; NULL for ours */
	const char *log_path;   /* stdout and stderr are appended here; NULL: see below */
	struct text *output;    /* stdout collected here (process_run only) */
	size_t output_limit;    /* at most so many bytes are kept; 0 means 1 MiB */
	double timeout_seconds; /* 0 for none (process_run only) */
	/*
	 * Without log_path, stderr is ours, and without output stdout is /dev/null.
	 * With output and log_path, only stderr goes to the log.
	 */
	int ignore_interrupt; /* do not end it when the user interrupts us */
	/*
	 * A descriptor that the program and its children keep open, above 2; 0 for none.
	 * A lock given this way is held until the last of them has ended.
	 */
	int keep_fd;
	/* When we are killed, not only the program but its children end at once too. */
	int guarded;
};

enum process_end {
	PROCESS_RUNNING,
	PROCESS_EXITED,   /* .code is the exit status */
	PROCESS_SIGNALED, /* .code is the signal */
	PROCESS_TIMED_OUT,
};

struct process_result {
	enum process_end end;
	int code;
	double seconds;
};

struct process {
	pid_t pid;      /* 0: none */
	double started; /* CLOCK_MONOTONIC, seconds */
	struct process_guard guard;
};

/*
 * Fails where the program cannot be started: ERROR_HOST that names the program (and the
 * package that brings it, where known, is the caller's to add). When the user interrupts,
 * the program is ended and process_run() fails with ERROR_INTERRUPTED.
 */
int process_run(const struct process_options *options, struct process_result *ret_result,
		struct error *err);

int process_start(const struct process_options *options, struct process *ret_process,
		  struct error *err);
/* Does not wait; .end is PROCESS_RUNNING while it runs. Reaps. */
void process_poll(struct process *process, struct process_result *ret_result);
/* Ends the whole group: SIGTERM, after two seconds SIGKILL. Takes an empty one. */
void process_stop(struct process *process);

/* The absolute name of a program that is looked up in PATH; NULL. The caller frees. */
char *process_locate(const char *program);
/* Whether there is one. */
int process_find(const char *program);

/* CLOCK_MONOTONIC in seconds. */
double process_now(void);

#endif
