/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "build/kernel.h"
#include "build/lease.h"
#include "cli/command.h"
#include "cli/kernels_print.h"
#include "cli/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DAYS = 0x2000, KEY_SIZE, KEY_FAILED, KEY_DRY_RUN };
enum { DAY_SECONDS = 24 * 60 * 60 };

struct arguments {
	struct context *context;
	const char *verb, *key;
	uint64_t days, size;
	int has_days, has_size, failed, dry_run;
};

static const struct argp_option options[] = {
	{"days", KEY_DAYS, "N", 0, "prune: those that were not used for N days", 1},
	{"size", KEY_SIZE, "SIZE", 0,
	 "prune: the longest unused ones, until the rest takes no more than SIZE (5G, "
	 "500M)",
	 1},
	{"failed", KEY_FAILED, NULL, 0, "prune: builds that failed, to try them again",
	 1},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "prune: only say what would be removed", 1},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_DAYS:
		arguments->has_days = 1;
		if (number_parse_unsigned(arg, &arguments->days) ||
		    arguments->days > 100000)
			argp_error(state, "--days: a number from 0 to 100000, not '%s'",
				   arg);
		return 0;
	case KEY_SIZE:
		arguments->has_size = 1;
		if (number_parse_size(arg, &arguments->size))
			argp_error(state, "--size: a size like 5G, not '%s'", arg);
		return 0;
	case KEY_FAILED:
		arguments->failed = 1;
		return 0;
	case KEY_DRY_RUN:
		arguments->dry_run = 1;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->key)
			argp_error(state, "one argument too many: '%s'", arg);
		if (arguments->verb)
			arguments->key = arg;
		else
			arguments->verb = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"[list]\nshow KEY\nprune CRITERION...",
	"Kernels that were built or unpacked, with their size and last use."
	"\vKEY is a key or its beginning. prune removes what meets any of the criteria "
	"given; never what a running command uses. What is asked for again later is "
	"built again; results stay.",
};

/* --- the store */

static void finish_shelf(struct shelf *shelf)
{
	for (size_t i = 0; i < shelf->count; i++)
		kernel_finish(&shelf->items[i].kernel);
	free(shelf->items);
	text_list_finish(&shelf->held);
}

/* The longest unused first. */
static int by_use(const void *a, const void *b)
{
	const struct shelf_item *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->kernel.key, y->kernel.key);
}

static int load(const char *store, struct shelf *shelf, struct error *err)
{
	struct kernel *kernels = NULL;
	size_t count = 0;

	shelf->store = store;
	if (kernel_store_list(store, &kernels, &count, err) ||
	    kernel_lease_list(store, &shelf->held, err))
		return -1;
	shelf->items = memory_new(count + 1, sizeof(*shelf->items));
	for (size_t i = 0; i < count; i++) {
		struct shelf_item *item = &shelf->items[shelf->count++];
		struct error ignored;

		item->kernel = kernels[i];
		item->used = kernel_last_used(store, item->kernel.key);
		item->is_held = text_list_contains(&shelf->held, item->kernel.key);
		if (file_tree_size(item->kernel.folder, &item->bytes, &ignored))
			item->bytes = 0;
		shelf->bytes += item->bytes;
	}
	free(kernels);
	qsort(shelf->items, shelf->count, sizeof(*shelf->items), by_use);
	return 0;
}

/* --- the verbs */

static int list(const struct arguments *arguments, struct shelf *shelf, struct error *err)
{
	(void)err;
	if (arguments->key)
		return error_set(err, ERROR_USAGE, "kernels list takes nothing");
	kernels_print(shelf, arguments->context->json);
	return 0;
}

static int show(const struct arguments *arguments, struct shelf *shelf, struct error *err)
{
	const struct shelf_item *found = NULL;
	size_t matches = 0;

	if (!arguments->key)
		return error_set(err, ERROR_USAGE, "kernels show needs a key");
	for (size_t i = 0; i < shelf->count; i++)
		if (!strncmp(shelf->items[i].kernel.key, arguments->key,
			     strlen(arguments->key))) {
			found = &shelf->items[i];
			matches++;
		}
	if (matches != 1)
		return error_set(err, ERROR_USAGE,
				 matches ? "%s: several kernels begin so; \"kregress "
					   "kernels\" lists them"
					 : "%s: no kernel begins so; \"kregress "
					   "kernels\" lists them",
				 arguments->key);
	kernels_print_one(found, arguments->context->json);
	return 0;
}

static int is_wanted_away(const struct arguments *arguments, const struct shelf *shelf,
			  const struct shelf_item *item)
{
	int64_t age = clock_now() - item->used;

	return (arguments->has_days && age >= (int64_t)arguments->days * DAY_SECONDS) ||
	       (arguments->failed && item->kernel.failure) ||
	       (arguments->has_size && shelf->bytes > arguments->size);
}

static int remove_item(const struct arguments *arguments, struct shelf *shelf,
		       struct shelf_item *item, struct error *err)
{
	int removed = !item->is_held;

	if (!arguments->dry_run &&
	    kernel_lease_remove(shelf->store, item->kernel.key, &removed, err))
		return -1;
	item->is_removed = removed;
	item->is_held = !removed;
	if (removed)
		shelf->bytes -= item->bytes;
	return 0;
}

static int prune(const struct arguments *arguments, struct shelf *shelf,
		 struct error *err)
{
	if (arguments->key)
		return error_set(err, ERROR_USAGE, "kernels prune takes options only");
	if (!arguments->has_days && !arguments->has_size && !arguments->failed)
		return error_set(err, ERROR_USAGE,
				 "kernels prune needs --days, --size or --failed: what "
				 "may go");
	for (size_t i = 0; i < shelf->count; i++)
		if (is_wanted_away(arguments, shelf, &shelf->items[i])) {
			shelf->items[i].is_chosen = 1;
			if (remove_item(arguments, shelf, &shelf->items[i], err))
				return -1;
		}
	kernels_print_pruned(shelf, arguments->dry_run, arguments->context->json);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(const struct arguments *arguments, struct shelf *shelf,
		   struct error *err);
} verbs[] = {{"list", list}, {"show", show}, {"prune", prune}};

static int dispatch(const struct arguments *arguments, struct shelf *shelf,
		    struct error *err)
{
	const char *name = arguments->verb ? arguments->verb : "list";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(verbs[i].name, name))
			return verbs[i].run(arguments, shelf, err);
	return error_set(err, ERROR_USAGE, "kernels '%s'? one of list, show, prune",
			 name);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context};
	CLEANUP(setup_finish) struct setup setup = {0};
	CLEANUP(finish_shelf) struct shelf shelf = {0};
	struct setup_options opening = {.argc = argc, .argv = argv, .without_store = 1};

	command_parse(&argp, argc, argv, &arguments);
	if (setup_open(context, &opening, &setup, err) ||
	    load(setup.workbench.kernel_store, &shelf, err))
		return -1;
	return dispatch(&arguments, &shelf, err);
}

const struct command kernels_command = {
	.name = "kernels",
	.summary = "List, show or prune the kernels that were built",
	.run = run,
};
