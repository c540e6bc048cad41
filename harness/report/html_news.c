/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/format.h"
#include "report/headline.h"

static const char *const classes[REPORT_STAGES] = {
	[REPORT_OPENED] = "worse",     [REPORT_BISECTED] = "worse",
	[REPORT_RECOVERED] = "better", [REPORT_STILL_OPEN] = "quiet",
	[REPORT_OVER] = "quiet",
};

static void add_commit(const struct report_finding *finding, struct text *out)
{
	const struct commit_list *culprit;

	if (!finding->search)
		return;
	culprit = &finding->search->culprit;
	if (!culprit->count)
		return;
	text_add(out, "<span class=\"what\">");
	html_commit_id(culprit->items[0].id, out);
	markup(out, " %s</span>", culprit->items[0].subject);
}

static void add_amount(const struct report_finding *finding, struct text *out)
{
	const struct verdict_record *worst = report_worst(finding);
	CLEANUP(text_finish) struct text change = {0};

	if (!worst)
		return;
	format_change(&change, worst->change_percent);
	markup(out, "<span class=\"amount\">%s <strong>%s</strong></span>", worst->metric,
	       text_string(&change));
}

static void add_item(const struct report_section *section,
		     const struct report_finding *finding, struct text *out)
{
	CLEANUP(text_finish) struct text scenarios = {0};

	report_finding_scenarios(finding, &scenarios);
	markup(out, "<li><span class=\"tag %s\">%s</span>", classes[finding->stage],
	       report_stage_name(finding->stage));
	text_add(out, "<span class=\"where\"><a href=\"#");
	html_anchor(section, finding, out);
	markup(out, "\">%s</a> %s to %s</span>", text_string(&scenarios), finding->good,
	       finding->bad);
	add_amount(finding, out);
	add_commit(finding, out);
	text_add(out, "</li>\n");
}

static void add_stage(const struct report_model *model, enum report_stage stage,
		      struct text *out)
{
	for (size_t i = 0; i < model->section_count; i++)
		for (size_t j = 0; j < model->sections[i].finding_count; j++)
			if (model->sections[i].findings[j].stage == stage)
				add_item(&model->sections[i],
					 &model->sections[i].findings[j], out);
}

static size_t count_findings(const struct report_model *model)
{
	size_t count = 0;

	for (int stage = 0; stage < REPORT_STAGES; stage++)
		count += model->stages[stage];
	return count;
}

static void add_sizes(const struct report_model *model, struct text *out)
{
	text_add(out, "<ul class=\"sizes\">\n");
	for (size_t i = 0; i < model->section_count; i++) {
		const struct report_section *section = &model->sections[i];
		CLEANUP(text_finish) struct text title = {0};
		CLEANUP(text_finish) struct text size = {0};

		report_section_title(section, &title);
		report_section_size(section, &size);
		text_format(out, "<li><a href=\"#session-%lld\">",
			    (long long)section->session->id);
		markup(out, "%s</a>: %s</li>\n", text_string(&title), text_string(&size));
	}
	text_add(out, "</ul>\n");
}

void html_news(const struct report_model *model, struct text *out)
{
	if (!model->section_count)
		return;
	text_add(out, "<nav aria-label=\"What changed\">\n");
	if (count_findings(model)) {
		text_add(out, "<ol class=\"news\">\n");
		for (int stage = 0; stage < REPORT_STAGES; stage++)
			add_stage(model, (enum report_stage)stage, out);
		text_add(out, "</ol>\n");
	}
	add_sizes(model, out);
	text_add(out, "</nav>\n");
}
