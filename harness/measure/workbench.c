/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/workbench.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "build/lease.h"
#include "store/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *absolute(const char *path)
{
	CLEANUP(cleanup_free) char *folder = NULL;

	if (path[0] == '/')
		return memory_copy_string(path);
	folder = getcwd(NULL, 0);
	return file_join(folder ? folder : ".", path);
}

/* The first that is given: option, configuration, default. The caller frees. */
static char *choose_folder(const struct config *config, const char *option,
			   const char *configured, const char *fallback)
{
	CLEANUP(cleanup_free) char *path = NULL;

	if (option)
		return absolute(option);
	path = configured ? config_path(config, configured)
			  : file_join(config->folder, fallback);
	return absolute(path);
}

static char *default_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && cache[0] == '/')
		return memory_format("%s/kregress", cache);
	return memory_format("%s/.cache/kregress", home && *home ? home : "/root");
}

/*
 * Each repository has a build tree of its own: sources of another would take the place of
 * all files, and the next build would start from nothing.
 */
static char *choose_build_tree(const struct workbench *workbench)
{
	CLEANUP(cleanup_free) char *real = realpath(workbench->tree, NULL);
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	hash_init(&hash);
	hash_field_string(&hash, "repository", real ? real : workbench->tree);
	hash_hex(&hash, hex);
	return memory_format("%s/build/%.12s", workbench->cache, hex);
}

static void choose_folders(struct workbench *workbench)
{
	const struct config *config = &workbench->config;

	workbench->results = choose_folder(config, workbench->options.results,
					   config->results, "results");
	workbench->cache = config->cache ? choose_folder(config, NULL, config->cache, "")
					 : default_cache();
	workbench->kernel_store = file_join(workbench->cache, "kernels");
	workbench->ccache = file_join(workbench->cache, "ccache");
	workbench->lease = kernel_lease_create(workbench->kernel_store);
	workbench->lab_state = file_join(workbench->results, "lab");
	workbench->lab_boots = file_join(workbench->results, "boots");
	if (workbench->options.tree)
		workbench->tree = absolute(workbench->options.tree);
	else if (config->tree)
		workbench->tree = choose_folder(config, NULL, config->tree, "");
	if (workbench->tree)
		workbench->build_tree = choose_build_tree(workbench);
}

static void choose_scenario_folders(struct workbench *workbench)
{
	const struct config *config = &workbench->config;
	CLEANUP(cleanup_free)
	char *shipped = file_join(workbench->options.data, "scenarios");

	for (size_t i = 0; i < config->scenario_folders.count; i++) {
		CLEANUP(cleanup_free)
		char *path = config_path(config, config->scenario_folders.items[i]);

		text_list_add(&workbench->scenario_folders, path);
	}
	text_list_add(&workbench->scenario_folders, shipped);
}

static int open_store(struct workbench *workbench, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(workbench->results, STORE_FILE_NAME);

	if (workbench->options.without_store)
		return 0;
	if (file_make_folders(workbench->results, err))
		return -1;
	return store_open(path, STORE_READ_WRITE, &workbench->store, err);
}

static int load_classes(struct workbench *workbench, struct error *err)
{
	CLEANUP(cleanup_free)
	char *path = file_join(workbench->options.data, "vm-images/devices.yaml");

	return device_classes_load(path, &workbench->classes, err);
}

static int fill(struct workbench *workbench, struct error *err)
{
	if (config_load(workbench->options.config_path, &workbench->config, err) ||
	    load_classes(workbench, err))
		return -1;
	workbench->lab_kind =
		config_choose_lab(&workbench->config, workbench->options.lab);
	choose_folders(workbench);
	choose_scenario_folders(workbench);
	return open_store(workbench, err);
}

int workbench_open(const struct workbench_options *options,
		   struct workbench *ret_workbench, struct error *err)
{
	*ret_workbench = (struct workbench){.options = *options};
	if (fill(ret_workbench, err)) {
		workbench_close(ret_workbench);
		return -1;
	}
	return 0;
}

