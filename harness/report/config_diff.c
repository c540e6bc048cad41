/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 4 << 20 };

/* One assignment of a .config; the strings point into its text. */
struct symbol {
	const char *name, *value;
};

struct symbols {
	struct text text;
	struct symbol *items;
	size_t count, capacity;
};

static void symbols_finish(struct symbols *symbols)
{
	text_finish(&symbols->text);
	free(symbols->items);
}

static void add_symbol(struct symbols *symbols, const char *name, const char *value)
{
	symbols->items = memory_grow(symbols->items, symbols->count, &symbols->capacity,
				     sizeof(*symbols->items));
	symbols->items[symbols->count++] = (struct symbol){name, value};
}

/* "CONFIG_A=y" or "# CONFIG_A is not set" */
static void read_line(struct symbols *symbols, char *line)
{
	static const char unset[] = " is not set";
	char *equals = strchr(line, '=');
	char *end = strstr(line, unset);

	if (!strncmp(line, "CONFIG_", 7) && equals) {
		*equals = '\0';
		add_symbol(symbols, line, equals + 1);
	} else if (!strncmp(line, "# CONFIG_", 9) && end) {
		*end = '\0';
		add_symbol(symbols, line + 2, "");
	}
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct symbol *)left)->name,
		      ((const struct symbol *)right)->name);
}

/* -1 where there is no such file: it may have been cleaned away, which is no error. */
static int read_symbols(const char *folder, struct symbols *symbols)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "config");
	struct error ignored = {0};
	char *rest, *line;

	if (!*folder || file_read(path, LARGEST_FILE, &symbols->text, &ignored) < 0)
		return -1;
	rest = symbols->text.data;
	while (rest && (line = strsep(&rest, "\n")))
		read_line(symbols, line);
	if (symbols->count)
		qsort(symbols->items, symbols->count, sizeof(*symbols->items), by_name);
	return symbols->count ? 0 : -1;
}

static void add_change(struct report_config *config, const char *name, const char *good,
		       const char *bad)
{
	if (!strcmp(good, bad))
		return;
	config->changes = memory_grow(config->changes, config->count, &config->capacity,
				      sizeof(*config->changes));
	config->changes[config->count++] = (struct report_config_change){
		memory_copy_string(name), memory_copy_string(good),
		memory_copy_string(bad)};
}

/* Both are sorted: the one whose name comes first has it alone. */
static void compare(const struct symbols *good, const struct symbols *bad,
		    struct report_config *config)
{
	size_t i = 0, j = 0;

	while (i < good->count || j < bad->count) {
		int order = i == good->count  ? 1
			    : j == bad->count ? -1
					      : by_name(&good->items[i], &bad->items[j]);
		const struct symbol *named =
			order <= 0 ? &good->items[i] : &bad->items[j];

		add_change(config, named->name, order <= 0 ? good->items[i].value : "",
			   order >= 0 ? bad->items[j].value : "");
		config->symbols++;
		i += order <= 0;
		j += order >= 0;
	}
}

void collect_config(const char *good, const char *bad, struct report_config *ret_config)
{
	CLEANUP(symbols_finish) struct symbols a = {0};
	CLEANUP(symbols_finish) struct symbols b = {0};

	if (!read_symbols(good, &a) && !read_symbols(bad, &b))
		compare(&a, &b, ret_config);
}

void collect_config_finish(struct report_config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		free(config->changes[i].symbol);
		free(config->changes[i].good);
		free(config->changes[i].bad);
	}
	free(config->changes);
	*config = (struct report_config){0};
}
