/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/config.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FRAGMENT_LIMIT = 1 << 20, CONFIG_LIMIT = 16 << 20, MOST_NAMED = 12 };

static const char prefix[] = "CONFIG_";
static const char unset_mark[] = " is not set";
static const char optional_mark[] = "# optional:";

/* A line of a fragment or .config. */
struct assignment {
	char *name; /* NULL: none on this line */
	char *value;
};

static void assignment_finish(struct assignment *assignment)
{
	free(assignment->name);
	free(assignment->value);
}

static size_t symbol_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

/* 1 with *ret_assignment, 0 for a comment or an empty line, -1 for anything else. */
static int parse_line(const char *line, struct assignment *ret_assignment)
{
	int unset = !strncmp(line, "# CONFIG_", strlen("# CONFIG_"));
	const char *name = line + (unset ? 2 : 0) + strlen(prefix);
	size_t length;

	if (!unset && (line[0] == '#' || !line[strspn(line, " \t\r")]))
		return 0;
	if (!unset && strncmp(line, prefix, strlen(prefix)))
		return -1;
	length = symbol_length(name);
	if (!length)
		return -1;
	if (unset && strcmp(name + length, unset_mark))
		return 0;
	if (!unset && (name[length] != '=' || !name[length + 1]))
		return -1;
	ret_assignment->name = memory_copy_bytes(name, length);
	ret_assignment->value = memory_copy_string(unset ? "n" : name + length + 1);
	return 1;
}

static struct config_symbol *find_symbol(const struct config_request *request,
					 const char *name)
{
	for (size_t i = 0; i < request->count; i++)
		if (!strcmp(request->symbols[i].name, name))
			return &request->symbols[i];
	return NULL;
}

static void request_symbol(struct config_request *request, struct assignment *assignment,
			   int optional)
{
	struct config_symbol *symbol = find_symbol(request, assignment->name);

	if (!symbol) {
		request->symbols =
			memory_grow(request->symbols, request->count, &request->capacity,
				    sizeof(*request->symbols));
		symbol = &request->symbols[request->count++];
		*symbol = (struct config_symbol){.name = TAKE(assignment->name)};
	}
	free(symbol->value);
	symbol->value = TAKE(assignment->value);
	symbol->optional = optional;
}

int config_add_fragment(struct config_request *request, const char *path,
			struct error *err)
{
	CLEANUP(text_finish) struct text content = {0};
	char *rest, *line;
	size_t number = 0;
	int optional = 0;

	if (file_read(path, FRAGMENT_LIMIT, &content, err))
		return error_change_kind(err, ERROR_USAGE);
	for (rest = content.data; (line = strsep(&rest, "\n"));) {
		CLEANUP(assignment_finish) struct assignment assignment = {0};
		int found;

		number++;
		line[strcspn(line, "\r")] = '\0';
		if (!strncmp(line, optional_mark, strlen(optional_mark)))
			optional = 1;
		else if (!*line)
			optional = 0;
		found = parse_line(line, &assignment);
		if (found < 0)
			return error_set(err, ERROR_USAGE,
					 "%s:%zu: neither CONFIG_SYMBOL=value nor a "
					 "comment: %.80s",
					 path, number, line);
		if (found)
			request_symbol(request, &assignment, optional);
	}
	return 0;
}

int config_add_setting(struct config_request *request, const char *setting,
		       struct error *err)
{
	int prefixed = !strncmp(setting, prefix, strlen(prefix));
	CLEANUP(cleanup_free)
	char *line = memory_format("%s%s", prefixed ? "" : prefix, setting);
	CLEANUP(assignment_finish) struct assignment assignment = {0};

	if (strpbrk(setting, "\n\r") || parse_line(line, &assignment) != 1)
		return error_set(err, ERROR_USAGE,
				 "\"%.80s\" is no kernel setting SYMBOL=VALUE", setting);
	request_symbol(request, &assignment, 0);
	return 0;
}

void config_request_finish(struct config_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		free(request->symbols[i].name);
		free(request->symbols[i].value);
	}
	free(request->symbols);
	*request = (struct config_request){0};
}

void config_request_copy(const struct config_request *request,
			 struct config_request *ret_copy)
{
	struct config_request copy = {0};

