/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A YAML file as a small tree in which each node knows its place, for messages of
 * the form "file:line:column: what is wrong".
 *
 * It takes the part of YAML that people write by hand: one document of maps, lists
 * and scalars. Anchors, aliases, tags, merge keys, duplicate keys, keys that are no
 * plain words, several documents, control characters, and bytes that are not UTF-8
 * are refused, as is what goes beyond the limits below: the file may be hostile.
 * All scalars are kept as text; schema.h gives them types.
 */
#ifndef SCENARIO_DOCUMENT_H
#define SCENARIO_DOCUMENT_H

#include "base/error.h"

#include <stddef.h>

enum {
	DOCUMENT_SIZE_LIMIT = 1 << 20, /* bytes */
	DOCUMENT_DEPTH_LIMIT = 12,     /* nested maps and lists */
	DOCUMENT_NODE_LIMIT = 20000,
	DOCUMENT_KEY_LIMIT = 128, /* bytes of a key */
};

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	unsigned line, column; /* from 1; columns count characters */
	char *key;             /* of a member of a map, else NULL */
	unsigned key_line, key_column;
	char *text;         /* of a scalar; never holds a NUL */
	int quoted;         /* the scalar stood in quotes or was a block */
	struct node *items; /* of a list or map, in file order */
	size_t count;
};

struct document {
	char *name; /* of the file, as messages show it */
	struct node root;
};

/* A file. Failure is ERROR_USAGE with the place; unreadable files are ERROR_USAGE too. */
int document_load(const char *path, struct document *ret_document, struct error *err);
/* Bytes from elsewhere; name stands for the file in messages. */
int document_parse(const char *name, const char *bytes, size_t length,
		   struct document *ret_document, struct error *err);
void document_finish(struct document *document);

/* The member of a map with that key; NULL where there is none or node is no map. */
const struct node *node_find(const struct node *node, const char *key);

/* "a list", "a map", "text", "nothing", for messages. */
const char *node_describe(const struct node *node);

/* Whether nothing was written behind the colon or dash. */
int node_is_empty(const struct node *node);

/* ERROR_USAGE "file:line:column: ..." at a node's value or at its key. Returns -1. */
__attribute__((format(printf, 4, 5))) int document_error(const struct document *document,
							 const struct node *node,
							 struct error *err,
							 const char *format, ...);
__attribute__((format(printf, 4, 5))) int document_error_key(
	const struct document *document, const struct node *node, struct error *err,
	const char *format, ...);

/*
 * Whether a control character begins here, in ASCII or as U+0080 to U+009F, which some
 * terminals obey as well.
 */
int is_control_at(const char *text);

/* Foreign text made fit for one line of a message: cut, control characters as '?'. */
struct shown {
	char text[80];
};
struct shown shown(const char *text);

#endif
