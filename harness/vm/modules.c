/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/modules.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "vm/decompress.h"
#include "vm/modinfo.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MODULE_LIMIT = 128 << 20, LIST_LIMIT = 64 << 20, DEPTH_LIMIT = 16 };

enum state { UNSEEN, VISITING, LISTED };

struct module {
	char *name; /* with _ for - */
	char *path;
	enum state state;
};

struct index {
	struct module *modules;
	size_t count;
	size_t capacity;
	struct text builtin;      /* modules.builtin, a path a line */
	struct text builtin_info; /* "module.key=value" strings of those */
	struct text_list *paths;
};

static void index_finish(struct index *index)
{
	for (size_t i = 0; i < index->count; i++) {
		free(index->modules[i].name);
		free(index->modules[i].path);
	}
	free(index->modules);
	text_finish(&index->builtin);
	text_finish(&index->builtin_info);
}

static void with_underscores(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

/* Bytes of the name before ".ko" or ".ko.xz" and the like; 0 for other files. */
static size_t stem_length(const char *name)
{
	static const char *const suffixes[] = {".ko", ".ko.xz", ".ko.zst", ".ko.gz",
					       NULL};
	size_t length = strlen(name);

	for (size_t i = 0; suffixes[i]; i++) {
		size_t suffix = strlen(suffixes[i]);

		if (length > suffix && !strcmp(name + length - suffix, suffixes[i]))
			return length - suffix;
	}
	return 0;
}

/* The module's name out of its file's; NULL for other files. */
static char *module_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = stem_length(base);
	char *name;

	if (!length)
		return NULL;
	name = memory_copy_bytes(base, length);
	with_underscores(name);
	return name;
}

char *modules_file_name(const char *path)
{
	CLEANUP(cleanup_free) char *name = module_name(path);

	return name ? memory_format("%s.ko", name) : NULL;
}

int modules_read(const char *path, struct text *ret_bytes, struct error *err)
{
	CLEANUP(text_finish) struct text packed = {0};

	text_clear(ret_bytes);
	if (file_read(path, MODULE_LIMIT, &packed, err))
		return -1;
	return decompress(&packed, path, ret_bytes, err);
}

static void add_file(struct index *index, const char *path)
{
	char *name = module_name(path);

	if (!name)
		return;
	index->modules = memory_grow(index->modules, index->count, &index->capacity,
				     sizeof(*index->modules));
	index->modules[index->count++] =
		(struct module){.name = name, .path = memory_copy_string(path)};
}

/* Links are left alone: "build" and "source" lead out of the folder. */
static int walk(struct index *index, const char *folder, int depth, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};

	if (depth > DEPTH_LIMIT)
		return error_set(err, ERROR_HOST, "%s: folders too deep", folder);
	if (file_list(folder, &names, err))
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, names.items[i]);
		struct stat status;

		if (lstat(path, &status))
			return error_system(err, "cannot read %s", path);
		if (S_ISREG(status.st_mode))
			add_file(index, path);
		if (S_ISDIR(status.st_mode) && walk(index, path, depth + 1, err))
			return -1;
	}
	return 0;
}

static int read_list(const char *folder, const char *name, struct text *list,
		     struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);

	return file_exists(path) ? file_read(path, LIST_LIMIT, list, err) : 0;
}

static int index_init(struct index *index, const char *folder, struct error *err)
{
	if (read_list(folder, "modules.builtin", &index->builtin, err) ||
	    read_list(folder, "modules.builtin.modinfo", &index->builtin_info, err))
		return -1;
	return walk(index, folder, 0, err);
}

static struct module *find(const struct index *index, const char *name)
{
	for (size_t i = 0; i < index->count; i++)
		if (!strcmp(index->modules[i].name, name))
			return &index->modules[i];
	return NULL;
}

static int is_builtin(const struct index *index, const char *name)
{
	CLEANUP(cleanup_free)
	char *lines = memory_copy_string(text_string(&index->builtin));
	char *rest = lines, *line;

	while ((line = strsep(&rest, "\n"))) {
		CLEANUP(cleanup_free) char *builtin = module_name(line);

		if (builtin && !strcmp(builtin, name))
			return 1;
	}
	return 0;
}

static int is_builtin_alias(const struct index *index, const char *alias)
{
	CLEANUP(cleanup_free) char *entry = memory_format(".alias=%s", alias);
	const struct text *info = &index->builtin_info;

	/* With the terminator, so that it is the whole value. */
	return info->size && memmem(info->data, info->size, entry, strlen(entry) + 1);
}

