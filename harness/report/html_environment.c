/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All environments of the page at once: what they share, then what each has alone. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

/* Environments of all sections, each once. */
struct gathered {
	const struct environment **items;
	size_t count;
};

static void gathered_finish(struct gathered *gathered)
{
	free(gathered->items);
}

static int has(const struct gathered *gathered, int64_t id)
{
	for (size_t i = 0; i < gathered->count; i++)
		if (gathered->items[i]->id == id)
			return 1;
	return 0;
}

static void gather(const struct report_model *model, struct gathered *gathered)
{
	size_t most = 0;

	for (size_t i = 0; i < model->section_count; i++)
		most += model->sections[i].environment_count;
	gathered->items = memory_new(most, sizeof(*gathered->items));
	for (size_t i = 0; i < model->section_count; i++) {
		const struct report_section *section = &model->sections[i];

		for (size_t j = 0; j < section->environment_count; j++)
			if (!has(gathered, section->environments[j].id))
				gathered->items[gathered->count++] =
					&section->environments[j];
	}
}

static const char *value_of(const struct environment *environment, const char *name)
{
	for (size_t i = 0; i < environment->count; i++)
		if (!strcmp(environment->fields[i].name, name))
			return environment->fields[i].value;
	return NULL;
}

static int is_common(const struct gathered *gathered,
		     const struct environment_field *field)
{
	for (size_t i = 1; i < gathered->count; i++) {
		const char *value = value_of(gathered->items[i], field->name);

		if (!value || strcmp(value, field->value) != 0)
			return 0;
	}
	return 1;
}

static void add_fields(const struct gathered *gathered, size_t index, int common,
		       struct text *out)
{
	static const char *const titles[] = {"field", "value", NULL};
	const struct environment *environment = gathered->items[index];

	html_table_begin(common ? "Environment" : "Fields of this environment alone",
			 titles, out);
	for (size_t i = 0; i < environment->count; i++) {
		const struct environment_field *field = &environment->fields[i];

		if (is_common(gathered, field) == common)
			markup(out, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
			       field->name, field->value);
	}
	html_table_end(out);
}

/* What was measured there. */
static void add_scenarios(const struct report_model *model, int64_t id, struct text *out)
{
	CLEANUP(text_list_finish) struct text_list names = {0};

	for (size_t i = 0; i < model->section_count; i++) {
		const struct results *results = &model->sections[i].results;

		for (size_t j = 0; j < results->count; j++)
			if (results->series[j].environment == id &&
			    !text_list_contains(&names, results->series[j].scenario))
				text_list_add(&names, results->series[j].scenario);
	}
	for (size_t i = 0; i < names.count; i++)
		markup(out, "%s%s", i ? ", " : "", names.items[i]);
}

static void add_own(const struct report_model *model, const struct gathered *gathered,
		    struct text *out)
{
	for (size_t i = 0; i < gathered->count; i++) {
		const struct environment *environment = gathered->items[i];

		text_add(out, "<details><summary>Only of ");
		add_scenarios(model, environment->id, out);
		markup(out, " (%s lab)</summary>\n", environment->lab);
		add_fields(gathered, i, 0, out);
		markup(out, "<p class=\"meta\">key <code>%s</code></p></details>\n",
		       environment->key);
	}
}

void html_environments(const struct report_model *model, struct text *out)
{
	CLEANUP(gathered_finish) struct gathered gathered = {0};

	gather(model, &gathered);
	if (!gathered.count)
		return;
	text_add(out, "<section aria-labelledby=\"environment\">\n"
		      "<h2 id=\"environment\">Environment</h2>\n");
	if (gathered.count > 1)
		markup(out,
		       "<p>%zu environments; this is what they have in common. Numbers "
		       "of different environments are never compared.</p>\n",
		       gathered.count);
	text_add(out, "<details><summary>Fields</summary>\n");
	add_fields(&gathered, 0, 1, out);
	if (gathered.count == 1)
		markup(out, "<p class=\"meta\">%s lab, key <code>%s</code></p>\n",
		       gathered.items[0]->lab, gathered.items[0]->key);
	text_add(out, "</details>\n");
	if (gathered.count > 1)
		add_own(model, &gathered, out);
	text_add(out, "</section>\n");
}
