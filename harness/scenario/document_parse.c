/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/document.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { LIMIT_ITEMS = 2000 }; /* of one map or list: duplicates are sought by pairs */

struct reader {
	yaml_parser_t parser;
	struct document *document;
	const char *bytes; /* for the place of an error in the encoding */
	size_t nodes;
};

static void finish_event(yaml_event_t *event)
{
	yaml_event_delete(event);
}

/* A place as a node, which is what messages take. */
static struct node place(yaml_mark_t mark)
{
	return (struct node){.line = mark.line < UINT_MAX ? (unsigned)mark.line + 1 : 0,
			     .column = mark.column < UINT_MAX ? (unsigned)mark.column + 1
							      : 0};
}

static struct node place_of_offset(const char *bytes, size_t offset)
{
	struct node node = {.line = 1, .column = 1};

	for (size_t i = 0; i < offset; i++) {
		if (bytes[i] == '\n') {
			node.line++;
			node.column = 1;
		} else if (((unsigned char)bytes[i] & 0xc0) != 0x80) {
			node.column++;
		}
	}
	return node;
}

static int fail(struct reader *reader, struct error *err)
{
	yaml_parser_t *parser = &reader->parser;
	const char *problem = parser->problem ? parser->problem : "cannot be read";
	struct node where;

	if (parser->error == YAML_READER_ERROR) {
		where = place_of_offset(reader->bytes, parser->problem_offset);
		return document_error(reader->document, &where, err, "%s (byte 0x%02x)",
				      problem, (unsigned)parser->problem_value);
	}
	where = place(parser->problem_mark);
	return document_error(reader->document, &where, err, "no valid YAML: %s%s%s",
			      parser->context ? parser->context : "",
			      parser->context ? ", " : "", problem);
}

static int next(struct reader *reader, yaml_event_t *event, struct error *err)
{
	struct node where;

	if (!yaml_parser_parse(&reader->parser, event)) {
		memset(event, 0, sizeof(*event));
		return fail(reader, err);
	}
	where = place(event->start_mark);
	if (++reader->nodes > 3 * DOCUMENT_NODE_LIMIT)
		return document_error(reader->document, &where, err,
				      "more than %d values in one file",
				      DOCUMENT_NODE_LIMIT);
	return 0;
}

static int refuse_decoration(struct reader *reader, const yaml_event_t *event,
			     const yaml_char_t *anchor, const yaml_char_t *tag,
			     struct error *err)
{
	struct node where = place(event->start_mark);

	if (anchor)
		return document_error(reader->document, &where, err,
				      "anchors (&%s) are not taken: write the value out",
				      shown((const char *)anchor).text);
	if (tag)
		return document_error(reader->document, &where, err,
				      "tags (%s) are not taken: leave it out",
				      shown((const char *)tag).text);
	return 0;
}

static int read_scalar(struct reader *reader, const yaml_event_t *event,
		       struct node *node, struct error *err)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;

	if (refuse_decoration(reader, event, event->data.scalar.anchor,
			      event->data.scalar.tag, err))
		return -1;
	if (memchr(text, '\0', length)) {
		struct node where = place(event->start_mark);

		return document_error(reader->document, &where, err,
				      "text must not hold a NUL character");
	}
	node->kind = NODE_SCALAR;
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	node->text = memory_copy_bytes(text, length);
	return 0;
}

static int check_key(struct reader *reader, const struct node *map,
		     const struct node *key, struct error *err)
{
	const struct node *earlier = node_find(map, key->text);

	if (!*key->text)
		return document_error(reader->document, key, err, "a key is empty");
	if (strlen(key->text) > DOCUMENT_KEY_LIMIT)
		return document_error(reader->document, key, err,
				      "a key is longer than %d bytes",
				      DOCUMENT_KEY_LIMIT);
	if (earlier)
		return document_error(reader->document, key, err,
				      "'%s' is there twice; first in line %u",
				      shown(key->text).text, earlier->key_line);
	return 0;
}

static void free_text(struct node *node)
{
	free(node->text);
}

/* The event of a key becomes the key of child. */
static int read_key(struct reader *reader, const yaml_event_t *event,
		    const struct node *map, struct node *child, struct error *err)
{
	CLEANUP(free_text) struct node key = place(event->start_mark);

	if (event->type != YAML_SCALAR_EVENT)
		return document_error(reader->document, &key, err,
				      "a key must be a plain word");
	if (read_scalar(reader, event, &key, err) || check_key(reader, map, &key, err))
		return -1;
	child->key = TAKE(key.text);
	child->key_line = key.line;
	child->key_column = key.column;
	return 0;
}

static int read_node(struct reader *reader, const yaml_event_t *event, unsigned depth,
		     struct node *node, struct error *err);

