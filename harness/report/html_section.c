/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"

#include <math.h>
#include <string.h>

enum { MOST_SERIES = 600, MOST_FAILURES = 200 };

void html_table(const struct table *table, struct text *out)
{
	size_t columns = table->titles.count;

	text_add(out, "<div class=\"scroll\"><table>");
	if (table->caption)
		markup(out, "<caption>%s</caption>", table->caption);
	text_add(out, "<thead><tr>");
	for (size_t i = 0; i < columns; i++)
		markup(out,
		       table->right >> i & 1 ? "<th class=\"num\">%s</th>"
					     : "<th>%s</th>",
		       table->titles.items[i]);
	text_add(out, "</tr></thead><tbody>\n");
	for (size_t row = 0; row < table_rows(table); row++) {
		text_add(out, "<tr>");
		for (size_t i = 0; i < columns; i++)
			markup(out,
			       table->right >> i & 1 ? "<td class=\"num\">%s</td>"
						     : "<td>%s</td>",
			       table_cell(table, row, i));
		text_add(out, "</tr>\n");
	}
	text_add(out, "</tbody></table></div>\n");
	for (size_t i = 0; i < table->remarks.count; i++)
		markup(out, "<p>%s.</p>\n", table->remarks.items[i]);
}

static void add_tables(const struct report_section *section, struct text *out)
{
	for (size_t i = 0; i < section->table_count; i++) {
		markup(out, "<h3>%s</h3>\n", section->tables[i].scenario);
		html_table(&section->tables[i].table, out);
	}
}

static const char *worst_change(const struct report_section *section,
				const struct result_series *series,
				const struct verdict_record **marks)
{
	const char *worst = "";

	report_mark_changes(section, series, marks);
	for (size_t i = 0; i < section->results.versions.count; i++)
		if (marks[i] && strcmp(worst, "regression") != 0)
			worst = marks[i]->verdict;
	return worst;
}

static void add_series_row(const struct report_section *section,
			   const struct result_series *series, const char *change,
			   struct text *out)
{
	CLEANUP(text_finish) struct text cell = {0};
	size_t first = series->values[0].version;
	size_t last = series->values[series->count - 1].version;
	double before = report_median(series, first);
	double after = report_median(series, last);

	markup(out, "<tr><td>%s</td><td>%s</td><td>%s</td><td>", series->scenario,
	       series->case_label, series->metric);
	plot_spark(section, series, out);
	format_value(&cell, before, series->unit);
	markup(out, "</td><td class=\"num\">%s</td>", text_string(&cell));
	text_clear(&cell);
	format_value(&cell, after, series->unit);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
	text_clear(&cell);
	format_change(&cell, before ? 100 * (after - before) / fabs(before) : NAN);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
	if (*change)
		markup(out, "<td><span class=\"tag %s\">%s</span></td></tr>\n", change,
		       change);
	else
		text_add(out, "<td></td></tr>\n");
}

static void add_series(const struct report_section *section, struct text *out)
{
	CLEANUP(cleanup_free)
	const struct verdict_record **marks =
		memory_new(section->results.versions.count, sizeof(*marks));
	size_t shown = 0;

	text_add(out, "<details><summary>Every judged series over the versions</summary>"
		      "<div class=\"scroll\"><table><thead><tr><th>scenario</th>"
		      "<th>case</th><th>metric</th><th>course</th>"
		      "<th class=\"num\">first</th><th class=\"num\">last</th>"
		      "<th class=\"num\">change</th><th>changes seen</th></tr></thead>"
		      "<tbody>\n");
	for (size_t i = 0; i < section->results.count && shown < MOST_SERIES; i++) {
		const struct result_series *series = &section->results.series[i];

		if (!report_shows(section, series))
			continue;
		add_series_row(section, series, worst_change(section, series, marks),
			       out);
		shown++;
	}
	text_add(out, "</tbody></table></div></details>\n");
}

