/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/format.h"
#include "report/headline.h"

#include <string.h>

enum { LISTED_SESSIONS = 50 };

static void add_header(const struct report_model *model, const char *headline,
		       struct text *out)
{
	markup(out,
	       "<header>\n<p class=\"kicker\">kregress report</p>\n<h1>%s</h1>\n"
	       "<p class=\"meta\">",
	       headline);
	if (model->sessions.count) {
		text_add(out, "Session of ");
		html_time(model->sessions.items[0].started, out);
		text_add(out, " \xc2\xb7 ");
	}
	text_add(out, "report made ");
	html_time(model->made, out);
	markup(out, " from <code>%s</code></p>\n", model->database);
	if (model->index)
		markup(out, "<p class=\"meta\"><a href=\"%s\">All sessions</a></p>\n",
		       model->index);
	text_add(out, "</header>\n");
}

static void add_findings(const struct report_model *model, struct text *out)
{
	int begun = 0;

	for (size_t i = 0; i < model->section_count; i++) {
		if (!model->sections[i].finding_count)
			continue;
		text_add(out, begun++ ? ""
				      : "<section aria-labelledby=\"findings\">\n"
					"<h2 id=\"findings\">Findings</h2>\n");
		html_findings(&model->sections[i], out);
	}
	text_add(out, begun ? "</section>\n" : "");
}

static void add_searches(const struct report_model *model, struct text *out)
{
	int begun = 0;

	for (size_t i = model->search_records.count; i > 0; i--) {
		if (!model->searches[i - 1].listed)
			continue;
		text_add(out, begun++ ? ""
				      : "<section aria-labelledby=\"searches\">\n"
					"<h2 id=\"searches\">Searches</h2>\n");
		text_add(out, "<article class=\"search\">\n");
		html_search(&model->searches[i - 1], 3, out);
		text_add(out, "</article>\n");
	}
	text_add(out, begun ? "</section>\n" : "");
}

static void add_session(const struct session_record *session, struct text *out)
{
	text_add(out, "<tr><td class=\"nowrap\">");
	html_time(session->started, out);
	markup(out, "</td><td><code>%s</code></td>", session->command);
	text_format(out, "<td class=\"num\">%lld</td><td class=\"num\">%lld</td>",
		    (long long)session->boots, (long long)session->regressions);
	if (session->finished)
		markup(out, "<td class=\"nowrap\">exit %d</td></tr>\n",
		       session->exit_code);
	else
		text_add(out, "<td class=\"nowrap\">not ended</td></tr>\n");
}

static void add_sessions(const struct report_model *model, struct text *out)
{
	static const char *const titles[] = {
		"started", "command", "#boots", "#regressed metrics", "end", NULL};

	if (!model->sessions.count)
		return;
	text_add(out, "<section aria-labelledby=\"sessions\">\n"
		      "<h2 id=\"sessions\">Sessions</h2>\n");
	html_table_begin("Sessions", titles, out);
	for (size_t i = 0; i < model->sessions.count && i < LISTED_SESSIONS; i++)
		add_session(&model->sessions.items[i], out);
	html_table_end(out);
	text_add(out, "</section>\n");
}

static void add_limits(const struct report_model *model, struct text *out)
{
	const char *told = "";

	for (size_t i = 0; i < model->section_count; i++) {
		const char *limits = format_limits(model->sections[i].session->lab);

		if (*limits && strcmp(limits, told) != 0)
			markup(out, "<p>%s</p>\n", limits);
		told = limits;
	}
}

static void write_html(const struct report_model *model, struct text *out)
{
	CLEANUP(text_finish) struct text headline = {0};
	CLEANUP(text_finish) struct text title = {0};

	report_headline(model, &headline);
	text_format(&title, "kregress: %s", text_string(&headline));
	html_begin(text_string(&title), out);
	add_header(model, text_string(&headline), out);
	html_news(model, out);
	text_add(out, "<main id=\"main\">\n");
	add_findings(model, out);
	for (size_t i = 0; i < model->section_count; i++)
		html_section(&model->sections[i], out);
	add_searches(model, out);
	html_environments(model, out);
	add_sessions(model, out);
	text_add(out, "</main>\n<footer>\n");
	add_limits(model, out);
	text_add(out, "<p>Made by kregress " KREGRESS_VERSION
		      ". One file, no scripts, nothing is loaded.</p>\n</footer>\n");
	html_end(out);
}

const struct report_writer report_writer_html = {
	.name = "html",
	.extension = "html",
	.summary = "a page for browsers, whole in one file",
	.write = write_html,
};
