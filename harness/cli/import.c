/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/import_boots.h"
#include "cli/results.h"
#include "cli/setup.h"
#include "exchange/csv.h"
#include "exchange/fio.h"
#include "report/format.h"
#include "store/sessions.h"

#include <stdio.h>
#include <string.h>

struct arguments {
	struct context *context;
	const char *version_from;
	struct text_list files;
};

enum { KEY_VERSION_FROM = 0x2000 };

static const struct argp_option options[] = {
	{"version-from", KEY_VERSION_FROM, "NAME", 0,
	 "For output of fio: the key that holds the version, or the version itself", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_VERSION_FROM:
		arguments->version_from = arg;
		return 0;
	case ARGP_KEY_ARG:
		text_list_add(&arguments->files, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Adds numbers of your own to the results: CSV with the columns version, "
	       "scenario, case, metric, unit, better, boot, value (and environment), or "
	       "fio's json and json+. Boots that are there already are passed over.",
};

static void arguments_finish(struct arguments *arguments)
{
	text_list_finish(&arguments->files);
}

static int read_file(const struct arguments *arguments, const char *path,
		     struct dataset *dataset, struct error *err)
{
	const char *slash = strrchr(path, '/');
	struct fio_options fio = {
		.version_from = arguments->version_from,
		.boot = slash ? slash + 1 : path,
	};

	if (!fio_looks_like(path))
		return csv_read(path, dataset, err);
	if (!fio.version_from)
		return error_set(err, ERROR_USAGE,
				 "%s: fio does not know the version that it measured: "
				 "say --version-from NAME",
				 path);
	if (fio_read(path, &fio, dataset, err))
		return -1;
	dataset_complete(dataset);
	return 0;
}

static void say(const char *path, const struct import_counts *counts, struct text *out)
{
	text_format(out, "%s: ", path);
	format_count(out, counts->added, "boot");
	text_add(out, " added");
	if (counts->known)
		text_format(out, ", %zu there already", counts->known);
	if (counts->different)
		text_format(out,
			    " (%zu with other values than in this file, which are left "
			    "out)",
			    counts->different);
	text_add_char(out, '\n');
}

static void add_json(const char *path, const struct import_counts *counts,
		     struct text *out)
{
	json_put_comma(out);
	text_add(out, "{\"file\":");
	json_put_string(out, path);
	json_put_key(out, "added");
	json_put_count(out, counts->added);
	json_put_key(out, "known");
	json_put_count(out, counts->known);
	json_put_key(out, "different");
	json_put_count(out, counts->different);
	text_add_char(out, '}');
}

static int import_file(const struct arguments *arguments, struct importer *importer,
		       const char *path, struct text *out, struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};
	struct import_counts counts;

	if (read_file(arguments, path, &dataset, err) ||
	    importer_add(importer, path, &dataset, &counts, err))
		return -1;
	if (arguments->context->json)
		add_json(path, &counts, out);
	else
		say(path, &counts, out);
	return 0;
}

static int import_files(const struct arguments *arguments, struct importer *importer,
			struct text *out, struct error *err)
{
	for (size_t i = 0; i < arguments->files.count; i++)
		if (import_file(arguments, importer, arguments->files.items[i], out, err))
			return -1;
	return 0;
}

/* What is kept of the first files is said even where a later one is refused. */
static int import_all(const struct arguments *arguments, struct importer *importer,
		      struct error *err)
{
	CLEANUP(text_finish) struct text out = {0};
	int json = arguments->context->json, failed;

	if (json)
		text_add(&out, "{\"files\":[");
	failed = import_files(arguments, importer, &out, err);
	if (json && failed)
		return -1;
	text_add(&out, json ? "]}\n" : "");
	fputs(text_string(&out), stdout);
	return failed || importer_end(importer, err) ? -1 : 0;
}

static int open_store(const struct context *context, struct store **ret_store,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *path = NULL;

	if (results_folder(context, &folder, err) || file_make_folders(folder, err))
		return -1;
	path = file_join(folder, STORE_FILE_NAME);
	return store_open(path, STORE_READ_WRITE, ret_store, err);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(cleanup_store) struct store *store = NULL;
	CLEANUP(arguments_finish) struct arguments arguments = {.context = context};
	CLEANUP(cleanup_free) char *command = setup_command_line(argc, argv);
	CLEANUP(importer_finish) struct importer importer = {0};
	struct session_record session = {
		.command = command, .lab = "import", .program = KREGRESS_VERSION};
	struct error end_err;

	command_parse(&argp, argc, argv, &arguments);
	if (open_store(context, &store, err) ||
	    store_add_session(store, &session, &importer.session, err))
		return -1;
	importer.store = store;
	if (import_all(&arguments, &importer, err)) {
		if (store_end_session(store, importer.session, 2, err->text, &end_err))
			log_warning("%s", end_err.text);
		return -1;
	}
	return store_end_session(store, importer.session, 0, NULL, err) ? -1 : 0;
}

const struct command import_command = {
	.name = "import",
	.summary = "Add numbers of your own: CSV, or fio's JSON",
	.run = run,
};
