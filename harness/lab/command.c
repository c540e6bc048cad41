/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/command.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"

#include <math.h>
#include <string.h>

enum {
	EXIT_SKIP = 125,
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL = 128,
	LAST_SIGNAL = 64,
	LONGEST_DETAIL = 200,
};

/* Beyond these, differences and squares of values are no longer finite, or are nothing.
 */
static const double LEAST = 1e-100, MOST = 1e100;

static char *trim(char *line)
{
	size_t length;

	line += strspn(line, " \t\r\v\f");
	for (length = strlen(line); length && strchr(" \t\r\v\f", line[length - 1]);)
		line[--length] = '\0';
	return line;
}

/* What one line says: a value under a name ("" for a plain number), or -1. */
static int read_line(char *line, const char **ret_name, double *ret_value)
{
	char *equals = strchr(line, '=');

	*ret_name = "";
	if (!equals)
		return number_parse_double(line, ret_value);
	*equals = '\0';
	*ret_name = trim(line);
	return **ret_name ? number_parse_double(trim(equals + 1), ret_value) : -1;
}

static int in_range(double value)
{
	return value == 0 || (fabs(value) >= LEAST && fabs(value) <= MOST);
}

static int complain(struct text *problem, const char *sentence)
{
	text_clear(problem);
	text_add(problem, sentence);
	return -1;
}

static int read_lines(char *rest, const char *metric, double *ret_value,
		      struct text *problem)
{
	size_t found = 0;
	char *line;

	while ((line = strsep(&rest, "\n"))) {
		const char *name;
		double value;
		int bad;

		line = trim(line);
		if (!*line)
			continue;
		bad = read_line(line, &name, &value);
		if (metric && strcmp(name, metric))
			continue;
		if (bad)
			return complain(problem, "a line is no finite number");
		if (!in_range(value))
			return complain(problem, "a number is not within 1e-100 to "
						 "1e100");
		if (found++)
			return complain(problem, metric ? "the metric is printed twice"
							: "several numbers are printed; "
							  "--metric NAME chooses one");
		*ret_value = value;
	}
	if (found)
		return 0;
	return complain(problem,
			metric ? "the metric is not printed" : "no number is printed");
}

int command_read_output(const char *output, size_t length, const char *metric,
			double *ret_value, struct text *problem)
{
	CLEANUP(cleanup_free) char *copy = memory_copy_bytes(output, length);

	if (memchr(copy, '\0', length))
		return complain(problem, "a zero byte is printed");
	return read_lines(copy, metric, ret_value, problem);
}

static void fail(struct trial *trial, const char *outcome, int hopeless)
{
	trial->outcome = outcome;
	trial->hopeless = hopeless;
}

static int is_broken(int code)
{
	return code == EXIT_CANNOT_RUN || code == EXIT_NOT_FOUND ||
	       (code > EXIT_SIGNAL && code <= EXIT_SIGNAL + LAST_SIGNAL);
}

/* The first line that was printed says more than the code. */
static void describe_exit(int code, const struct text *output, struct text *detail)
{
	CLEANUP(cleanup_free)
	char *copy = memory_copy_bytes(text_string(output), output->size);
	char *rest = copy, *line = NULL;

	while (rest && !*(line = trim(strsep(&rest, "\n"))))
		;
	text_format(detail, "exit code %d", code);
	if (line && *line)
		text_format(detail, ": %.*s", LONGEST_DETAIL, line);
}

static void judge_exit(const struct host_command *command, int code,
		       const struct text *output, struct trial *trial)
{
	trial->outcome = "ok";
	if (command->pass_fail && (code == 0 || code == 1)) {
		trial->value = code;
		return;
	}
	if (code == 0 &&
	    !command_read_output(text_string(output), output->size, command->metric,
				 &trial->value, &trial->detail))
		return;
	if (code)
		describe_exit(code, output, &trial->detail);
	fail(trial, code == EXIT_SKIP ? "skipped" : "infrastructure", is_broken(code));
}

static void judge(const struct host_command *command, const struct process_result *result,
		  const struct text *output, struct trial *trial)
{
	switch (result->end) {
	case PROCESS_TIMED_OUT:
		text_format(
			&trial->detail,
			"ended after %.0f s, all that a run may take (--timeout SECONDS)",
			result->seconds);
		fail(trial, "infrastructure", 0);
		return;
	case PROCESS_EXITED:
		judge_exit(command, result->code, output, trial);
		return;
	default:
		text_format(&trial->detail, "ended by signal %d", result->code);
		fail(trial, "infrastructure", 1);
	}
}

static int measure(void *state, const char *commit, int fresh, struct trial *ret_trial,
		   struct error *err)
{
	const struct host_command *command = state;
	CLEANUP(cleanup_free)
	char *variable = memory_format("KREGRESS_COMMIT=%s", commit);
	CLEANUP(text_finish) struct text output = {0};
	const char *argv[] = {"sh", "-c", command->command, NULL};
	const char *environment[] = {variable, NULL};
	struct process_options options = {
		.argv = argv,
		.environment = environment,
		.output = &output,
		.timeout_seconds = command->max_seconds,
		.guarded = 1,
	};
	struct process_result result;

	(void)fresh;
	*ret_trial = (struct trial){.started = clock_now()};
	if (command->prepare &&
	    command->prepare(command->prepare_state, commit, &options.folder, err))
		return -1;
	if (process_run(&options, &result, err))
		return -1;
	ret_trial->seconds = result.seconds;
	judge(command, &result, &output, ret_trial);
	return 0;
}

const struct measurer_ops command_measurer = {.kind = "command", .measure = measure};
