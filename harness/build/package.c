/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/package.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "build/deb_file.h"
#include "build/image_file.h"
#include "build/kernel_private.h"

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_HOPS = 3, DOWNLOAD_SECONDS = 1800 };

static int store_entry(struct stage *stage, const char *key, const char *origin,
		       struct kernel *ret_kernel, struct error *err)
{
	struct kernel facts = {.origin = (char *)(uintptr_t)origin,
			       .toolchain = (char *)(uintptr_t) ""};

	memcpy(facts.key, key, HASH_HEX_SIZE);
	return stage_commit(stage, &facts, ret_kernel, err);
}

static int index_modules(const struct stage *stage, struct error *err)
{
	CLEANUP(cleanup_free) char *image = file_join(stage->folder, "image");
	CLEANUP(cleanup_free) char *modules = file_join(stage->folder, "modules");
	CLEANUP(image_identity_finish) struct image_identity identity = {0};
	CLEANUP(cleanup_free) char *wanted = NULL;

	if (!file_exists(modules))
		return 0;
	if (image_identify(image, &identity, err))
		return -1;
	wanted = memory_format("%s/lib/modules/%s", modules, identity.release);
	if (!file_exists(wanted))
		return error_set(err, ERROR_USAGE,
				 "the modules are not those of the image, which is %s",
				 identity.release);
	return stage_index_modules(modules, identity.release, err);
}

static int unpack(const char *store, const char *file, const char *key,
		  struct kernel *ret_kernel, struct error *err)
{
	CLEANUP(stage_finish) struct stage stage = {0};
	CLEANUP(cleanup_free) char *image = NULL;
	const char *slash = strrchr(file, '/');

	if (stage_begin(store, &stage, err) || deb_unpack_kernel(file, stage.folder, err))
		return -1;
	image = file_join(stage.folder, "image");
	if (!file_exists(image))
		return error_set(err, ERROR_USAGE,
				 "%s holds no kernel (boot/vmlinuz-...)", file);
	if (index_modules(&stage, err))
		return error_prefix(err, "%s", file);
	return store_entry(&stage, key, slash ? slash + 1 : file, ret_kernel, err);
}

static int file_kernel(const char *store, const char *file, struct kernel *ret_kernel,
		       struct error *err)
{
	char key[HASH_HEX_SIZE];
	struct hash hash;
	int found;

	hash_init(&hash);
	if (hash_field_file(&hash, "deb", file, err))
		return error_change_kind(err, ERROR_USAGE);
	hash_hex(&hash, key);
	if (kernel_store_find(store, key, ret_kernel, &found, err))
		return -1;
	return found ? 0 : unpack(store, file, key, ret_kernel, err);
}

/* apt works in its current folder; what it complains of goes to folder/apt.log. */
static int run_apt(const char *const *argv, const char *current, const char *folder,
		   const char *name, struct text *ret_output, struct error *err)
{
	CLEANUP(cleanup_free) char *log = file_join(folder, "apt.log");
	CLEANUP(text_finish) struct text words = {0};
	static const char *const environment[] = {"LC_ALL=C", NULL};
	struct process_options options = {.argv = argv,
					  .environment = environment,
					  .folder = current,
					  .log_path = log,
					  .output = ret_output,
					  .guarded = 1,
					  .timeout_seconds = DOWNLOAD_SECONDS};
	struct process_result result;

	unlink(log);
	if (process_run(&options, &result, err))
		return error_prefix(err, "deb:%s", name);
	if (result.end == PROCESS_EXITED && result.code == 0)
		return 0;
	if (file_read(log, 1 << 16, &words, err))
		return -1;
	return error_set(err, ERROR_HOST, "deb:%s: apt-get download failed: %.500s%s",
			 name, words.size ? words.data : "no word",
			 words.size ? "" : " (is the name right? apt-get update?)");
}

/* "'URL' FILE SIZE HASH" names the file that a download makes. */
static char *printed_file(const struct text *output)
{
	const char *end = strstr(text_string(output), "' ");
	size_t length = end ? strcspn(end + 2, " \n") : 0;

	if (!length || memchr(end + 2, '/', length))
		return NULL;
	return memory_copy_bytes(end + 2, length);
}

static int download(const char *folder, const char *name, char **ret_file,
		    struct error *err)
{
	const char *ask[] = {"apt-get", "download", "--print-uris", name, NULL};
	const char *fetch[] = {"apt-get", "download", "-q", name, NULL};
	CLEANUP(text_finish) struct text output = {0};
	CLEANUP(cleanup_free) char *file = NULL;
	CLEANUP(cleanup_free) char *path = NULL;

	/* Where the file is there already, apt would print nothing. */
	if (file_make_folders(folder, err) ||
	    run_apt(ask, "/", folder, name, &output, err))
		return -1;
	file = printed_file(&output);
	if (!file)
		return error_set(err, ERROR_USAGE, "deb:%s: apt knows no such package",
				 name);
	path = file_join(folder, file);
	text_clear(&output);
	if (!file_exists(path) && run_apt(fetch, folder, folder, name, &output, err))
		return -1;
	if (!file_exists(path))
		return error_set(err, ERROR_HOST, "deb:%s: apt-get download made no %s",
				 name, path);
	*ret_file = TAKE(path);
	return 0;
}

