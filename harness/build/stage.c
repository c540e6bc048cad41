/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "build/image_file.h"
#include "build/kernel_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char stage_prefix[] = ".new-";

enum { STALE_SECONDS = 3600 };

/* What a killed process left behind. */
static void remove_stale(const char *store)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error ignored;

	if (file_list(store, &names, &ignored))
		return;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = file_join(store, names.items[i]);
		struct stat status;

		if (!strncmp(names.items[i], stage_prefix, strlen(stage_prefix)) &&
		    stat(path, &status) == 0 &&
		    time(NULL) - status.st_mtime > STALE_SECONDS)
			file_remove_tree(path, &ignored);
	}
}

int stage_begin(const char *store, struct stage *stage, struct error *err)
{
	CLEANUP(cleanup_free) char *pattern = file_join(store, stage_prefix);

	if (file_make_folders(store, err))
		return -1;
	remove_stale(store);
	if (file_make_temporary_folder(pattern, &stage->folder, err))
		return -1;
	stage->store = memory_copy_string(store);
	return 0;
}

void stage_finish(struct stage *stage)
{
	struct error ignored;

	if (stage->folder)
		file_remove_tree(stage->folder, &ignored);
	free(stage->folder);
	free(stage->store);
	*stage = (struct stage){0};
}

static int write_info(const struct stage *stage, const struct kernel *facts,
		      struct error *err)
{
	CLEANUP(image_identity_finish) struct image_identity identity = {0};
	CLEANUP(cleanup_free) char *image = file_join(stage->folder, "image");
	CLEANUP(cleanup_free) char *path = file_join(stage->folder, "info");
	CLEANUP(text_finish) struct text info = {0};
	struct kernel whole = *facts;

	if (!facts->failure) {
		if (image_identify(image, &identity, err))
			return -1;
		whole.format = identity.format;
		whole.release = identity.release;
		whole.banner = identity.banner;
		whole.build_id = identity.build_id;
		whole.image_digest = identity.digest;
	}
	kernel_info_write(&whole, &info);
	return file_write(path, info.data, info.size, err);
}

int stage_commit(struct stage *stage, const struct kernel *facts,
		 struct kernel *ret_kernel, struct error *err)
{
	CLEANUP(cleanup_free) char *entry = file_join(stage->store, facts->key);
	int found;

	if (write_info(stage, facts, err))
		return -1;
	/* mkdtemp() made it for us alone; an entry is for all who may read the store. */
	if (chmod(stage->folder, 0755))
		return error_system(err, "cannot write %s", entry);
	if (rename(stage->folder, entry) == 0) {
		free(stage->folder);
		stage->folder = NULL;
	} else if (errno != EEXIST && errno != ENOTEMPTY) {
		return error_system(err, "cannot create %s", entry);
	}
	if (kernel_store_find(stage->store, facts->key, ret_kernel, &found, err))
		return -1;
	if (!found)
		return error_set(err, ERROR_HOST, "%s: the new entry cannot be read",
				 entry);
	return 0;
}

/* Not in the PATH of ordinary users everywhere. */
static const char *find_depmod(void)
{
	static const char *const names[] = {"depmod", "/usr/sbin/depmod", "/sbin/depmod"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (process_find(names[i]))
			return names[i];
	return NULL;
}

int stage_index_modules(const char *folder, const char *release, struct error *err)
{
	const char *depmod = find_depmod();
	const char *argv[] = {depmod, "-b", folder, release, NULL};
	CLEANUP(cleanup_free)
	char *index = memory_format("%s/lib/modules/%s/modules.dep", folder, release);
	struct process_options options = {.argv = argv, .timeout_seconds = 120};
	struct process_result result;

	if (file_exists(index))
		return 0;
	if (!depmod)
		return error_set(err, ERROR_HOST, "depmod is missing (package kmod)");
	if (process_run(&options, &result, err))
		return -1;
	if (result.end != PROCESS_EXITED || result.code)
		return error_set(err, ERROR_HOST, "depmod failed for %s", folder);
	return 0;
}
