/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

enum { LISTED_CHANGES = 400, OPEN_CHANGES = 12 };

static void add_value(const char *value, struct text *out)
{
	if (*value)
		markup(out, "<td><code>%s</code></td>", value);
	else
		text_add(out, "<td class=\"meta\">not set</td>");
}

static void add_changes(const struct html_view *view, struct text *out)
{
	const struct report_config *config = &view->finding->config;
	const char *const titles[] = {"symbol", view->finding->good, view->finding->bad,
				      NULL};

	html_table_begin("Configuration", titles, out);
	for (size_t i = 0; i < config->count && i < LISTED_CHANGES; i++) {
		markup(out, "<tr><th scope=\"row\"><code>%s</code></th>",
		       config->changes[i].symbol);
		add_value(config->changes[i].good, out);
		add_value(config->changes[i].bad, out);
		text_add(out, "</tr>\n");
	}
	html_table_end(out);
	if (config->count > LISTED_CHANGES)
		markup(out, "<p class=\"meta\">%zu more are left out.</p>\n",
		       config->count - LISTED_CHANGES);
}

void html_finding_config(const struct html_view *view, struct text *out)
{
	const struct report_config *config = &view->finding->config;

	if (!config->symbols)
		return;
	text_add(out, "<h4>Configuration</h4>\n");
	if (!config->count) {
		markup(out,
		       "<p>Both kernels have the same resolved configuration, %zu "
		       "symbols.</p>\n",
		       config->symbols);
		return;
	}
	markup(out,
	       config->count > OPEN_CHANGES
		       ? "<details><summary>%zu of %zu symbols differ</summary>\n"
		       : "<details open=\"open\"><summary>%zu of %zu symbols differ"
			 "</summary>\n",
	       config->count, config->symbols);
	add_changes(view, out);
	text_add(out, "</details>\n");
}