static int is_file_name(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && !strcmp(name + length - 4, ".deb"));
}

int package_kernel(const char *store, const char *downloads, const char *name,
		   struct kernel *ret_kernel, struct error *err)
{
	CLEANUP(cleanup_free) char *current = memory_copy_string(name);

	if (is_file_name(name))
		return file_kernel(store, name, ret_kernel, err);
	for (int hop = 0; hop < MOST_HOPS; hop++) {
		CLEANUP(cleanup_free) char *file = NULL;
		char *next = NULL;

		if (*current == '-')
			return error_set(err, ERROR_USAGE, "deb:%s: no package name",
					 name);
		if (download(downloads, current, &file, err) ||
		    deb_kernel_dependency(file, &next, err))
			return -1;
		if (!next)
			return file_kernel(store, file, ret_kernel, err);
		free(current);
		current = next;
	}
	return error_set(err, ERROR_USAGE, "deb:%s leads to no kernel", name);
}

/* FOLDER with lib/modules/RELEASE below, or that itself; NULL where neither. */
static char *find_modules(const char *folder, const char *release)
{
	static const char *const forms[] = {"lib/modules/", "usr/lib/modules/", ""};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		char *path = memory_format("%s/%s%s", folder, forms[i], release);

		if (file_exists(path))
			return path;
		free(path);
	}
	if (strstr(folder, release))
		return memory_copy_string(folder);
	return NULL;
}

/* What cannot be read must not be missing in the guest without a word. */
static int copy_entry(const FTSENT *entry, const char *from, const char *to,
		      struct error *err)
{
	CLEANUP(cleanup_free)
	char *target = memory_format("%s%s", to, entry->fts_path + strlen(from));

	if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
	    entry->fts_info == FTS_NS) {
		errno = entry->fts_errno;
		return error_system(err, "cannot read %s", entry->fts_path);
	}
	if (entry->fts_info == FTS_D)
		return file_make_folders(target, err);
	/* "build" and "source" are links to the source. */
	return entry->fts_info == FTS_F ? file_copy(entry->fts_path, target, err) : 0;
}

static int copy_modules(const char *from, const char *to, struct error *err)
{
	char *roots[] = {(char *)(uintptr_t)from, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int result = 0;

	if (!walk)
		return error_system(err, "cannot read %s", from);
	while (result == 0 && (entry = fts_read(walk)))
		result = copy_entry(entry, from, to, err);
	fts_close(walk);
	return result;
}

static int stage_image(struct stage *stage, const char *image, const char *modules,
		       const char *release, struct error *err)
{
	CLEANUP(cleanup_free) char *target = file_join(stage->folder, "image");
	CLEANUP(cleanup_free) char *folder = NULL;

	if (file_copy(image, target, err))
		return -1;
	if (!modules)
		return 0;
	folder = memory_format("%s/modules/lib/modules/%s", stage->folder, release);
	return copy_modules(modules, folder, err) || index_modules(stage, err) ? -1 : 0;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* All that copy_modules() takes along, under any name of the folder itself. */
static int hash_modules(const char *folder, struct hash *hash, struct error *err)
{
	char *roots[] = {(char *)(uintptr_t)folder, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
	FTSENT *entry;
	int result = 0;

	if (!walk)
		return error_system(err, "cannot read %s", folder);
	while (result == 0 && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F)
			result = hash_field_file(hash, entry->fts_path + strlen(folder),
						 entry->fts_path, err);
	fts_close(walk);
	return result;
}

static int image_key(const struct image_identity *identity, const char *modules,
		     char key[HASH_HEX_SIZE], struct error *err)
{
	struct hash hash;

	hash_init(&hash);
	hash_field_string(&hash, "image", identity->digest);
	if (modules && hash_modules(modules, &hash, err))
		return -1;
	hash_hex(&hash, key);
	return 0;
}

int image_kernel(const char *store, const char *image, const char *modules,
		 struct kernel *ret_kernel, struct error *err)
{
	CLEANUP(image_identity_finish) struct image_identity identity = {0};
	CLEANUP(stage_finish) struct stage stage = {0};
	CLEANUP(cleanup_free) char *folder = NULL;
	char key[HASH_HEX_SIZE];
	int found;

	if (image_identify(image, &identity, err))
		return error_prefix(err, "image");
	if (modules && !(folder = find_modules(modules, identity.release)))
		return error_set(err, ERROR_USAGE,
				 "%s holds no lib/modules/%s for the image %s", modules,
				 identity.release, image);
	if (image_key(&identity, folder, key, err) ||
	    kernel_store_find(store, key, ret_kernel, &found, err))
		return -1;
	if (found)
		return 0;
	if (stage_begin(store, &stage, err) ||
	    stage_image(&stage, image, folder, identity.release, err))
		return -1;
	return store_entry(&stage, key, image, ret_kernel, err);
}
