/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file a function came from, where several files have one of that name. */
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/lines_private.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1024 };

/* A function as the list of files has it. */
struct place {
	const char *name, *file;
};

struct places {
	struct place *items; /* ascending by name; equal names in the list's order */
	size_t count, capacity;
};

static void finish_places(struct places *places)
{
	free(places->items);
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

/* The order of equal names does not matter: the choice among them does not look at it. */
static void read_places(struct symbols *symbols, const char *text, size_t length,
			struct places *places)
{
	struct lines lines = {text, text + length};
	const char *file = NULL;
	char line[LINE_SIZE];

	while (lines_next(&lines, line, sizeof(line))) {
		if (*line != ' ') {
			file = text_list_keep(&symbols->strings, line);
			continue;
		}
		if (!file)
			continue;
		places->items = memory_grow(places->items, places->count,
					    &places->capacity, sizeof(*places->items));
		places->items[places->count++] =
			(struct place){text_list_keep(&symbols->strings, line + 1), file};
	}
	if (places->count)
		qsort(places->items, places->count, sizeof(*places->items), compare);
}

/* The first of that name, and how many there are. */
static const struct place *find(const struct places *places, const char *name,
				size_t *ret_count)
{
	size_t low = 0, high = places->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(places->items[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_count = 0;
	while (low + *ret_count < places->count &&
	       !strcmp(places->items[low + *ret_count].name, name))
		++*ret_count;
	return &places->items[low];
}

/* The one file that has the name, or that one of several which is the neighbour's. */
static const char *choose(const struct places *places, const char *name,
			  const char *neighbour)
{
	size_t count;
	const struct place *first = find(places, name, &count);

	for (size_t i = 0; neighbour && i < count; i++)
		if (!strcmp(first[i].file, neighbour))
			return neighbour;
	return count == 1 ? first->file : NULL;
}

static int is_named(const struct symbol *symbol)
{
	return *symbol->file != '\0';
}

static void name_forward(struct symbols *symbols, const struct places *places)
{
	const char *before = NULL;

	for (size_t i = 0; i < symbols->count; i++) {
		struct symbol *symbol = &symbols->items[i];
		const char *file =
			is_named(symbol) ? NULL : choose(places, symbol->name, before);

		if (file)
			symbol->file = file;
		before = is_named(symbol) ? symbol->file : NULL;
	}
}

/* What the function before did not tell, the one behind may. */
static void name_backward(struct symbols *symbols, const struct places *places)
{
	const char *behind = NULL;

	for (size_t i = symbols->count; i-- > 0;) {
		struct symbol *symbol = &symbols->items[i];
		const char *file =
			is_named(symbol) ? NULL : choose(places, symbol->name, behind);

		if (file)
			symbol->file = file;
		behind = is_named(symbol) ? symbol->file : NULL;
	}
}

void symbols_name_files(struct symbols *symbols, const char *files, size_t length)
{
	CLEANUP(finish_places) struct places places = {0};

	read_places(symbols, files, length, &places);
	name_forward(symbols, &places);
	name_backward(symbols, &places);
}
