/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/results.h"
#include "cli/status_print.h"
#include "measure/turn.h"

#include <stdio.h>

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	return key == ARGP_KEY_ARG ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp argp = {
	NULL,
	parse,
	"",
	"What measures on this host now and how far it is; searches with their suspects, "
	"what they cost so far and will cost; what is left for the next night; the last "
	"sessions.",
};

static void finish_status(struct status *status)
{
	search_list_finish(&status->searches);
	queue_list_finish(&status->queue);
	session_list_finish(&status->sessions);
}

/* Of one moment: a night may be at work. */
static int load(struct store *store, struct status *status, struct error *err)
{
	int failed;

	if (store_begin_read(store, err))
		return -1;
	failed = store_load_searches(store, 0, &status->searches, err) ||
		 store_load_queue(store, NULL, &status->queue, err) ||
		 store_load_sessions(store, &status->sessions, err);
	store_rollback(store);
	return failed ? -1 : 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct {
		struct context *context;
	} arguments = {context};
	CLEANUP(finish_status) struct status status = {0};
	CLEANUP(cleanup_store) struct store *store = NULL;
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(text_finish) struct text out = {0};
	struct error why = {0};

	command_parse(&argp, argc, argv, &arguments);
	/* A lock that cannot be looked at is told, and hides nothing else. */
	if (turn_look(&status.holder, &why))
		status.holder_problem = why.text;
	if (results_folder(context, &folder, err))
		return -1;
	path = file_join(folder, STORE_FILE_NAME);
	/* No results yet: there is nothing to tell of them. */
	if (file_exists(path) &&
	    (results_open(folder, &store, err) || load(store, &status, err)))
		return -1;
	status.store = store;
	if (context->json ? status_add_json(&status, &out, err)
			  : status_add_text(&status, &out, err))
		return -1;
	fputs(text_string(&out), stdout);
	return 0;
}

const struct command status_command = {
	.name = "status",
	.summary = "What runs now, searches, what the next night has to do",
	.run = run,
};
