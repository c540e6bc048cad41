/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a section could not measure or could not decide, and why. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/format.h"

#include <string.h>

enum { MOST_FAILURES = 200, MOST_UNDECIDED = 500 };

static void add_failures(const struct failure_list *failures, struct text *out)
{
	static const char *const titles[] = {"version", "scenario", "outcome",
					     "why",     "log",      NULL};

	if (!failures->count)
		return;
	text_add(out, "<h3>Left out</h3>\n");
	html_table_begin("Left out", titles, out);
	for (size_t i = 0; i < failures->count && i < MOST_FAILURES; i++) {
		const struct failure_record *item = &failures->items[i];

		markup(out,
		       "<tr><th scope=\"row\">%s</th><td>%s</td>"
		       "<td class=\"nowrap\">%s</td><td>%s</td>"
		       "<td><code>%s</code></td></tr>\n",
		       item->version, item->scenario, item->outcome, item->detail,
		       item->log_path);
	}
	html_table_end(out);
	if (failures->count > MOST_FAILURES)
		markup(out, "<p class=\"meta\">%zu more are not listed.</p>\n",
		       failures->count - MOST_FAILURES);
}

static void add_undecided(const struct report_section *section, struct text *out)
{
	size_t begun = 0;

	for (size_t i = 0; i < section->changes.count && begun < MOST_UNDECIDED; i++) {
		const struct verdict_record *item = &section->changes.items[i];

		if (strcmp(item->verdict, "inconclusive") != 0 &&
		    strcmp(item->verdict, "not-comparable") != 0)
			continue;
		text_add(out,
			 begun++ ? ""
				 : "<details><summary>Not decided</summary>\n<ul>\n");
		markup(out, "<li>%s to %s, %s %s %s: %s</li>\n", item->a.text,
		       item->b.text, item->scenario, item->case_label, item->metric,
		       item->sentence);
	}
	text_add(out, begun ? "</ul></details>\n" : "");
}

static void add_note(const struct note_record *note, struct text *out)
{
	CLEANUP(text_finish) struct text subject = {0};

	format_note_subject(&subject, note);
	markup(out, "<li>%s: %s</li>\n", text_string(&subject), note->text);
}

static void add_notes(const struct note_list *notes, struct text *out)
{
	if (!notes->count)
		return;
	text_add(out, "<h3>Notes</h3>\n<ul>\n");
	for (size_t i = 0; i < notes->count; i++)
		add_note(&notes->items[i], out);
	text_add(out, "</ul>\n");
}

void html_left_out(const struct report_section *section, struct text *out)
{
	add_failures(&section->failures, out);
	add_undecided(section, out);
	add_notes(&section->notes, out);
}
