/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_FORMAT = 0x2000, KEY_OUTPUT, KEY_SESSION };

struct arguments {
	struct context *context;
	const struct report_writer *writer; /* NULL: html, or json with --json */
	const char *output; /* NULL: report.FORMAT in the results folder */
	struct report_options options;
};

static const struct argp_option options[] = {
	{"format", KEY_FORMAT, "FORMAT", 0, "text, html (default) or json", 1},
	{"output", KEY_OUTPUT, "FILE", 0,
	 "Where to write it; - is standard output (default: report.html among the "
	 "results; "
	 "text and json on standard output)",
	 1},
	{"session", KEY_SESSION, "N", 0, "Only this session (default: the newest ones)",
	 1},
	{0},
};

static void parse_format(const char *arg, struct arguments *arguments,
			 struct argp_state *state)
{
	CLEANUP(text_finish) struct text names = {0};

	arguments->writer = report_writer_find(arg);
	report_writer_names(&names);
	if (!arguments->writer)
		argp_error(state, "--format: one of %s, not '%s'", text_string(&names),
			   arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_FORMAT:
		parse_format(arg, arguments, state);
		return 0;
	case KEY_OUTPUT:
		arguments->output = arg;
		return 0;
	case KEY_SESSION:
		if (number_parse_signed(arg, &arguments->options.session) < 0 ||
		    arguments->options.session < 1)
			argp_error(state, "--session: a number from 1 on, not '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Writes a report of what was measured and found, and prints its path.",
};

static int print(const struct text *text, struct error *err)
{
	if (fwrite(text_string(text), 1, text->size, stdout) != text->size ||
	    fflush(stdout))
		return error_system(err, "standard output");
	return 0;
}

/* The folder is there: the database was read from it. */
static int write_file(const char *folder, const struct arguments *arguments,
		      const struct text *text, struct error *err)
{
	CLEANUP(cleanup_free)
	char *name = memory_format("report.%s", arguments->writer->extension);
	CLEANUP(cleanup_free)
	char *path = arguments->output ? memory_copy_string(arguments->output)
				       : file_join(folder, name);

	if (file_write(path, text->data, text->size, err) < 0)
		return -1;
	return printf("%s\n", path) < 0 || fflush(stdout)
		       ? error_system(err, "standard output")
		       : 0;
}

static int uses_stdout(const struct arguments *arguments)
{
	if (arguments->output)
		return !strcmp(arguments->output, "-");
	return arguments->writer != &report_writer_html;
}

static int write_report(const char *folder, const struct arguments *arguments,
			const struct report_model *model, struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};
	int to_stdout = uses_stdout(arguments);
	const char *no_colour = getenv("NO_COLOR");
	int colour = to_stdout && isatty(STDOUT_FILENO) && (!no_colour || !*no_colour);

	if (arguments->writer == &report_writer_text)
		report_print(model, colour, &text);
	else
		arguments->writer->write(model, &text);
	return to_stdout ? print(&text, err) : write_file(folder, arguments, &text, err);
}

static int check_session(const struct arguments *arguments,
			 const struct report_model *model, struct error *err)
{
	int64_t wanted = arguments->options.session;
	int found = wanted == 0;

	for (size_t i = 0; i < model->sessions.count; i++)
		found |= model->sessions.items[i].id == wanted;
	return found ? 0
		     : error_set(err, ERROR_USAGE, "no session %lld in these results",
				 (long long)wanted);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context};
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_store) struct store *store = NULL;
	CLEANUP(report_model_finish) struct report_model model = {0};

	command_parse(&argp, argc, argv, &arguments);
	if (!arguments.writer)
		arguments.writer =
			context->json ? &report_writer_json : &report_writer_html;
	if (results_folder(context, &folder, err) < 0 ||
	    results_open(folder, &store, err) < 0 ||
	    report_collect(store, &arguments.options, &model, err) < 0)
		return -1;
	if (check_session(&arguments, &model, err) < 0)
		return -1;
	return write_report(folder, &arguments, &model, err);
}

const struct command report_command = {
	.name = "report",
	.summary = "Write a report: text, html or json",
	.run = run,
};
