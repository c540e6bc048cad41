/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/format.h"

enum { LISTED_SESSIONS = 100 };

void html_time(int64_t time, struct text *out)
{
	CLEANUP(text_finish) struct text stamp = {0};

	format_time(&stamp, time);
	markup(out, "<time datetime=\"%s\">%s</time>", text_string(&stamp),
	       text_string(&stamp));
}

/* Nothing on the page may reach out, whatever came into it. */
static void add_head(struct text *out)
{
	text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		      "<meta charset=\"utf-8\"/>\n"
		      "<meta name=\"viewport\" content=\"width=device-width, "
		      "initial-scale=1\"/>\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\""
		      "default-src 'none'; style-src 'unsafe-inline'\"/>\n"
		      "<title>kregress report</title>\n<style>\n");
	text_add(out, html_style);
	text_add(out, "</style>\n</head>\n<body>\n");
}

static void add_index(const struct report_model *model, struct text *out)
{
	size_t count = 0;

	text_add(out, "<nav aria-label=\"Findings\">\n<ul>\n");
	for (size_t i = 0; i < model->section_count; i++) {
		const struct report_section *section = &model->sections[i];

		for (size_t j = 0; j < section->finding_count; j++) {
			const struct report_finding *finding = &section->findings[j];

			text_format(out, "<li><a href=\"#finding-%lld-%zu\">",
				    (long long)section->session->id, j);
			markup(out, "%s: %s to %s</a>",
			       finding->count ? finding->cases[0].scenario : "",
			       finding->good, finding->bad);
			if (finding->search && finding->search->culprit.count)
				markup(out, ": <code>%s</code> %s",
				       finding->search->culprit.items[0].id,
				       finding->search->culprit.items[0].subject);
			text_add(out, "</li>\n");
			count++;
		}
	}
	if (!count)
		text_add(out, "<li>No regression is known.</li>\n");
	text_add(out, "</ul>\n</nav>\n");
}

static void add_searches(const struct report_model *model, struct text *out)
{
	int begun = 0;

	for (size_t i = model->search_records.count; i > 0; i--) {
		if (model->searches[i - 1].shown)
			continue;
		text_add(out, begun++ ? "" : "<section>\n<h2>Searches</h2>\n");
		text_add(out, "<article class=\"done\">\n");
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
		markup(out, "<td>exit %d</td></tr>\n", session->exit_code);
	else
		text_add(out, "<td>not ended</td></tr>\n");
}

static void add_sessions(const struct report_model *model, struct text *out)
{
	text_add(out, "<section>\n<h2>Sessions</h2>\n<div class=\"scroll\"><table><thead>"
		      "<tr><th>started</th><th>command</th><th class=\"num\">boots</th>"
		      "<th class=\"num\">regressed metrics</th><th>end</th></tr></thead>"
		      "<tbody>\n");
	for (size_t i = 0; i < model->sessions.count && i < LISTED_SESSIONS; i++)
		add_session(&model->sessions.items[i], out);
	text_add(out, "</tbody></table></div>\n</section>\n");
}

static void write_html(const struct report_model *model, struct text *out)
{
	add_head(out);
	text_add(out, "<header>\n<h1>kregress report</h1>\n<p class=\"meta\">made ");
	html_time(model->made, out);
	markup(out, " from <code>%s</code></p>\n</header>\n", model->database);
	add_index(model, out);
	text_add(out, "<main>\n");
	for (size_t i = 0; i < model->section_count; i++)
		html_section(&model->sections[i], out);
	add_searches(model, out);
	add_sessions(model, out);
	text_add(out, "</main>\n</body>\n</html>\n");
}

const struct report_writer report_writer_html = {
	.name = "html",
	.extension = "html",
	.write = write_html,
};
