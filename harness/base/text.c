/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_finish(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}

void text_clear(struct text *text)
{
	text->size = 0;
	if (text->data)
		text->data[0] = '\0';
}

void text_cut(struct text *text, size_t size)
{
	if (size >= text->size)
		return;
	text->size = size;
	text->data[size] = '\0';
}

static void reserve(struct text *text, size_t more)
{
	size_t wanted = text->size + more + 1;

	if (wanted <= text->capacity)
		return;
	if (wanted < text->capacity * 2)
		wanted = text->capacity * 2;
	text->data = memory_resize(text->data, wanted, 1);
	text->capacity = wanted;
}

void text_add_bytes(struct text *text, const void *bytes, size_t length)
{
	reserve(text, length);
	if (length)
		memcpy(text->data + text->size, bytes, length);
	text->size += length;
	text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_add_char(struct text *text, char character)
{
	text_add_bytes(text, &character, 1);
}

void text_format(struct text *text, const char *format, ...)
{
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length > 0) {
		reserve(text, (size_t)length);
		vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
		text->size += (size_t)length;
	}
	va_end(again);
}

const char *text_string(const struct text *text)
{
	return text->data ? text->data : "";
}

char *text_take(struct text *text)
{
	char *data = text->data ? text->data : memory_copy_string("");

	*text = (struct text){0};
	return data;
}

void text_list_finish(struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct text_list){0};
}

static void add_owned(struct text_list *list, char *string)
{
	list->items = memory_grow(list->items, list->count + 1, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = string;
	list->items[list->count] = NULL;
}

void text_list_add(struct text_list *list, const char *string)
{
	add_owned(list, memory_copy_string(string));
}

char *text_list_keep(struct text_list *list, const char *string)
{
	text_list_add(list, string);
	return list->items[list->count - 1];
}

void text_list_format(struct text_list *list, const char *format, ...)
{
	char *string = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&string, format, arguments) < 0)
		string = memory_copy_string("");
	va_end(arguments);
	add_owned(list, string);
}

int text_list_contains(const struct text_list *list, const char *string)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], string))
			return 1;
	return 0;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein's distance with one row of memory. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t width = strlen(b);
	CLEANUP(cleanup_free) size_t *row = memory_new(width + 1, sizeof(*row));

	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			size_t above = row[j];

			row[j] = smallest(above + 1, row[j - 1] + 1,
					  diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[width];
}

const char *text_nearest(const char *word, const char *const *candidates)
{
	const char *best = NULL;
	size_t best_distance = strlen(word) / 3 + 1;

	for (; *candidates; candidates++) {
		size_t distance = edit_distance(word, *candidates);

		if (distance <= best_distance && (!best || distance < best_distance)) {
			best = *candidates;
			best_distance = distance;
		}
	}
	return best;
}