	copy.symbols = memory_new(request->count + 1, sizeof(*copy.symbols));
	copy.capacity = request->count + 1;
	copy.count = request->count;
	for (size_t i = 0; i < request->count; i++)
		copy.symbols[i] = (struct config_symbol){
			.name = memory_copy_string(request->symbols[i].name),
			.value = memory_copy_string(request->symbols[i].value),
			.optional = request->symbols[i].optional};
	*ret_copy = copy;
}

static void write_symbol(const struct config_symbol *symbol, struct text *text)
{
	if (!strcmp(symbol->value, "n"))
		text_format(text, "# CONFIG_%s is not set\n", symbol->name);
	else
		text_format(text, "CONFIG_%s=%s\n", symbol->name, symbol->value);
}

void config_write(const struct config_request *request, struct text *ret_text)
{
	text_clear(ret_text);
	for (size_t i = 0; i < request->count; i++)
		write_symbol(&request->symbols[i], ret_text);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct config_symbol *)a)->name,
		      ((const struct config_symbol *)b)->name);
}

void config_hash(const struct config_request *request, struct hash *hash)
{
	CLEANUP(cleanup_free)
	struct config_symbol *sorted = memory_new(request->count + 1, sizeof(*sorted));
	CLEANUP(text_finish) struct text text = {0};

	for (size_t i = 0; i < request->count; i++)
		sorted[i] = request->symbols[i];
	qsort(sorted, request->count, sizeof(*sorted), by_name);
	for (size_t i = 0; i < request->count; i++)
		write_symbol(&sorted[i], &text);
	hash_field(hash, "config", text_string(&text), text.size);
}

/* The assignments of a finished .config, sorted by name. */
static int read_config(const char *path, struct config_request *ret_config,
		       struct error *err)
{
	CLEANUP(text_finish) struct text content = {0};
	char *rest, *line;

	if (file_read(path, CONFIG_LIMIT, &content, err))
		return -1;
	for (rest = content.data; (line = strsep(&rest, "\n"));) {
		struct assignment assignment = {0};

		if (parse_line(line, &assignment) != 1)
			continue;
		ret_config->symbols =
			memory_grow(ret_config->symbols, ret_config->count,
				    &ret_config->capacity, sizeof(*ret_config->symbols));
		ret_config->symbols[ret_config->count++] = (struct config_symbol){
			.name = assignment.name, .value = assignment.value};
	}
	if (ret_config->count)
		qsort(ret_config->symbols, ret_config->count,
		      sizeof(*ret_config->symbols), by_name);
	return 0;
}

static const char *value_in(const struct config_request *config, const char *name)
{
	struct config_symbol key = {.name = (char *)(uintptr_t)name};
	const struct config_symbol *found = NULL;

	if (config->count)
		found = bsearch(&key, config->symbols, config->count,
				sizeof(*config->symbols), by_name);
	return found ? found->value : "n";
}

int config_verify(const struct config_request *request, const char *path,
		  struct error *err)
{
	CLEANUP(config_request_finish) struct config_request config = {0};
	CLEANUP(text_finish) struct text unmet = {0};
	size_t count = 0;

	if (read_config(path, &config, err))
		return -1;
	for (size_t i = 0; i < request->count; i++) {
		const struct config_symbol *symbol = &request->symbols[i];
		const char *value = value_in(&config, symbol->name);

		if (symbol->optional || !strcmp(value, symbol->value))
			continue;
		if (count++ < MOST_NAMED)
			text_format(&unmet, "%s%s=%s (asked for %s)",
				    count > 1 ? ", " : "", symbol->name, value,
				    symbol->value);
	}
	if (!count)
		return 0;
	return error_set(err, ERROR_MEASUREMENT,
			 "this kernel cannot be configured as asked: %s%s; something "
			 "else that they need may be missing",
			 unmet.data, count > MOST_NAMED ? ", ..." : "");
}

int config_lookup(const char *path, const char *symbol, char **ret_value,
		  struct error *err)
{
	CLEANUP(config_request_finish) struct config_request config = {0};

	if (read_config(path, &config, err))
		return -1;
	*ret_value = memory_copy_string(value_in(&config, symbol));
	return 0;
}
