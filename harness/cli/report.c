/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/report_mail.h"
#include "cli/report_pages.h"
#include "cli/results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_FORMAT = 0x2000, KEY_OUTPUT, KEY_SESSION, KEY_PAGES, KEY_FINDING, KEY_TREE };

struct arguments {
	struct context *context;
	const struct report_writer *writer; /* NULL: html, or json with --json */
	const char *output; /* NULL: report.FORMAT in the results folder */
	struct report_options options;
	int pages;       /* --pages */
	int64_t finding; /* --finding; 0: all open ones */
	const char *tree;
};

static const struct argp_option options[] = {
	{"format", KEY_FORMAT, "FORMAT", 0, "One of the list below (default: html)", 1},
	{"output", KEY_OUTPUT, "FILE", 0,
	 "Where to write it; - is standard output (default: report.html among the "
	 "results, mails in mail/ there, all else on standard output)",
	 1},
	{"session", KEY_SESSION, "N", 0,
	 "Only this session, as things stood when it ended (default: the newest ones)",
	 1},
	{"pages", KEY_PAGES, NULL, 0,
	 "A page for each session that has none yet, and index.html over all, in "
	 "reports/ among the results; with --session that page anew",
	 1},
	{"finding", KEY_FINDING, "N", 0,
	 "mail: a draft about this finding (default: about each that is open)", 2},
	{"tree", KEY_TREE, "DIR", 0,
	 "mail: where scripts/get_maintainer.pl is asked (default: from kregress.yaml)",
	 2},
	{0},
};

static void parse_number(const char *option, const char *arg, int64_t *number,
			 struct argp_state *state)
{
	if (number_parse_signed(arg, number) < 0 || *number < 1)
		argp_error(state, "%s: a number from 1 on, not '%s'", option, arg);
}

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
		parse_number("--session", arg, &arguments->options.session, state);
		return 0;
	case KEY_PAGES:
		arguments->pages = 1;
		return 0;
	case KEY_FINDING:
		parse_number("--finding", arg, &arguments->finding, state);
		return 0;
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The list of formats comes from their own table. */
static char *add_formats(int key, const char *text, void *input)
{
	CLEANUP(text_finish) struct text doc = {0};

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	text_add(&doc, "Formats:\n\n");
	report_writer_list(&doc);
	return text_take(&doc);
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Writes a report of what was measured and found, and prints its path.\v",
	.help_filter = add_formats,
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

static int write_mails(const char *folder, const struct arguments *arguments,
		       const struct report_model *model, struct error *err)
{
	CLEANUP(config_finish) struct config config = {0};
	CLEANUP(cleanup_free) char *tree = NULL;
	struct report_mail mail = {
		.model = model,
		.finding = arguments->finding,
		.tree = arguments->tree,
		.results = folder,
		.output = arguments->output,
	};

	if (!mail.tree) {
		if (config_load(arguments->context->config_path, &config, err) < 0)
			return -1;
		mail.tree = tree = config.tree ? config_path(&config, config.tree) : NULL;
	}
	return report_mail_write(&mail, err);
}

static int write_pages(const char *folder, const struct arguments *arguments,
		       struct store *store, struct error *err)
{
	CLEANUP(cleanup_free) char *path = NULL;

	if (report_pages_write(store, folder, arguments->options.session, &path, err) < 0)
		return -1;
	return printf("%s\n", path) < 0 ? error_system(err, "standard output") : 0;
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
	    results_open(folder, &store, err) < 0)
		return -1;
	if (arguments.pages)
		return write_pages(folder, &arguments, store, err);
	if (report_collect(store, &arguments.options, &model, err) < 0 ||
	    check_session(&arguments, &model, err) < 0)
		return -1;
	if (arguments.writer->write_draft)
		return write_mails(folder, &arguments, &model, err);
	return write_report(folder, &arguments, &model, err);
}

const struct command report_command = {
	.name = "report",
	.summary = "Write a report: a page, text, JSON, CSV, a mail draft ...",
	.run = run,
};
