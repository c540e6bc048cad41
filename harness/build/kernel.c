/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/kernel.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "build/kernel_private.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { INFO_LIMIT = 1 << 16 };

static const struct info_field {
	const char *name;
	size_t offset; /* of a char * in struct kernel */
} info_fields[] = {
	{"release", offsetof(struct kernel, release)},
	{"banner", offsetof(struct kernel, banner)},
	{"build_id", offsetof(struct kernel, build_id)},
	{"image_digest", offsetof(struct kernel, image_digest)},
	{"origin", offsetof(struct kernel, origin)},
	{"toolchain", offsetof(struct kernel, toolchain)},
	{"failure", offsetof(struct kernel, failure)},
};

enum { INFO_FIELDS = sizeof(info_fields) / sizeof(*info_fields) };

static const struct {
	enum kernel_format format;
	const char *name;
} formats[] = {{KERNEL_ELF, "elf"}, {KERNEL_BZIMAGE, "bzimage"}};

static char **field_of(struct kernel *kernel, const struct info_field *field)
{
	return (char **)(void *)((char *)kernel + field->offset);
}

void kernel_finish(struct kernel *kernel)
{
	for (size_t i = 0; i < INFO_FIELDS; i++)
		free(*field_of(kernel, &info_fields[i]));
	free(kernel->folder);
	free(kernel->image);
	free(kernel->modules);
	free(kernel->system_map);
	free(kernel->files);
	free(kernel->config);
	free(kernel->log);
	*kernel = (struct kernel){0};
}

/* One line a field: what would break it becomes a space. */
static void write_field(struct text *text, const char *name, const char *value)
{
	text_format(text, "%s ", name);
	for (; *value; value++)
		text_add_char(text, iscntrl((unsigned char)*value) ? ' ' : *value);
	text_add_char(text, '\n');
}

void kernel_info_write(const struct kernel *kernel, struct text *ret_text)
{
	struct kernel *readable = (struct kernel *)(uintptr_t)kernel;

	for (size_t i = 0; i < INFO_FIELDS; i++) {
		const char *value = *field_of(readable, &info_fields[i]);

		if (value)
			write_field(ret_text, info_fields[i].name, value);
	}
	write_field(ret_text, "format", formats[kernel->format].name);
	text_format(ret_text, "build_seconds %.3f\n", kernel->build_seconds);
	/* Its absence tells of an entry that is not whole. */
	text_add(ret_text, "end\n");
}

static void read_line(struct kernel *kernel, char *line, int *ended)
{
	char *value = strchr(line, ' ');

	*ended |= !strcmp(line, "end");
	if (!value)
		return;
	*value++ = '\0';
	for (size_t i = 0; i < INFO_FIELDS; i++)
		if (!strcmp(info_fields[i].name, line)) {
			free(*field_of(kernel, &info_fields[i]));
			*field_of(kernel, &info_fields[i]) = memory_copy_string(value);
		}
	for (size_t i = 0; !strcmp(line, "format") && i < 2; i++)
		if (!strcmp(formats[i].name, value))
			kernel->format = formats[i].format;
	if (!strcmp(line, "build_seconds") &&
	    number_parse_double(value, &kernel->build_seconds))
		kernel->build_seconds = 0;
}

static char *path_if_there(const char *folder, const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);

	return file_exists(path) ? TAKE(path) : NULL;
}

static void find_files(struct kernel *kernel)
{
	CLEANUP(cleanup_free)
	char *modules = memory_format("modules/lib/modules/%s",
				      kernel->release ? kernel->release : "-");

	kernel->image = path_if_there(kernel->folder, "image");
	kernel->system_map = path_if_there(kernel->folder, "System.map");
	kernel->files = path_if_there(kernel->folder, "files");
	kernel->config = path_if_there(kernel->folder, "config");
	kernel->log = path_if_there(kernel->folder, "build.log");
	kernel->modules = path_if_there(kernel->folder, modules);
}

/* Whether the folder holds an entry; what is damaged is none. */
static int read_entry(const char *folder, const char *key, struct kernel *kernel)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "info");
	CLEANUP(text_finish) struct text info = {0};
	struct error ignored;
	char *rest, *line;
	int ended = 0;

	if (file_read(path, INFO_LIMIT, &info, &ignored))
		return 0;
	memcpy(kernel->key, key, strlen(key) + 1);
	kernel->folder = memory_copy_string(folder);
	for (rest = info.data; (line = strsep(&rest, "\n"));)
		read_line(kernel, line, &ended);
	find_files(kernel);
	return ended && (kernel->failure ||
			 (kernel->image && kernel->release && kernel->image_digest));
}

static int is_key(const char *name)
{
	return strlen(name) == HASH_HEX_SIZE - 1 &&
	       strspn(name, "0123456789abcdef") == HASH_HEX_SIZE - 1;
}

int kernel_store_find(const char *store, const char *key, struct kernel *ret_kernel,
		      int *ret_found, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = file_join(store, key);
	CLEANUP(kernel_finish) struct kernel kernel = {0};

	if (!is_key(key))
		return error_set(err, ERROR_USAGE, "\"%.80s\" is no kernel key", key);
	*ret_found = 0;
	if (!file_exists(folder))
		return 0;
	if (!read_entry(folder, key, &kernel))
		return file_remove_tree(folder, err);
	*ret_kernel = kernel;
	kernel = (struct kernel){0};
	*ret_found = 1;
	return 0;
}

int kernel_store_list(const char *store, struct kernel **ret_kernels, size_t *ret_count,
		      struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct kernel *kernels;
	size_t count = 0;

	if (file_exists(store) && file_list(store, &names, err))
		return -1;
	kernels = memory_new(names.count + 1, sizeof(*kernels));
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *folder = file_join(store, names.items[i]);

		if (!is_key(names.items[i]))
			continue;
		if (read_entry(folder, names.items[i], &kernels[count]))
			count++;
		else
			kernel_finish(&kernels[count]);
	}
	*ret_kernels = kernels;
	*ret_count = count;
	return 0;
}

int kernel_store_remove(const char *store, const char *key, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = file_join(store, key);

	if (!is_key(key))
		return error_set(err, ERROR_USAGE, "\"%.80s\" is no kernel key", key);
	return file_remove_tree(folder, err);
}
