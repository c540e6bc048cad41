/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/document.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void finish_node(struct node *node)
{
	for (size_t i = 0; i < node->count; i++)
		finish_node(&node->items[i]);
	free(node->items);
	free(node->text);
	free(node->key);
}

void document_finish(struct document *document)
{
	finish_node(&document->root);
	free(document->name);
	*document = (struct document){0};
}

int document_load(const char *path, struct document *ret_document, struct error *err)
{
	CLEANUP(text_finish) struct text bytes = {0};

	if (file_read(path, DOCUMENT_SIZE_LIMIT, &bytes, err))
		return error_change_kind(err, ERROR_USAGE);
	return document_parse(path, text_string(&bytes), bytes.size, ret_document, err);
}

const struct node *node_find(const struct node *node, const char *key)
{
	for (size_t i = 0; node->kind == NODE_MAP && i < node->count; i++)
		if (!strcmp(node->items[i].key, key))
			return &node->items[i];
	return NULL;
}

int node_is_empty(const struct node *node)
{
	return node->kind == NODE_SCALAR && !node->quoted && !*node->text;
}

const char *node_describe(const struct node *node)
{
	static const char *const kinds[] = {
		[NODE_SCALAR] = "text", [NODE_LIST] = "a list", [NODE_MAP] = "a map"};

	return node_is_empty(node) ? "nothing" : kinds[node->kind];
}

__attribute__((format(printf, 5, 0))) static int fail_at(const struct document *document,
							 unsigned line, unsigned column,
							 struct error *err,
							 const char *format,
							 va_list arguments)
{
	char text[ERROR_TEXT_SIZE];

	vsnprintf(text, sizeof(text), format, arguments);
	return error_set(err, ERROR_USAGE, "%s:%u:%u: %s", document->name, line, column,
			 text);
}

int document_error(const struct document *document, const struct node *node,
		   struct error *err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail_at(document, node->line, node->column, err, format, arguments);
	va_end(arguments);
	return -1;
}

int document_error_key(const struct document *document, const struct node *node,
		       struct error *err, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail_at(document, node->key ? node->key_line : node->line,
		node->key ? node->key_column : node->column, err, format, arguments);
	va_end(arguments);
	return -1;
}

int is_control_at(const char *text)
{
	unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];

	return iscntrl(first) || (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

struct shown shown(const char *text)
{
	struct shown result = {""};
	size_t length = 0;

	while (text[length] && length < sizeof(result.text) - 4) {
		if (is_control_at(text + length)) {
			if (text[length] < 0)
				result.text[length++] = '?';
			result.text[length++] = '?';
		} else {
			result.text[length] = text[length];
			length++;
		}
	}
	if (text[length]) {
		/* Not in the middle of a character. */
		while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
		memcpy(result.text + length, "...", 4);
	}
	return result;
}
