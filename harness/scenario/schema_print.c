/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/schema.h"

static void print_fields(const struct schema *schema, int depth, struct text *out);

static void print_value(const struct field *field, struct text *out)
{
	const char *value = field->fallback ? field->fallback : field->example;

	text_format(out, "%s%s", value && *value ? " " : "", value ? value : "");
}

static void print_choices(const struct field *field, struct text *out)
{
	if (field->type != FIELD_CHOICE)
		return;
	text_add(out, " (");
	for (size_t i = 0; field->choices[i]; i++)
		text_format(out, "%s%s", i ? ", " : "", field->choices[i]);
	text_add(out, ")");
}

static void print_field(const struct field *field, int depth, struct text *out)
{
	text_format(out, "#%*s# %s", 2 * depth, "", field->doc);
	print_choices(field, out);
	text_format(out, "\n#%*s%s:", 2 * depth, "", field->name);
	print_value(field, out);
	text_add(out, "\n");
	if (field->type == FIELD_NAMED)
		text_format(out, "#%*sNAME:\n", 2 * depth + 2, "");
	if (field->record)
		print_fields(field->record, depth + (field->type == FIELD_NAMED ? 2 : 1),
			     out);
}

static void print_fields(const struct schema *schema, int depth, struct text *out)
{
	for (const struct field *field = schema->fields; field->name; field++)
		print_field(field, depth, out);
}

void schema_print(const struct schema *schema, struct text *out)
{
	print_fields(schema, 0, out);
}
