/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/results.h"
#include "exchange/csv.h"
#include "report/result_rows.h"
#include "store/results.h"

#include <stdio.h>
#include <string.h>

struct arguments {
	struct context *context;
	const char *output;
	const char *scenario;
};

enum { KEY_OUTPUT = 0x2000, KEY_SCENARIO, FLUSH_SIZE = 1 << 20 };

static const struct argp_option options[] = {
	{"output", KEY_OUTPUT, "FILE", 0, "Write there instead of on standard output", 0},
	{"scenario", KEY_SCENARIO, "NAME", 0, "Only this scenario", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_OUTPUT:
		arguments->output = arg;
		return 0;
	case KEY_SCENARIO:
		arguments->scenario = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Writes the results as CSV that compare --from, history --from and import "
	       "take, or with --json as JSON with the same columns. Metrics that are "
	       "neither better lower nor higher are left out.",
};

/* How rows are written. */
struct row_format {
	void (*begin)(struct text *text);
	/* number: of the row, from 0 */
	void (*row)(struct text *text, const struct dataset_row *row, size_t number);
	void (*end)(struct text *text);
};

/* Where the text goes as it grows: all at once into a file, in pieces to stdout. */
struct sink {
	const char *output;
	const struct row_format *format;
	size_t rows;
	struct text text;
};

static void sink_finish(struct sink *sink)
{
	text_finish(&sink->text);
}

static void csv_row(struct text *text, const struct dataset_row *row, size_t number)
{
	(void)number;
	csv_write_row(text, row);
}

static void no_end(struct text *text)
{
	(void)text;
}

static const struct row_format csv_format = {csv_write_header, csv_row, no_end};

static void begin_json(struct text *text)
{
	text_add(text, "{\"rows\":[");
}

static void json_row(struct text *text, const struct dataset_row *row, size_t number)
{
	const struct {
		const char *key, *value;
	} columns[] = {
		{"version", row->version}, {"scenario", row->scenario},
		{"case", row->case_label}, {"metric", row->metric},
		{"unit", row->unit},       {"better", better_name(row->better)},
		{"boot", row->boot},       {"environment", row->environment},
	};

	text_add(text, number ? ",\n{" : "\n{");
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		json_put_key(text, columns[i].key);
		json_put_string(text, columns[i].value);
	}
	json_put_key(text, "value");
	json_put_number(text, row->value);
	text_add_char(text, '}');
}

static void end_json(struct text *text)
{
	text_add(text, "]}\n");
}

static const struct row_format json_format = {begin_json, json_row, end_json};

static int sink_flush(struct sink *sink, struct error *err)
{
	if (fwrite(text_string(&sink->text), 1, sink->text.size, stdout) !=
		    sink->text.size ||
	    fflush(stdout))
		return error_system(err, "standard output");
	text_clear(&sink->text);
	return 0;
}

static char *environment_name(struct store *store, const struct result_series *series,
			      struct error *err)
{
	CLEANUP(environment_finish) struct environment environment = {0};

	if (store_load_environment(store, series->environment, &environment, err))
		return NULL;
	return result_rows_environment(&environment, series);
}

static void put_row(void *closure, const struct dataset_row *row)
{
	struct sink *sink = closure;

	sink->format->row(&sink->text, row, sink->rows++);
}

static int write_values(const struct results *results, const struct result_series *series,
			size_t version, const char *environment, struct sink *sink,
			struct error *err)
{
	result_rows_each(results, series, version, environment, put_row, sink);
	if (!sink->output && sink->text.size > FLUSH_SIZE)
		return sink_flush(sink, err);
	return 0;
}

static void names_finish(struct text_list *names)
{
	text_list_finish(names);
}

static int write_all(struct store *store, const struct results *results,
		     struct sink *sink, struct error *err)
{
	CLEANUP(names_finish) struct text_list names = {0};

	for (size_t i = 0; i < results->count; i++) {
		CLEANUP(cleanup_free)
		char *name = environment_name(store, &results->series[i], err);

		if (!name)
			return -1;
		text_list_add(&names, name);
	}
	sink->format->begin(&sink->text);
	for (size_t version = 0; version < results->versions.count; version++)
		for (size_t i = 0; i < results->count; i++)
			if (write_values(results, &results->series[i], version,
					 names.items[i], sink, err))
				return -1;
	sink->format->end(&sink->text);
	if (!sink->output)
		return sink_flush(sink, err);
	return file_write(sink->output, sink->text.data, sink->text.size, err);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context};
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_store) struct store *store = NULL;
	CLEANUP(results_finish) struct results results = {0};
	CLEANUP(sink_finish) struct sink sink = {0};
	struct results_query query = {0};

	command_parse(&argp, argc, argv, &arguments);
	query.scenario = arguments.scenario;
	sink.output = arguments.output;
	sink.format = context->json ? &json_format : &csv_format;
	if (results_folder(context, &folder, err) || results_open(folder, &store, err) ||
	    store_load_results(store, &query, &results, err))
		return -1;
	return write_all(store, &results, &sink, err);
}

const struct command export_command = {
	.name = "export",
	.summary = "Write the results as CSV",
	.run = run,
};
