/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One finding: its head, then the parts of the table. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/finding_words.h"
#include "report/format.h"
#include "report/headline.h"

static html_part *const parts[] = {
	html_finding_course, html_finding_cases, html_finding_commit,
	html_finding_config, html_finding_life,  html_finding_reproduce,
};

static const char *const classes[REPORT_STAGES] = {
	[REPORT_OPENED] = "worse",      [REPORT_BISECTED] = "worse",
	[REPORT_RECOVERED] = "better",  [REPORT_STILL_OPEN] = "worse quiet",
	[REPORT_OVER] = "better quiet",
};

static void add_title(const struct html_view *view, struct text *out)
{
	const struct report_finding *finding = view->finding;
	CLEANUP(text_finish) struct text change = {0};

	report_finding_change(finding, &change);
	text_add(out, "<h3 id=\"");
	html_anchor(view->section, finding, out);
	markup(out, "-title\">%s from %s to %s</h3>\n", text_string(&change),
	       finding->good, finding->bad);
}

static void add_kicker(const struct report_finding *finding, struct text *out)
{
	CLEANUP(text_finish) struct text scenarios = {0};
	CLEANUP(text_finish) struct text life = {0};

	report_finding_scenarios(finding, &scenarios);
	markup(out, "<p class=\"kicker\"><span class=\"stage\">%s</span> \xc2\xb7 %s",
	       report_stage_name(finding->stage), text_string(&scenarios));
	if (finding->record) {
		finding_words(finding->record, &life);
		markup(out, " \xc2\xb7 %s", text_string(&life));
	}
	text_add(out, "</p>\n");
}

static void add_fact(const char *name, const char *version, double value,
		     const char *unit, struct text *out)
{
	CLEANUP(text_finish) struct text shown = {0};

	format_value(&shown, value, unit);
	markup(out, "<li>%s %s <strong>%s</strong></li>\n", name, version,
	       text_string(&shown));
}

/* An exact one has no interval, or one of no width. */
static void add_interval(const struct verdict_record *worst, struct text *out)
{
	CLEANUP(text_finish) struct text low = {0};
	CLEANUP(text_finish) struct text high = {0};

	if (!(worst->ci_low_percent < worst->ci_high_percent))
		return;
	format_change(&low, worst->ci_low_percent);
	format_change(&high, worst->ci_high_percent);
	markup(out, "<span class=\"of\">%s to %s (95 %%)</span>", text_string(&low),
	       text_string(&high));
}

static void add_facts(const struct verdict_record *worst, struct text *out)
{
	CLEANUP(text_finish) struct text change = {0};

	format_change(&change, worst->change_percent);
	text_add(out, "<ul class=\"facts\">\n");
	add_fact("before:", worst->a.text, worst->a.median, worst->unit, out);
	add_fact("after:", worst->b.text, worst->b.median, worst->unit, out);
	markup(out, "<li class=\"change\">change <strong>%s</strong>",
	       text_string(&change));
	add_interval(worst, out);
	markup(out,
	       "</li>\n<li>boots, before and after <strong>%d and %d</strong></li>\n"
	       "</ul>\n",
	       worst->a.boots, worst->b.boots);
}

static void add_finding(const struct html_view *view, struct text *out)
{
	const struct report_finding *finding = view->finding;
	const struct verdict_record *worst = report_worst(finding);

	text_add(out, "<article id=\"");
	html_anchor(view->section, finding, out);
	markup(out, "\" class=\"%s\" aria-labelledby=\"", classes[finding->stage]);
	html_anchor(view->section, finding, out);
	text_add(out, "-title\">\n");
	add_kicker(finding, out);
	add_title(view, out);
	if (worst) {
		markup(out, "<p class=\"lead\">%s</p>\n", worst->sentence);
		add_facts(worst, out);
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		parts[i](view, out);
	text_add(out, "</article>\n");
}

void html_findings(const struct report_section *section, struct text *out)
{
	for (size_t i = 0; i < section->finding_count; i++) {
		const struct html_view view = {section, &section->findings[i]};

		add_finding(&view, out);
	}
}
