/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several parts of the page are made of. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char html_style[], html_style_end[];

/* The style sheet is a file of its own, so that editors know it for what it is. */
__asm__(".section .rodata\n"
	".global html_style, html_style_end\n"
	"html_style:\n"
	".incbin \"harness/report/style.css\"\n"
	"html_style_end:\n"
	".byte 0\n"
	".previous\n");

/* Nothing on the page may reach out, whatever came into it. */
void html_begin(const char *title, struct text *out)
{
	text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		      "<meta charset=\"utf-8\"/>\n"
		      "<meta name=\"viewport\" content=\"width=device-width, "
		      "initial-scale=1\"/>\n"
		      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\""
		      "default-src 'none'; style-src 'unsafe-inline'\"/>\n");
	markup(out, "<title>%s</title>\n<style>\n", title);
	text_add_bytes(out, html_style, (size_t)(html_style_end - html_style));
	text_add(out, "</style>\n</head>\n<body>\n"
		      "<a class=\"skip\" href=\"#main\">Skip to the findings</a>\n");
}

void html_end(struct text *out)
{
	text_add(out, "</body>\n</html>\n");
}

void html_time(int64_t time, struct text *out)
{
	CLEANUP(text_finish) struct text stamp = {0};
	time_t seconds = (time_t)time;
	char shown[40] = "";
	struct tm parts;

	format_time(&stamp, time);
	if (gmtime_r(&seconds, &parts))
		strftime(shown, sizeof(shown), "%Y-%m-%d %H:%M UTC", &parts);
	markup(out, "<time datetime=\"%s\">%s</time>", text_string(&stamp),
	       *shown ? shown : text_string(&stamp));
}

void html_commit_id(const char *id, struct text *out)
{
	CLEANUP(text_finish) struct text brief = {0};

	text_format(&brief, "%.12s", id);
	markup(out, "<code title=\"%s\">%s</code>", id, text_string(&brief));
}

void html_case(const char *label, struct text *out)
{
	if (!*label)
		return;
	text_add(out, "<span class=\"case\">");
	while (*label) {
		size_t length = strcspn(label, ",");
		CLEANUP(cleanup_free) char *part = NULL;

		length += label[length] == ',';
		part = memory_copy_bytes(label, length);
		markup_text(out, part);
		label += length;
		text_add(out, *label ? "<wbr/>" : "");
	}
	text_add(out, "</span>");
}

void html_table_begin(const char *label, const char *const *titles, struct text *out)
{
	markup(out,
	       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	       "aria-label=\"%s\"><table><thead><tr>",
	       label);
	for (; *titles; titles++)
		markup(out,
		       **titles == '#' ? "<th scope=\"col\" class=\"num\">%s</th>"
				       : "<th scope=\"col\">%s</th>",
		       *titles + (**titles == '#'));
	text_add(out, "</tr></thead><tbody>\n");
}

void html_table_end(struct text *out)
{
	text_add(out, "</tbody></table></div>\n");
}

void html_value_cell(double value, const char *unit, struct text *out)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_value(&cell, value, unit);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
}

void html_change_cell(double percent, struct text *out)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_change(&cell, percent);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
}

void html_table(const struct table *table, const char *label, struct text *out)
{
	size_t columns = table->titles.count;

	markup(out,
	       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	       "aria-label=\"%s\"><table>",
	       label);
	if (table->caption)
		markup(out, "<caption>%s</caption>", table->caption);
	text_add(out, "<thead><tr>");
	for (size_t i = 0; i < columns; i++)
		markup(out,
		       table->right >> i & 1 ? "<th scope=\"col\" class=\"num\">%s</th>"
					     : "<th scope=\"col\">%s</th>",
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
	html_table_end(out);
	for (size_t i = 0; i < table->remarks.count; i++)
		markup(out, "<p>%s.</p>\n", table->remarks.items[i]);
}

void html_anchor(const struct report_section *section,
		 const struct report_finding *finding, struct text *out)
{
	if (finding->id)
		text_format(out, "finding-%lld", (long long)finding->id);
	else
		text_format(out, "finding-%lld-%zu", (long long)section->session->id,
			    (size_t)(finding - section->findings));
}
