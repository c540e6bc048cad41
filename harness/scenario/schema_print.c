/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/schema.h"

#include <string.h>

/* What is set, for the keys below one path. */
struct printer {
	const struct schema_setting *settings;
	size_t count;
	struct text *out;
};

static void print_fields(const struct printer *printer, const struct schema *schema,
			 const char *path, int depth);

static const struct schema_setting *find(const struct printer *printer, const char *path)
{
	for (size_t i = 0; i < printer->count; i++)
		if (!strcmp(printer->settings[i].path, path))
			return &printer->settings[i];
	return NULL;
}

/* Some key of the record is set, so the record is there. */
static int has_inside(const struct printer *printer, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < printer->count; i++)
		if (!strncmp(printer->settings[i].path, path, length) &&
		    printer->settings[i].path[length] == '.')
			return 1;
	return 0;
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

static void print_value(const struct printer *printer, const struct field *field,
			const char *path, int depth)
{
	const struct schema_setting *setting = find(printer, path);
	const char *value = setting           ? setting->value
			    : field->fallback ? field->fallback
					      : field->example;
	int is_set = setting || has_inside(printer, path);

	if (setting && setting->why)
		text_format(printer->out, "#%*s# %s\n", 2 * depth, "", setting->why);
	text_format(printer->out, "%s%*s%s:%s%s\n", is_set ? "" : "#", 2 * depth, "",
		    field->name, value && *value ? " " : "", value ? value : "");
}

static void print_field(const struct printer *printer, const struct field *field,
			const char *above, int depth)
{
	CLEANUP(cleanup_free)
	char *path = memory_format("%s%s%s", above, *above ? "." : "", field->name);

	text_format(printer->out, "#%*s# %s", 2 * depth, "", field->doc);
	print_choices(field, printer->out);
	text_add(printer->out, "\n");
	print_value(printer, field, path, depth);
	if (field->type == FIELD_NAMED)
		text_format(printer->out, "#%*sNAME:\n", 2 * depth + 2, "");
	if (field->record)
		print_fields(printer, field->record, path,
			     depth + (field->type == FIELD_NAMED ? 2 : 1));
}

static void print_fields(const struct printer *printer, const struct schema *schema,
			 const char *path, int depth)
{
	for (const struct field *field = schema->fields; field->name; field++)
		print_field(printer, field, path, depth);
}

void schema_print(const struct schema *schema, struct text *out)
{
	schema_print_set(schema, NULL, 0, out);
}

void schema_print_set(const struct schema *schema, const struct schema_setting *settings,
		      size_t count, struct text *out)
{
	const struct printer printer = {settings, count, out};

	print_fields(&printer, schema, "", 0);
}
