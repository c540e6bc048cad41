/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/number.h"
#include "base/text.h"
#include "scenario/schema.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* "jobs must be a whole number, not 'many'" */
static int wrong_type(const struct document *document, const struct node *node,
		      const struct field *field, const char *wanted, struct error *err)
{
	if (node->kind != NODE_SCALAR || node_is_empty(node))
		return document_error(document, node, err, "%s must be %s, not %s",
				      field->name, wanted, node_describe(node));
	return document_error(document, node, err, "%s must be %s, not '%s'", field->name,
			      wanted, shown(node->text).text);
}

static int check_range(const struct document *document, const struct node *node,
		       const struct field *field, double value, struct error *err)
{
	if (value >= field->least && (!field->most || value <= field->most))
		return 0;
	if (!field->most)
		return document_error(document, node, err,
				      "%s must be at least %.15g, not %s", field->name,
				      field->least, shown(node->text).text);
	return document_error(document, node, err,
			      "%s must be from %.15g to %.15g, not %s", field->name,
			      field->least, field->most, shown(node->text).text);
}

static int read_whole(const struct document *document, const struct node *node,
		      const struct field *field, void *target, struct error *err)
{
	uint64_t value;

	if (node->kind != NODE_SCALAR || number_parse_unsigned(node->text, &value))
		return wrong_type(document, node, field, "a whole number", err);
	if (check_range(document, node, field, (double)value, err))
		return -1;
	*(uint64_t *)target = value;
	return 0;
}

static int read_number(const struct document *document, const struct node *node,
		       const struct field *field, void *target, struct error *err)
{
	double value;

	if (node->kind != NODE_SCALAR || number_parse_double(node->text, &value))
		return wrong_type(document, node, field, "a number", err);
	if (check_range(document, node, field, value, err))
		return -1;
	*(double *)target = value;
	return 0;
}

static int read_size(const struct document *document, const struct node *node,
		     const struct field *field, void *target, struct error *err)
{
	uint64_t value;

	if (node->kind != NODE_SCALAR || number_parse_size(node->text, &value))
		return wrong_type(document, node, field, "a size such as 512M", err);
	if (check_range(document, node, field, (double)value, err))
		return -1;
	*(uint64_t *)target = value;
	return 0;
}

static int read_switch(const struct document *document, const struct node *node,
		       const struct field *field, void *target, struct error *err)
{
	int on = node->kind == NODE_SCALAR && !strcmp(node->text, "true");

	if (!on && (node->kind != NODE_SCALAR || strcmp(node->text, "false")))
		return wrong_type(document, node, field, "true or false", err);
	*(int *)target = on;
	return 0;
}

static int refuse_choice(const struct document *document, const struct node *node,
			 const struct field *field, struct error *err)
{
	struct text wanted = {0};
	int result;

	for (size_t i = 0; field->choices[i]; i++) {
		const char *joint = !field->choices[i + 1] ? " or " : ", ";

		text_format(&wanted, "%s%s", i ? joint : "", field->choices[i]);
	}
	result = wrong_type(document, node, field, text_string(&wanted), err);
	text_finish(&wanted);
	return result;
}

static int read_choice(const struct document *document, const struct node *node,
		       const struct field *field, void *target, struct error *err)
{
	for (int i = 0; node->kind == NODE_SCALAR && field->choices[i]; i++)
		if (!strcmp(field->choices[i], node->text)) {
			*(int *)target = i;
			return 0;
		}
	return refuse_choice(document, node, field, err);
}

int schema_read_scalar(const struct document *document, const struct node *node,
		       const struct field *field, void *structure, struct error *err)
{
	static int (*const readers[])(const struct document *, const struct node *,
				      const struct field *, void *, struct error *) = {
		[FIELD_WHOLE] = read_whole,   [FIELD_NUMBER] = read_number,
		[FIELD_SIZE] = read_size,     [FIELD_SWITCH] = read_switch,
		[FIELD_CHOICE] = read_choice,
	};

	return readers[field->type](document, node, field,
				    (char *)structure + field->offset, err);
}
