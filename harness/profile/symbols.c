/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/symbols.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/count_format.h"
#include "profile/lines_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_SIZE = 512,
	/* Functions are shorter: what is further behind the last one is none of it. */
	FUNCTION_MAX = 1 << 20,
};

void symbols_finish(struct symbols *symbols)
{
	text_list_finish(&symbols->strings);
	free(symbols->items);
	*symbols = (struct symbols){0};
}

/* Room before functions, labels, and the checks of indirect calls are no functions. */
static int is_function(char type, const char *name)
{
	return strchr("tTwW", type) && *name != '.' && *name != '$' &&
	       strncmp(name, "__pfx_", 6) != 0 && strncmp(name, "__cfi_", 6) != 0;
}

static void add(struct symbols *symbols, uint64_t address, const char *name,
		const char *module)
{
	symbols->items = memory_grow(symbols->items, symbols->count, &symbols->capacity,
				     sizeof(*symbols->items));
	symbols->items[symbols->count++] = (struct symbol){
		.address = address,
		.name = text_list_keep(&symbols->strings, name),
		.file = *module ? text_list_keep(&symbols->strings, module) : "",
	};
}

static void add_line(struct symbols *symbols, char *line)
{
	char *rest, *name, *module = line + strlen(line);
	uint64_t address;

	if (!isxdigit((unsigned char)*line))
		return;
	address = strtoull(line, &rest, 16);
	if (*rest != ' ' || !rest[1] || rest[2] != ' ')
		return;
	name = rest + 3;
	if (name[strcspn(name, " \t")]) {
		module = name + strcspn(name, " \t");
		*module++ = '\0';
		if (*module != '[')
			return;
	}
	if (address >= COUNT_KERNEL_BASE && *name && is_function(rest[1], name))
		add(symbols, address, name, module);
}

void symbols_add(struct symbols *symbols, const char *text, size_t length)
{
	struct lines lines = {text, text + length};
	char line[NAME_SIZE];

	while (lines_next(&lines, line, sizeof(line)))
		add_line(symbols, line);
}

/* Of several names of one address the plainest. Borders of sections are no names. */
static int rank(const char *name)
{
	static const char *const ends[] = {"_start", "_end", "_begin", "text"};
	size_t length = strlen(name);
	int rank = name[0] == '_' ? 1 + (name[1] == '_') : 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (length > strlen(ends[i]) &&
		    !strcmp(name + length - strlen(ends[i]), ends[i]))
			rank += 3;
	return rank;
}

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (rank(x->name) != rank(y->name))
		return rank(x->name) - rank(y->name);
	return strcmp(x->name, y->name);
}

static void sort(struct symbols *symbols)
{
	size_t kept = 0;

	if (!symbols->count)
		return;
	qsort(symbols->items, symbols->count, sizeof(*symbols->items), compare);
	for (size_t i = 0; i < symbols->count; i++)
		if (!kept ||
		    symbols->items[i].address != symbols->items[kept - 1].address)
			symbols->items[kept++] = symbols->items[i];
	symbols->count = kept;
}

/* Only the compiler makes names with a dot. */
static void fold(struct symbol *symbol)
{
	char *dot = strchr(symbol->name, '.');

	symbol->is_part = strstr(symbol->name, ".cold") || strstr(symbol->name, ".part");
	if (dot)
		*dot = '\0';
}

void symbols_settle(struct symbols *symbols, const char *files, size_t length)
{
	sort(symbols);
	if (files)
		symbols_name_files(symbols, files, length);
	for (size_t i = 0; i < symbols->count; i++)
		fold(&symbols->items[i]);
}

const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - symbols->items[low - 1].address >= FUNCTION_MAX)
		return NULL;
	return &symbols->items[low - 1];
}
