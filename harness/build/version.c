/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/version.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "build/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const edit_names[] = {
	[EDIT_REVERT] = "revert",
	[EDIT_PICK] = "pick",
	[EDIT_PATCH] = "patch",
	[EDIT_CONFIG] = "config",
	NULL,
};

static const char modules_mark[] = ",modules=";

void version_finish(struct version *version)
{
	for (size_t i = 0; i < version->edit_count; i++)
		free(version->edits[i].value);
	free(version->edits);
	free(version->text);
	free(version->name);
	free(version->modules);
	*version = (struct version){0};
}

static int refuse(const char *text, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "version \"%s\": %s", text, why);
}

/* The next "+word:" at or behind text; NULL where there is none. */
static const char *find_edit(const char *text)
{
	for (const char *plus = text; (plus = strchr(plus, '+')); plus++) {
		size_t length = 1;

		while (islower((unsigned char)plus[length]))
			length++;
		if (length > 1 && plus[length] == ':')
			return plus;
	}
	return NULL;
}

const char *version_find_edits(const char *text)
{
	const char *edit = find_edit(text);

	return edit ? edit : text + strlen(text);
}

static int edit_kind(const char *text, const char *word, enum version_edit_kind *ret_kind,
		     struct error *err)
{
	const char *near;

	for (int i = 0; edit_names[i]; i++)
		if (!strcmp(edit_names[i], word)) {
			*ret_kind = (enum version_edit_kind)i;
			return 0;
		}
	near = text_nearest(word, edit_names);
	return error_set(err, ERROR_USAGE,
			 "version \"%s\": unknown edit \"%s\"%s%s%s; there are revert, "
			 "pick, patch and config",
			 text, word, near ? ", did you mean \"" : "", near ? near : "",
			 near ? "\"" : "");
}

static int check_setting(const char *setting, struct error *err)
{
	CLEANUP(config_request_finish) struct config_request request = {0};

	return config_add_setting(&request, setting, err);
}

static int add_edit(struct version *version, const char *from, size_t length,
		    struct error *err)
{
	const char *colon = strchr(from, ':');
	CLEANUP(cleanup_free)
	char *word = memory_copy_bytes(from + 1, (size_t)(colon - from - 1));
	struct version_edit edit;

	if (edit_kind(version->text, word, &edit.kind, err))
		return -1;
	edit.value = memory_copy_bytes(colon + 1, length - (size_t)(colon + 1 - from));
	version->edits = memory_resize(version->edits, version->edit_count + 1,
				       sizeof(*version->edits));
	version->edits[version->edit_count++] = edit;
	if (!*edit.value)
		return refuse(version->text, "an edit is empty", err);
	if (edit.kind == EDIT_CONFIG && check_setting(edit.value, err))
		return error_prefix(err, "version \"%s\"", version->text);
	return 0;
}

static int parse_revision(struct version *version, const char *text, struct error *err)
{
	const char *edit = find_edit(text);

	version->name =
		memory_copy_bytes(text, edit ? (size_t)(edit - text) : strlen(text));
	while (edit) {
		const char *next = find_edit(edit + 1);

		if (add_edit(version, edit, next ? (size_t)(next - edit) : strlen(edit),
			     err))
			return -1;
		edit = next;
	}
	return 0;
}

static int parse_package(struct version *version, const char *text, struct error *err)
{
	(void)err;
	version->name = memory_copy_string(text);
	return 0;
}

static int parse_image(struct version *version, const char *text, struct error *err)
{
	const char *mark = strstr(text, modules_mark);

	version->name =
		memory_copy_bytes(text, mark ? (size_t)(mark - text) : strlen(text));
	if (!mark)
		return 0;
	version->modules = memory_copy_string(mark + strlen(modules_mark));
	return *version->modules
		       ? 0
		       : refuse(version->text, "the modules folder is empty", err);
}

/* The last one takes everything. */
static const struct form {
	const char *prefix;
	enum version_kind kind;
	int (*parse)(struct version *version, const char *text, struct error *err);
} forms[] = {
	{"deb:", VERSION_PACKAGE, parse_package},
	{"image:", VERSION_IMAGE, parse_image},
	{"", VERSION_REVISION, parse_revision},
};

int version_parse(const char *text, struct version *ret_version, struct error *err)
{
	CLEANUP(version_finish) struct version version = {0};
	const struct form *form = forms;

	while (strncmp(text, form->prefix, strlen(form->prefix)))
		form++;
	version.kind = form->kind;
	version.text = memory_copy_string(text);
	if (form->parse(&version, text + strlen(form->prefix), err))
		return -1;
	if (!*version.name)
		return refuse(text, "nothing is named", err);
	*ret_version = version;
	version = (struct version){0};
	return 0;
}