static int has_alias(const struct module *module, const char *alias)
{
	CLEANUP(text_list_finish) struct text_list aliases = {0};
	CLEANUP(text_finish) struct text object = {0};
	struct error unused;

	/* A module that cannot be read is no answer; if it is needed, that is told. */
	if (modules_read(module->path, &object, &unused) ||
	    modinfo_values(&object, module->path, "alias", &aliases, &unused))
		return 0;
	return text_list_contains(&aliases, alias);
}

/*
 * Soft dependencies name algorithms; who provides them sits in a crypto folder. The
 * generic one runs on every CPU.
 */
static struct module *find_provider(const struct index *index, const char *alias)
{
	struct module *found = NULL;

	for (size_t i = 0; i < index->count; i++) {
		struct module *module = &index->modules[i];

		if (!strstr(module->path, "/crypto/") || !has_alias(module, alias))
			continue;
		if (!found || strstr(module->name, "generic"))
			found = module;
	}
	return found;
}

static int visit(struct index *index, struct module *module, struct error *err);

static int visit_name(struct index *index, const char *wanted, const char *by,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *name = memory_copy_string(wanted);
	struct module *module;

	with_underscores(name);
	module = find(index, name);
	if (module)
		return visit(index, module, err);
	if (is_builtin(index, name))
		return 0;
	return error_set(err, ERROR_HOST, "no module '%s'%s%s", wanted,
			 by ? ", which is needed by " : "", by ? by : "");
}

/* "depends=a,b" */
static int visit_depends(struct index *index, const char *value, const char *by,
			 struct error *err)
{
	CLEANUP(cleanup_free) char *names = memory_copy_string(value);
	char *rest = names, *name;

	while ((name = strsep(&rest, ",")))
		if (*name && visit_name(index, name, by, err))
			return -1;
	return 0;
}

/* "softdep=pre: a b post: c" */
static int visit_soft(struct index *index, const char *value, struct error *err)
{
	CLEANUP(cleanup_free) char *words = memory_copy_string(value);
	char *rest = words, *word;
	int pre = 0;

	while ((word = strsep(&rest, " \t"))) {
		CLEANUP(cleanup_free) char *name = memory_copy_string(word);
		struct module *module;

		with_underscores(name);
		if (*word && word[strlen(word) - 1] == ':') {
			pre = !strcmp(word, "pre:");
			continue;
		}
		if (!*word || !pre || is_builtin(index, name) ||
		    is_builtin_alias(index, word))
			continue;
		module = find(index, name);
		if (!module)
			module = find_provider(index, word);
		if (module && visit(index, module, err))
			return -1;
	}
	return 0;
}

static int visit_needs(struct index *index, struct module *module, struct error *err)
{
	CLEANUP(text_finish) struct text object = {0};
	CLEANUP(text_list_finish) struct text_list depends = {0};
	CLEANUP(text_list_finish) struct text_list soft = {0};

	if (modules_read(module->path, &object, err) ||
	    modinfo_values(&object, module->path, "depends", &depends, err) ||
	    modinfo_values(&object, module->path, "softdep", &soft, err))
		return -1;
	for (size_t i = 0; i < soft.count; i++)
		if (visit_soft(index, soft.items[i], err))
			return -1;
	for (size_t i = 0; i < depends.count; i++)
		if (visit_depends(index, depends.items[i], module->name, err))
			return -1;
	return 0;
}

/* Depth first: needs before the module. A circle ends where it began. */
static int visit(struct index *index, struct module *module, struct error *err)
{
	if (module->state != UNSEEN)
		return 0;
	module->state = VISITING;
	if (visit_needs(index, module, err))
		return -1;
	module->state = LISTED;
	text_list_add(index->paths, module->path);
	return 0;
}

static int visit_wanted(struct index *index, const char *wanted, struct error *err)
{
	int optional = wanted[0] == '?';
	CLEANUP(cleanup_free) char *name = memory_copy_string(wanted + optional);

	with_underscores(name);
	if (optional && !find(index, name))
		return 0;
	return visit_name(index, wanted + optional, NULL, err);
}

int modules_closure(const char *folder, const char *const *names,
		    struct text_list *ret_paths, struct error *err)
{
	CLEANUP(index_finish) struct index index = {.paths = ret_paths};

	if (index_init(&index, folder, err))
		return error_prefix(err, "modules");
	for (size_t i = 0; names[i]; i++)
		if (visit_wanted(&index, names[i], err))
			return error_prefix(err, "modules in %s", folder);
	return 0;
}