static void add_failures(const struct failure_list *failures, struct text *out)
{
	if (!failures->count)
		return;
	text_add(out, "<h3>Left out</h3>\n<div class=\"scroll\"><table><thead><tr>"
		      "<th>version</th><th>scenario</th><th>outcome</th><th>why</th>"
		      "<th>log</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < failures->count && i < MOST_FAILURES; i++) {
		const struct failure_record *item = &failures->items[i];

		markup(out,
		       "<tr><td>%s</td><td>%s</td><td class=\"nowrap\">%s</td><td>%s</td>"
		       "<td><code>%s</code></td></tr>\n",
		       item->version, item->scenario, item->outcome, item->detail,
		       item->log_path);
	}
	text_add(out, "</tbody></table></div>\n");
}

static void add_improvements(const struct report_section *section, struct text *out)
{
	int begun = 0;

	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *item = &section->changes.items[i];

		if (strcmp(item->verdict, "improvement") != 0 ||
		    !strcmp(item->role, "baseline"))
			continue;
		text_add(out, begun++ ? "" : "<h3>Improvements</h3>\n<ul>\n");
		markup(out, "<li>%s to %s, %s %s %s: %s</li>\n", item->a.text,
		       item->b.text, item->scenario, item->case_label, item->metric,
		       item->sentence);
	}
	text_add(out, begun ? "</ul>\n" : "");
}

static void add_undecided(const struct report_section *section, struct text *out)
{
	int begun = 0;

	for (size_t i = 0; i < section->changes.count; i++) {
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

static void add_environments(const struct report_section *section, struct text *out)
{
	for (size_t i = 0; i < section->environment_count; i++) {
		const struct environment *item = &section->environments[i];

		markup(out,
		       "<details><summary>Environment %s</summary>"
		       "<div class=\"scroll\"><table><tbody>\n",
		       item->lab);
		for (size_t j = 0; j < item->count; j++)
			markup(out, "<tr><th>%s</th><td>%s</td></tr>\n",
			       item->fields[j].name, item->fields[j].value);
		markup(out,
		       "</tbody></table></div><p class=\"meta\">key %s</p></details>\n",
		       item->key);
	}
}

static void add_versions(const struct version_list *versions, struct text *out)
{
	markup(out,
	       "<details><summary>Versions (%zu)</summary><div class=\"scroll\"><table>"
	       "<thead><tr><th>version</th><th>commit</th><th>subject</th><th>kernel</th>"
	       "</tr></thead><tbody>\n",
	       versions->count);
	for (size_t i = 0; i < versions->count; i++) {
		const struct version_record *item = &versions->items[i];

		markup(out,
		       "<tr><td>%s</td><td><code>%s</code></td><td>%s</td><td>%s</td>"
		       "</tr>\n",
		       item->text, item->commit, item->subject, item->release);
	}
	text_add(out, "</tbody></table></div></details>\n");
}

static void add_summary(const struct report_section *section, struct text *out)
{
	size_t findings = section->finding_count;

	markup(out, "<p class=\"lead\">%zu regression%s in %zu version%s", findings,
	       findings == 1 ? "" : "s", section->results.versions.count,
	       section->results.versions.count == 1 ? "" : "s");
	text_add(out, ", ");
	format_count(out, (uint64_t)section->verdict_count, "comparison");
	if (section->failures.count)
		markup(out, ", %zu left out", section->failures.count);
	text_add(out, ".</p>\n<p class=\"meta\">");
	html_time(section->session->started, out);
	markup(out, "</p>\n<pre>%s</pre>\n", section->session->command);
	if (*format_limits(section->session->lab))
		markup(out, "<p class=\"meta\">%s</p>\n",
		       format_limits(section->session->lab));
}

void html_section(const struct report_section *section, struct text *out)
{
	const struct version_list *versions = &section->results.versions;

	text_format(out, "<section id=\"session-%lld\">\n",
		    (long long)section->session->id);
	if (versions->count > 1)
		markup(out, "<h2>%s to %s</h2>\n", versions->items[0].text,
		       versions->items[versions->count - 1].text);
	else
		markup(out, "<h2>%s</h2>\n", versions->items[0].text);
	add_summary(section, out);
	for (size_t i = 0; i < section->finding_count; i++)
		html_finding(section, i, out);
	add_improvements(section, out);
	add_tables(section, out);
	add_series(section, out);
	add_undecided(section, out);
	add_failures(&section->failures, out);
	add_notes(&section->notes, out);
	add_versions(versions, out);
	add_environments(section, out);
	text_add(out, "</section>\n");
}
