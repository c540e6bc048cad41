/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

enum { LISTED_CASES = 60, SEEN_CASES = 6 };

/* The scenario only where there are several. */
static void add_row(const struct report_finding *finding, const struct report_case *item,
		    struct text *out)
{
	const struct verdict_record *verdict = item->verdict;

	int several = !report_has_only(finding, item->scenario);

	markup(out, "<tr><th scope=\"row\">%s%s%s ", several ? item->scenario : "",
	       several ? " " : "", item->metric);
	html_case(item->case_label, out);
	text_add(out, "</th>");
	if (!verdict) {
		text_add(out, "<td colspan=\"3\">not judged in these sessions</td>"
			      "</tr>\n");
		return;
	}
	html_value_cell(verdict->a.median, verdict->unit, out);
	html_value_cell(verdict->b.median, verdict->unit, out);
	html_change_cell(verdict->change_percent, out);
	text_add(out, "</tr>\n");
}

static void add_rows(const struct report_finding *finding, size_t first, size_t end,
		     struct text *out)
{
	static const char *const titles[] = {"metric and case", "#before", "#after",
					     "#change", NULL};

	html_table_begin("Cases of this finding", titles, out);
	for (size_t i = first; i < end && i < finding->count; i++)
		add_row(finding, &finding->cases[i], out);
	html_table_end(out);
}

void html_finding_cases(const struct html_view *view, struct text *out)
{
	const struct report_finding *finding = view->finding;

	if (finding->count < 2)
		return;
	markup(out, "<h4>All %zu metrics that regressed</h4>\n", finding->count);
	add_rows(finding, 0, SEEN_CASES, out);
	if (finding->count <= SEEN_CASES)
		return;
	markup(out, "<details><summary>%zu more with smaller changes</summary>\n",
	       finding->count - SEEN_CASES);
	add_rows(finding, SEEN_CASES, LISTED_CASES, out);
	if (finding->count > LISTED_CASES)
		markup(out, "<p class=\"meta\">The last %zu are left out.</p>\n",
		       finding->count - LISTED_CASES);
	text_add(out, "</details>\n");
}
