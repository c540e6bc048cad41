/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "scenario/document.h"
#include "scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".yaml";

static int ends_with_suffix(const char *name)
{
	size_t length = strlen(name);

	return length >= strlen(suffix) &&
	       !strcmp(name + length - strlen(suffix), suffix);
}

/* Names without the suffix, of the folders that exist. */
static int list_names(const struct text_list *folders, struct text_list *names,
		      struct error *err)
{
	for (size_t i = 0; i < folders->count; i++) {
		CLEANUP(text_list_finish) struct text_list files = {0};

		if (!file_exists(folders->items[i]))
			continue;
		if (file_list(folders->items[i], &files, err))
			return -1;
		for (size_t j = 0; j < files.count; j++) {
			char *name = files.items[j];

			if (!ends_with_suffix(name) || name[0] == '.')
				continue;
			name[strlen(name) - strlen(suffix)] = '\0';
			if (!text_list_contains(names, name))
				text_list_add(names, name);
		}
	}
	return 0;
}

static char *find_in(const struct text_list *folders, const char *name)
{
	for (size_t i = 0; i < folders->count; i++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s/%s%s", folders->items[i], name, suffix);

		if (file_exists(path))
			return TAKE(path);
	}
	return NULL;
}

static int refuse(const char *name, const struct text_list *folders, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	CLEANUP(text_finish) struct text known = {0};
	const char *near = NULL;

	if (list_names(folders, &names, err))
		return -1;
	for (size_t i = 0; i < names.count; i++)
		text_format(&known, "%s%s", i ? ", " : "", names.items[i]);
	if (names.count)
		near = text_nearest(name, (const char *const *)names.items);
	return error_set(
		err, ERROR_USAGE, "there is no scenario '%s'%s%s%s; there are: %s",
		shown(name).text, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "", names.count ? known.data : "none");
}

int scenario_find(const char *name, const struct text_list *folders, char **ret_path,
		  struct error *err)
{
	char *path;

	if (strchr(name, '/') || ends_with_suffix(name)) {
		*ret_path = memory_copy_string(name);
		return 0;
	}
	path = find_in(folders, name);
	if (!path)
		return refuse(name, folders, err);
	*ret_path = path;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int scenario_list(const struct text_list *folders, struct text_list *paths,
		  struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};

	if (list_names(folders, &names, err))
		return -1;
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), compare);
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = find_in(folders, names.items[i]);

		if (path)
			text_list_add(paths, path);
	}
	return 0;
}
