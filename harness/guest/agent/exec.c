/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec: a command of the user's own. Its words are cut at blanks; quotes keep them
 * together, {disk0} is the path of a disk, {mount0} its mount point. No shell. What it
 * prints goes to the host as it is.
 */
#include "guest/agent/child.h"
#include "guest/agent/clock.h"
#include "guest/agent/life.h"
#include "guest/agent/words.h"
#include "guest/agent/workload.h"
#include "guest/mark.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4 << 20, ERROR_TEXT = 400 };

/* A command in its pieces; what it prints goes to memory, not to any file system. */
struct command {
	struct words words;
	int output, errors; /* descriptors */
};

static int prepare(const struct run *run, struct failure *failure)
{
	(void)run;
	(void)failure;
	return 0;
}

/* In the child; comes back only where it fails. */
static int start(const struct run *run, struct command *command)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(command->output, STDOUT_FILENO) < 0 ||
	    dup2(command->errors, STDERR_FILENO) < 0)
		return -1;
	if (setenv("PATH", EXEC_PATH, 1))
		return -1;
	if (run->disk_count && run->disks[0].mount[0] && chdir(run->disks[0].mount))
		return -1;
	return execvp(command->words.word[0], command->words.word);
}

/* The end of what the command printed on stderr. */
static void read_error_text(int errors, char text[ERROR_TEXT])
{
	off_t end = lseek(errors, 0, SEEK_END);
	off_t from = end < ERROR_TEXT ? 0 : end - (ERROR_TEXT - 1);
	ssize_t length = pread(errors, text, ERROR_TEXT - 1, from);

	while (length > 0 && text[length - 1] == '\n')
		length--;
	text[length > 0 ? length : 0] = '\0';
}

static int check_status(int status, const struct command *command,
			struct failure *failure)
{
	const char *name = command->words.word[0];
	char text[ERROR_TEXT];

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	read_error_text(command->errors, text);
	if (WIFSIGNALED(status))
		return failure_set(failure, name, "%.64s: signal %d: %s", name,
				   WTERMSIG(status), text);
	return failure_set(failure, name, "%.64s: exit status %d: %s", name,
			   WEXITSTATUS(status), text);
}

static int send_output(const struct run *run, int fd, struct failure *failure)
{
	struct result result = {.type = RESULT_OUTPUT};
	struct result_output *output = &result.output;
	ssize_t length;
	off_t at = 0;

	snprintf(output->parser, sizeof(output->parser), "%s", run_text(run, "parser"));
	for (; at < OUTPUT_MAX; at += length) {
		length = pread(fd, output->bytes, sizeof(output->bytes) - 1, at);
		if (length < 0)
			return failure_system(failure, "pread", "output", (uint64_t)at);
		if (!length)
			return 0;
		output->length = (uint64_t)length;
		report_send(run->report, &result);
	}
	return failure_set(failure, "", "the command printed more than %d bytes",
			   OUTPUT_MAX);
}

/* What the command printed so far. */
static uint64_t printed(const struct command *command)
{
	return (uint64_t)lseek(command->output, 0, SEEK_END) +
	       (uint64_t)lseek(command->errors, 0, SEEK_END);
}

static int wait_for(struct run *run, const struct command *started, pid_t command,
		    int *ret_status, struct failure *failure)
{
	struct life life = {0};
	struct rusage usage;
	pid_t pid;

	do {
		pid = child_wait(MEASURE_REPORT_INTERVAL, ret_status, &usage);
		if (!pid &&
		    life_moved(&life, run->disks, run->disk_count, printed(started)))
			report_progress(run->report, "run", 0);
		if (pid < 0)
			return failure_system(failure, "wait4", "command", 0);
	} while (pid != command);
	run->measure->elapsed = clock_now() - run->measure->begin;
	MARK(MARK_END);
	run->measure->usage = usage_from(&usage);
	return 0;
}

static int run_command(struct run *run, struct command *command, struct failure *failure)
{
	int status;
	pid_t pid;

	child_block_signal();
	measure_begin(run->measure);
	pid = fork();
	if (pid < 0)
		return failure_system(failure, "fork", command->words.word[0], 0);
	if (!pid) {
		start(run, command);
		dprintf(command->errors, "cannot be started: %s\n", strerror(errno));
		_exit(127);
	}
	if (wait_for(run, command, pid, &status, failure) ||
	    check_status(status, command, failure))
		return -1;
	/* GNU time prints on stderr, behind what the command itself says there. */
	return send_output(run,
			   run_number(run, "parser") == PARSER_GNU_TIME ? command->errors
									: command->output,
			   failure);
}

static int run(struct run *run, struct failure *failure)
{
	struct command command;
	int result;

	if (words_split(run_text(run, "command"), run->disks, run->disk_count,
			&command.words, failure))
		return -1;
	command.output = memfd_create("output", MFD_CLOEXEC);
	command.errors = memfd_create("errors", MFD_CLOEXEC);
	if (command.output < 0 || command.errors < 0)
		result = failure_system(failure, "memfd_create", "memory", 0);
	else
		result = run_command(run, &command, failure);
	close(command.output);
	close(command.errors);
	return result;
}

const struct workload exec_workload = {
	.name = "exec",
	.prepare = prepare,
	.run = run,
};
