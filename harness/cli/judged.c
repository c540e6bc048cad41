/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/judged.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/data.h"

#include <stdlib.h>
#include <string.h>

int judged_init(const struct config *config, struct store *store,
		struct judged *ret_judged, struct error *err)
{
	CLEANUP(cleanup_free) char *shipped = data_path("scenarios");

	*ret_judged = (struct judged){0};
	for (size_t i = 0; i < config->scenario_folders.count; i++) {
		CLEANUP(cleanup_free)
		char *folder = config_path(config, config->scenario_folders.items[i]);

		text_list_add(&ret_judged->folders, folder);
	}
	text_list_add(&ret_judged->folders, shipped);
	return store_load_judged(store, 0, &ret_judged->before, err);
}

void judged_finish(struct judged *judged)
{
	for (size_t i = 0; i < judged->count; i++) {
		free(judged->items[i].name);
		scenario_finish(&judged->items[i].scenario);
	}
	free(judged->items);
	text_list_finish(&judged->folders);
	judged_list_finish(&judged->before);
	*judged = (struct judged){0};
}

/* A file that is gone or broken is no failure: the numbers are there all the same. */
static struct judged_scenario read_scenario(const struct judged *judged,
					    enum config_lab lab, const char *name)
{
	struct judged_scenario read = {.name = memory_copy_string(name), .lab = lab};
	struct scenario_options options = {.lab = lab};
	CLEANUP(cleanup_free) char *path = NULL;
	struct error err;

	/* The name comes from the database; it must not lead out of the folders. */
	if (strchr(name, '/') || scenario_find(name, &judged->folders, &path, &err))
		return read;
	read.known = !scenario_load(path, &options, &read.scenario, &err);
	return read;
}

static const struct judged_scenario *find(struct judged *judged, enum config_lab lab,
					  const char *name)
{
	for (size_t i = 0; i < judged->count; i++)
		if (judged->items[i].lab == lab && !strcmp(judged->items[i].name, name))
			return &judged->items[i];
	judged->items = memory_grow(judged->items, judged->count, &judged->capacity,
				    sizeof(*judged->items));
	judged->items[judged->count] = read_scenario(judged, lab, name);
	return &judged->items[judged->count++];
}

/* Whether "run" judged it, or nothing at all of that scenario. */
static int was_judged(const struct judged_list *before, const char *scenario,
		      const char *metric)
{
	int any = 0;

	for (size_t i = 0; i < before->count; i++) {
		if (strcmp(before->items[i].scenario, scenario))
			continue;
		if (!strcmp(before->items[i].metric, metric))
			return 1;
		any = 1;
	}
	return !any;
}

int judged_metric(struct judged *judged, enum config_lab lab, const char *scenario,
		  const char *name, const struct scenario_metric **ret_metric)
{
	const struct judged_scenario *known = find(judged, lab, scenario);

	*ret_metric = known->known ? scenario_find_metric(&known->scenario, name) : NULL;
	if (!known->known)
		return was_judged(&judged->before, scenario, name);
	return *ret_metric != NULL;
}
