/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between environments, in words: declared in stored.h. */
#include "base/cleanup.h"
#include "cli/levels.h"
#include "cli/stored.h"

#include <string.h>

const char *stored_field(const struct environment *environment, const char *name)
{
	for (size_t i = 0; i < environment->count; i++)
		if (!strcmp(environment->fields[i].name, name))
			return environment->fields[i].value;
	return NULL;
}

static void add_differences(const struct environment *a, const struct environment *b,
			    struct text *text)
{
	for (size_t i = 0; i < a->count; i++) {
		const char *name = a->fields[i].name, *other = stored_field(b, name);

		if (other && !strcmp(other, a->fields[i].value))
			continue;
		text_format(text, "%s%s: %s became %s", text->size ? ", " : "", name,
			    a->fields[i].value, other ? other : "nothing");
	}
	for (size_t i = 0; i < b->count; i++)
		if (!stored_field(a, b->fields[i].name))
			text_format(text, "%s%s: nothing became %s",
				    text->size ? ", " : "", b->fields[i].name,
				    b->fields[i].value);
}

static void explain(struct stored *stored, struct comparison *c)
{
	const struct stored_environment *a = stored_environment(stored, c->a_environment);
	const struct stored_environment *b = stored_environment(stored, c->b_environment);
	CLEANUP(text_finish) struct text text = {0};

	if (!a || !b)
		return;
	add_differences(&a->fields, &b->fields, &text);
	if (strcmp(levels_scenario_key(c->a_environment),
		   levels_scenario_key(c->b_environment)))
		text_format(&text, "%sthe scenario was changed", text.size ? ", " : "");
	text_list_add(&stored->differences, text_string(&text));
	c->difference = stored->differences.items[stored->differences.count - 1];
}

void stored_explain(struct stored *stored, struct comparisons *comparisons)
{
	for (size_t i = 0; i < comparisons->count; i++)
		if (comparison_has(&comparisons->items[i], REASON_ENVIRONMENT_DIFFERS))
			explain(stored, &comparisons->items[i]);
}
