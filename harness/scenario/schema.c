/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/schema.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *target_of(const struct field *field, void *structure)
{
	return (char *)structure + field->offset;
}

static const struct field *find_field(const struct schema *schema, const char *name)
{
	for (const struct field *field = schema->fields; field->name; field++)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

static int refuse_unknown(const struct document *document, const struct node *node,
			  const struct schema *schema, struct error *err)
{
	const char *names[128] = {NULL};
	const char *near;
	size_t count = 0;

	for (const struct field *field = schema->fields; field->name && count < 127;
	     field++)
		names[count++] = field->name;
	near = text_nearest(node->key, names);
	return document_error_key(document, node, err, "a %s has no '%s'%s%s%s",
				  schema->noun, shown(node->key).text,
				  near ? "; did you mean '" : "", near ? near : "",
				  near ? "'?" : "");
}

static int read_string(const struct document *document, const struct node *node,
		       void *target, struct error *err)
{
	char **string = target;

	if (node->kind != NODE_SCALAR || node_is_empty(node))
		return document_error(document, node, err, "%s%smust be text, not %s",
				      node->key ? node->key : "", node->key ? " " : "",
				      node_describe(node));
	free(*string);
	*string = memory_copy_string(node->text);
	return 0;
}

/* A list over a default replaces it. */
static int read_strings(const struct document *document, const struct node *node,
			void *target, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list strings = {0};
	const struct node *items = node->kind == NODE_LIST ? node->items : node;
	size_t count = node->kind == NODE_LIST ? node->count : 1;

	for (size_t i = 0; i < count; i++) {
		if (items[i].kind != NODE_SCALAR || node_is_empty(&items[i]))
			return document_error(document, &items[i], err,
					      "%s must be a list of words, not %s",
					      node->key ? node->key : "this",
					      node_describe(&items[i]));
		text_list_add(&strings, items[i].text);
	}
	text_list_finish(target);
	*(struct text_list *)target = strings;
	strings = (struct text_list){0};
	return 0;
}

static int read_record(const struct document *document, const struct node *node,
		       const struct field *field, void *target, struct error *err)
{
	return schema_read_over(document, node, field->record, target, err);
}

static int check_required(const struct document *document, const struct node *node,
			  const struct schema *schema, struct error *err)
{
	for (const struct field *field = schema->fields; field->name; field++)
		if (field->required && !node_find(node, field->name))
			return document_error_key(document, node, err,
						  "a %s needs '%s': %s", schema->noun,
						  field->name, field->doc);
	return 0;
}

static void finish_list(const struct schema *record, struct schema_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		schema_finish(record, (char *)list->items + i * record->size);
	free(list->items);
	*list = (struct schema_list){0};
}

/* Records of a list, or of a map whose keys become their names. */
static int read_records(const struct document *document, const struct node *node,
			const struct field *field, void *target, struct error *err)
{
	const struct schema *record = field->record;
	enum node_kind wanted = field->type == FIELD_NAMED ? NODE_MAP : NODE_LIST;
	struct schema_list *list = target;

	if (node->kind != wanted && !node_is_empty(node))
		return document_error(document, node, err, "%s must be %s, not %s",
				      field->name,
				      wanted == NODE_MAP ? "a map" : "a list of maps",
				      node_describe(node));
	finish_list(record, list);
	list->items = memory_new(node->count ? node->count : 1, record->size);
	for (size_t i = 0; i < node->count; i++) {
		char *item = (char *)list->items + i * record->size;

		if (schema_read(document, &node->items[i], record, item, err))
			return -1;
		list->count++;
		if (field->type == FIELD_NAMED)
			*(char **)item = memory_copy_string(node->items[i].key);
	}
	return 0;
}

static int read_field(const struct document *document, const struct node *node,
		      const struct field *field, void *structure, struct error *err)
{
	void *target = target_of(field, structure);

	switch (field->type) {
	case FIELD_STRING:
		return read_string(document, node, target, err);
	case FIELD_STRINGS:
		return read_strings(document, node, target, err);
	case FIELD_RECORD:
		return read_record(document, node, field, target, err);
	case FIELD_RECORDS:
	case FIELD_NAMED:
		return read_records(document, node, field, target, err);
	case FIELD_CUSTOM:
		return field->read(document, node, structure, err);
	default:
		return schema_read_scalar(document, node, field, structure, err);
	}
}

int schema_read_over(const struct document *document, const struct node *node,
		     const struct schema *schema, void *structure, struct error *err)
{
	if (node_is_empty(node))
		return 0;
	if (node->kind != NODE_MAP)
		return document_error(document, node, err,
				      "a %s must be a map of keys, not %s", schema->noun,
				      node_describe(node));
	for (size_t i = 0; i < node->count; i++) {
		const struct node *item = &node->items[i];
		const struct field *field = find_field(schema, item->key);

		if (!field)
			return refuse_unknown(document, item, schema, err);
		if (read_field(document, item, field, structure, err))
			return -1;
	}
	return 0;
}

int schema_read(const struct document *document, const struct node *node,
		const struct schema *schema, void *structure, struct error *err)
{
	schema_defaults(schema, structure);
	if (schema_read_over(document, node, schema, structure, err) ||
	    check_required(document, node, schema, err)) {
		schema_finish(schema, structure);
		return -1;
	}
	return 0;
}

/* A default is read like a file of one value; a wrong one shows in the first test. */
static void set_default(const struct field *field, void *structure)
{
	struct document document = {.name = (char *)field->name};
	struct node node = {.key = (char *)field->name, .text = (char *)field->fallback};
	struct error err;

	if (read_field(&document, &node, field, structure, &err))
		abort();
}

void schema_defaults(const struct schema *schema, void *structure)
{
	memset(structure, 0, schema->size);
	for (const struct field *field = schema->fields; field->name; field++) {
		if (field->type == FIELD_RECORD)
			schema_defaults(field->record, target_of(field, structure));
		else if (field->fallback && field->type != FIELD_CUSTOM)
			set_default(field, structure);
	}
}

static void finish_field(const struct field *field, void *structure)
{
	void *target = target_of(field, structure);

	switch (field->type) {
	case FIELD_STRING:
		free(*(char **)target);
		return;
	case FIELD_STRINGS:
		text_list_finish(target);
		return;
	case FIELD_RECORD:
		schema_finish(field->record, target);
		return;
	case FIELD_NAMED:
		for (size_t i = 0; i < ((struct schema_list *)target)->count; i++)
			free(*(char **)((char *)((struct schema_list *)target)->items +
					i * field->record->size));
		finish_list(field->record, target);
		return;
	case FIELD_RECORDS:
		finish_list(field->record, target);
		return;
	default:
		return;
	}
}

void schema_finish(const struct schema *schema, void *structure)
{
	for (const struct field *field = schema->fields; field->name; field++)
		finish_field(field, structure);
	memset(structure, 0, schema->size);
}