static struct node *add_child(struct node *node, size_t *capacity)
{
	node->items =
		memory_grow(node->items, node->count, capacity, sizeof(*node->items));
	node->items[node->count] = (struct node){0};
	return &node->items[node->count];
}

/*
 * The items up to the end event. A child counts only once it is whole, but what it
 * holds already must be found by document_finish(): so it is counted before it is read.
 */
static int read_items(struct reader *reader, unsigned depth, struct node *node,
		      struct error *err)
{
	size_t capacity = 0;

	for (;;) {
		CLEANUP(finish_event) yaml_event_t event = {0};
		CLEANUP(finish_event) yaml_event_t value = {0};
		struct node *child;

		if (next(reader, &event, err))
			return -1;
		if (event.type == YAML_MAPPING_END_EVENT ||
		    event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (node->count == LIMIT_ITEMS)
			return document_error(reader->document, node, err,
					      "more than %d items", LIMIT_ITEMS);
		child = add_child(node, &capacity);
		if (node->kind == NODE_MAP) {
			if (read_key(reader, &event, node, child, err) ||
			    next(reader, &value, err)) {
				free(child->key);
				return -1;
			}
		}
		node->count++;
		if (read_node(reader, node->kind == NODE_MAP ? &value : &event, depth,
			      child, err))
			return -1;
	}
}

static int read_collection(struct reader *reader, unsigned depth, struct node *node,
			   struct error *err)
{
	if (depth >= DOCUMENT_DEPTH_LIMIT)
		return document_error(reader->document, node, err,
				      "nested deeper than %d levels",
				      DOCUMENT_DEPTH_LIMIT);
	return read_items(reader, depth + 1, node, err);
}

static int read_node(struct reader *reader, const yaml_event_t *event, unsigned depth,
		     struct node *node, struct error *err)
{
	struct node where = place(event->start_mark);

	node->line = where.line;
	node->column = where.column;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(reader, event, node, err);
	case YAML_SEQUENCE_START_EVENT:
		node->kind = NODE_LIST;
		if (refuse_decoration(reader, event, event->data.sequence_start.anchor,
				      event->data.sequence_start.tag, err))
			return -1;
		return read_collection(reader, depth, node, err);
	case YAML_MAPPING_START_EVENT:
		node->kind = NODE_MAP;
		if (refuse_decoration(reader, event, event->data.mapping_start.anchor,
				      event->data.mapping_start.tag, err))
			return -1;
		return read_collection(reader, depth, node, err);
	default:
		return document_error(reader->document, node, err,
				      "aliases (*%s) are not taken: write the value out",
				      shown((const char *)event->data.alias.anchor).text);
	}
}

static int read_empty(struct reader *reader)
{
	reader->document->root =
		(struct node){.line = 1, .column = 1, .text = memory_copy_string("")};
	return 0;
}

/* After the document only the end of the stream may follow. */
static int read_end(struct reader *reader, struct error *err)
{
	CLEANUP(finish_event) yaml_event_t document_end = {0};
	CLEANUP(finish_event) yaml_event_t last = {0};
	struct node where;

	if (next(reader, &document_end, err) || next(reader, &last, err))
		return -1;
	if (last.type == YAML_STREAM_END_EVENT)
		return 0;
	where = place(last.start_mark);
	return document_error(reader->document, &where, err,
			      "a second document begins here: one a file");
}

static int read_stream(struct reader *reader, struct error *err)
{
	CLEANUP(finish_event) yaml_event_t stream = {0};
	CLEANUP(finish_event) yaml_event_t start = {0};
	CLEANUP(finish_event) yaml_event_t root = {0};

	if (next(reader, &stream, err) || next(reader, &start, err))
		return -1;
	if (start.type == YAML_STREAM_END_EVENT)
		return read_empty(reader);
	if (next(reader, &root, err) ||
	    read_node(reader, &root, 0, &reader->document->root, err))
		return -1;
	return read_end(reader, err);
}

static void finish_reader(struct reader *reader)
{
	yaml_parser_delete(&reader->parser);
}

static int parse(const char *bytes, size_t length, struct document *document,
		 struct error *err)
{
	CLEANUP(finish_reader)
	struct reader reader = {.document = document, .bytes = bytes};

	if (!yaml_parser_initialize(&reader.parser))
		return error_set(err, ERROR_HOST, "no memory for the YAML parser");
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)bytes,
				     length);
	return read_stream(&reader, err);
}

int document_parse(const char *name, const char *bytes, size_t length,
		   struct document *ret_document, struct error *err)
{
	CLEANUP(document_finish)
	struct document document = {.name = memory_copy_string(name)};

	if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) { /* a byte order mark */
		bytes += 3;
		length -= 3;
	}
	if (parse(bytes, length, &document, err))
		return -1;
	*ret_document = document;
	document = (struct document){0};
	return 0;
}
