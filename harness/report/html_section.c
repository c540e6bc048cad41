/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/remarks.h"

#include <math.h>
#include <string.h>

enum { MOST_SERIES = 600 };

static void add_tables(const struct report_section *section, struct text *out)
{
	for (size_t i = 0; i < section->table_count; i++) {
		markup(out, "<h3>%s</h3>\n", section->tables[i].scenario);
		html_table(&section->tables[i].table, section->tables[i].scenario, out);
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
	size_t first = series->values[0].version;
	size_t last = series->values[series->count - 1].version;
	double before = report_median(series, first);
	double after = report_median(series, last);

	markup(out, "<tr><td>%s</td><th scope=\"row\">%s ", series->scenario,
	       series->metric);
	html_case(series->case_label, out);
	text_add(out, "</th><td>");
	plot_spark(section, series, out);
	text_add(out, "</td>");
	html_value_cell(before, series->unit, out);
	html_value_cell(after, series->unit, out);
	html_change_cell(before ? 100 * (after - before) / fabs(before) : NAN, out);
	if (*change)
		markup(out, "<td><span class=\"tag %s\">%s</span></td></tr>\n",
		       strcmp(change, "regression") ? "better" : "worse", change);
	else
		text_add(out, "<td></td></tr>\n");
}

static void add_series(const struct report_section *section, struct text *out)
{
	static const char *const titles[] = {
		"scenario", "metric and case", "course",  "#first",
		"#last",    "#change",         "changes", NULL};
	CLEANUP(cleanup_free)
	const struct verdict_record **marks =
		memory_new(section->results.versions.count, sizeof(*marks));
	size_t shown = 0;

	text_add(out, "<details><summary>Every judged metric over the versions"
		      "</summary>\n");
	html_table_begin("Every judged metric over the versions", titles, out);
	for (size_t i = 0; i < section->results.count && shown < MOST_SERIES; i++) {
		const struct result_series *series = &section->results.series[i];

		if (!report_shows(section, series))
			continue;
		add_series_row(section, series, worst_change(section, series, marks),
			       out);
		shown++;
	}
	html_table_end(out);
	text_add(out, "</details>\n");
}

static void add_improvements(const struct report_section *section, struct text *out)
{
	int begun = 0;

	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *item = &section->changes.items[i];

		if (strcmp(item->verdict, "improvement") != 0 || !report_is_news(item))
			continue;
		text_add(out, begun++ ? "" : "<h3>Improvements</h3>\n<ul>\n");
		markup(out, "<li>%s to %s, %s %s %s: %s</li>\n", item->a.text,
		       item->b.text, item->scenario, item->case_label, item->metric,
		       item->sentence);
	}
	text_add(out, begun ? "</ul>\n" : "");
}

static void add_remarks(const struct remark_list *remarks, struct text *out)
{
	CLEANUP(text_list_finish) struct text_list lines = {0};

	remarks_add_lines(remarks, &lines);
	if (!lines.count)
		return;
	text_add(out, "<h3>Within the runs</h3>\n<ul>\n");
	for (size_t i = 0; i < lines.count; i++)
		markup(out, "<li>%s</li>\n", lines.items[i]);
	text_add(out, "</ul>\n");
}

static void add_versions(const struct version_list *versions, struct text *out)
{
	static const char *const titles[] = {"version", "commit", "subject", "kernel",
					     NULL};

	markup(out, "<details><summary>Versions (%zu)</summary>\n", versions->count);
	html_table_begin("Versions", titles, out);
	for (size_t i = 0; i < versions->count; i++) {
		const struct version_record *item = &versions->items[i];

		markup(out, "<tr><th scope=\"row\">%s</th><td>", item->text);
		if (*item->commit)
			html_commit_id(item->commit, out);
		markup(out, "</td><td>%s</td><td class=\"nowrap\">%s</td></tr>\n",
		       item->subject, item->release);
	}
	html_table_end(out);
	text_add(out, "</details>\n");
}

static void add_head(const struct report_section *section, struct text *out)
{
	CLEANUP(text_finish) struct text title = {0};
	CLEANUP(text_finish) struct text size = {0};

	report_section_title(section, &title);
	report_section_size(section, &size);
	text_format(out,
		    "<section id=\"session-%lld\" "
		    "aria-labelledby=\"session-%lld-title\">\n"
		    "<h2 id=\"session-%lld-title\">",
		    (long long)section->session->id, (long long)section->session->id,
		    (long long)section->session->id);
	markup(out, "Measured: %s</h2>\n<p>%s.</p>\n<p class=\"meta\">",
	       text_string(&title), text_string(&size));
	html_time(section->session->started, out);
	markup(out, "</p>\n<pre>%s</pre>\n", section->session->command);
}

void html_section(const struct report_section *section, struct text *out)
{
	add_head(section, out);
	add_improvements(section, out);
	add_tables(section, out);
	add_remarks(&section->remarks, out);
	add_series(section, out);
	html_left_out(section, out);
	add_versions(&section->results.versions, out);
	text_add(out, "</section>\n");
}
