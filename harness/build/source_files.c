/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/source_files.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

#include <glob.h>
#include <string.h>

enum { LIST_LIMIT = 256 << 20, NM_SECONDS = 120 };

/* Since 6.1 one archive has all; the libraries were never in it. */
static const char *const whole[] = {"vmlinux.a", NULL};
static const char *const parts[] = {"*/built-in.a", "arch/*/built-in.a", NULL};
static const char *const libraries[] = {"lib/lib.a", "arch/*/lib/lib.a", NULL};

static int add_found(const char *output, const char *const *patterns,
		     struct text_list *arguments)
{
	size_t before = arguments->count;

	for (; *patterns; patterns++) {
		CLEANUP(cleanup_free) char *pattern = file_join(output, *patterns);
		glob_t found;

		if (glob(pattern, 0, NULL, &found))
			continue;
		/* nm names members as they are seen from where it runs. */
		for (size_t i = 0; i < found.gl_pathc; i++)
			text_list_add(arguments, found.gl_pathv[i] + strlen(output) + 1);
		globfree(&found);
	}
	return arguments->count > before;
}

static void name_source(const char *object, size_t length, const char *source,
			struct text *list)
{
	static const char *const kinds[] = {"c", "S"};
	size_t stem = length > 2 && !strncmp(object + length - 2, ".o", 2) ? length - 2
									   : length;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		CLEANUP(cleanup_free)
		char *name = memory_format("%.*s.%s", (int)stem, object, kinds[i]);
		CLEANUP(cleanup_free) char *path = file_join(source, name);

		if (!file_exists(path))
			continue;
		text_format(list, "%s\n", name);
		return;
	}
	text_format(list, "%.*s\n", (int)length, object);
}

/* "ARCHIVE:OBJECT:ADDRESS TYPE NAME"; 0: no function. */
static int split(char *line, char **ret_object, char **ret_name)
{
	char *object = strchr(line, ':'),
	     *address = object ? strchr(object + 1, ':') : NULL;
	char *type = address ? strchr(address, ' ') : NULL;

	if (!type || !type[1] || !strchr("tTwW", type[1]) || type[2] != ' ')
		return 0;
	*address = '\0';
	*ret_object = object + 1;
	*ret_name = type + 3;
	return 1;
}

void source_files_list(const char *nm, const char *source, struct text *list)
{
	CLEANUP(cleanup_free) char *copy = memory_copy_string(nm);
	const char *before = "";
	char *rest = copy, *line, *object, *name;

	while ((line = strsep(&rest, "\n"))) {
		if (!split(line, &object, &name))
			continue;
		if (strcmp(object, before) != 0)
			name_source(object, strlen(object), source, list);
		before = object;
		text_format(list, " %s\n", name);
	}
}

int source_files_write(const char *output, const char *source, const char *path,
		       struct error *err)
{
	CLEANUP(text_list_finish) struct text_list arguments = {0};
	CLEANUP(text_finish) struct text nm = {0};
	CLEANUP(text_finish) struct text list = {0};
	struct process_options options = {
		.folder = output,
		.output = &nm,
		.output_limit = LIST_LIMIT,
		.timeout_seconds = NM_SECONDS,
	};
	struct process_result result;

	text_list_add(&arguments, "nm");
	text_list_add(&arguments, "-A");
	text_list_add(&arguments, "--defined-only");
	if (!add_found(output, whole, &arguments) &&
	    !add_found(output, parts, &arguments))
		return 0;
	add_found(output, libraries, &arguments);
	options.argv = (const char *const *)arguments.items;
	if (process_run(&options, &result, err))
		return -1;
	source_files_list(text_string(&nm), source, &list);
	return list.size ? file_write(path, list.data, list.size, err) : 0;
}