void workbench_close(struct workbench *workbench)
{
	lab_close(workbench->lab);
	session_set_finish(&workbench->sessions);
	kernel_lease_destroy(workbench->lease);
	turn_end(&workbench->turn);
	workspace_close(workbench->workspace);
	repository_close(workbench->repository);
	store_close(workbench->store);
	toolchain_finish(&workbench->toolchain);
	config_request_finish(&workbench->kernel_config);
	text_list_finish(&workbench->scenario_folders);
	device_classes_finish(&workbench->classes);
	config_finish(&workbench->config);
	free(workbench->results);
	free(workbench->cache);
	free(workbench->tree);
	free(workbench->kernel_store);
	free(workbench->ccache);
	free(workbench->build_tree);
	free(workbench->lab_state);
	free(workbench->lab_boots);
	*workbench = (struct workbench){0};
}

int workbench_open_repository(struct workbench *workbench, struct error *err)
{
	if (workbench->repository)
		return 0;
	if (!workbench->tree)
		return error_set(err, ERROR_USAGE,
				 "no kernel tree: give --tree DIR, or \"tree\" in %s",
				 CONFIG_FILE);
	return repository_open(workbench->tree, &workbench->repository, err);
}

static int add_fragments(struct workbench *workbench, struct error *err)
{
	const struct text_list *own = &workbench->config.kernel_config;
	CLEANUP(cleanup_free)
	char *base = file_join(workbench->options.data, "vm-images/kernel.config");

	if (config_add_fragment(&workbench->kernel_config, base, err))
		return -1;
	for (size_t i = 0; i < own->count; i++) {
		CLEANUP(cleanup_free)
		char *path = config_path(&workbench->config, own->items[i]);

		if (config_add_fragment(&workbench->kernel_config, path, err))
			return -1;
	}
	return 0;
}

int workbench_open_build(struct workbench *workbench, struct error *err)
{
	if (workbench->workspace)
		return 0;
	if (workbench_open_repository(workbench, err) || add_fragments(workbench, err) ||
	    toolchain_detect(NULL, &workbench->toolchain, err) ||
	    file_make_folders(workbench->build_tree, err))
		return -1;
	return workspace_open(workbench->repository, workbench->build_tree,
			      &workbench->workspace, err);
}

/* What the lab costs on this host and how to avoid it, line by line. */
static void say_notes(const struct lab *lab)
{
	const char *next = lab_notes(lab);

	while (*next) {
		size_t length = strcspn(next, "\n");

		log_warning("%.*s", (int)length, next);
		next += length + (next[length] != '\0');
	}
}

int workbench_open_lab(struct workbench *workbench, struct error *err)
{
	struct lab_options options = {
		.kind = workbench->lab_kind,
		.state = workbench->lab_state,
		.boots = workbench->lab_boots,
		.agent = workbench->options.agent,
		.blocks = workbench->options.blocks,
		.uri = workbench->options.connect,
		.config = &workbench->config,
		.classes = &workbench->classes,
	};

	if (workbench->lab)
		return 0;
	if (turn_take(&workbench->turn, LOCK_ALONE, workbench->options.command,
		      (double)workbench->config.wait_minutes * 60, err) ||
	    lab_open(&options, &workbench->lab, err))
		return -1;
	say_notes(workbench->lab);
	return 0;
}

int workbench_begin_session(struct workbench *workbench, struct error *err)
{
	struct session_record session = {
		.command = workbench->options.command,
		.lab = config_lab_names[workbench->lab_kind],
		.program = KREGRESS_VERSION,
	};

	if (store_add_session(workbench->store, &session, &workbench->session, err))
		return -1;
	session_set_add(&workbench->sessions, workbench->session);
	return 0;
}

int workbench_resume(struct workbench *workbench, struct error *err)
{
	struct session_set *set = &workbench->sessions;

	if (store_find_interrupted(workbench->store, workbench->session, set, err))
		return -1;
	if (set->count > 1)
		log_info("going on with what was interrupted");
	return 0;
}

void workbench_end_session(struct workbench *workbench, int exit_code, const char *reason)
{
	struct error err = {0};

	if (workbench->session && store_end_session(workbench->store, workbench->session,
						    exit_code, reason, &err))
		log_warning("the end of this session is not stored: %s", err.text);
}

int workbench_load_scenario(const struct workbench *workbench, const char *name,
			    const struct text_list *overrides,
			    struct scenario *ret_scenario, struct error *err)
{
	CLEANUP(cleanup_free) char *path = NULL;
	struct scenario_options options = {
		.lab = workbench->lab_kind,
		.overrides = overrides,
		.classes = &workbench->classes,
		.check_files = 1,
	};

	if (scenario_find(name, &workbench->scenario_folders, &path, err))
		return -1;
	return scenario_load(path, &options, ret_scenario, err);
}
