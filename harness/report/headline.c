/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/headline.h"

#include "report/format.h"

#include <string.h>

static void searches_headline(const struct report_model *model, struct text *out)
{
	size_t found = 0;

	for (size_t i = 0; i < model->search_records.count; i++)
		found += *model->search_records.items[i].culprit != '\0';
	text_format(out, "%zu search%s, ", model->search_records.count,
		    model->search_records.count == 1 ? "" : "es");
	format_count(out, found, "commit");
	text_add(out, " found");
}

void report_headline(const struct report_model *model, struct text *out)
{
	size_t opened = model->stages[REPORT_OPENED];
	size_t open = model->stages[REPORT_BISECTED] + model->stages[REPORT_STILL_OPEN];
	size_t recovered = model->stages[REPORT_RECOVERED];

	if (!model->section_count && !model->search_records.count) {
		text_add(out, "Nothing was measured yet");
		return;
	}
	if (!model->section_count) {
		searches_headline(model, out);
		return;
	}
	if (opened)
		format_count(out, opened, "new regression");
	else
		text_add(out, "No new regression");
	if (open)
		text_format(out, ", %zu still open", open);
	if (recovered)
		text_format(out, ", %zu recovered", recovered);
}

/* Of tonight, each metric of each case once for a pair of versions. */
static size_t count_verdicts(const struct report_section *section, const char *verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *item = &section->changes.items[i];

		count += item->session == section->session->id && report_is_news(item) &&
			 !strcmp(item->verdict, verdict);
	}
	return count;
}

void report_section_size(const struct report_section *section, struct text *out)
{
	size_t improved = count_verdicts(section, "improvement");
	size_t open = count_verdicts(section, "inconclusive");

	format_count(out, section->results.versions.count, "version");
	text_add(out, ", ");
	format_count(out, (uint64_t)section->verdict_count, "comparison");
	if (improved)
		text_format(out, ", %zu improved", improved);
	if (open)
		text_format(out, ", %zu undecided", open);
	if (section->failures.count)
		text_format(out, ", %zu left out", section->failures.count);
	if (section->is_cut_short)
		text_format(out, "; the session was cut short%s%s",
			    *section->session->reason ? ": " : "",
			    section->session->reason);
}

void report_section_title(const struct report_section *section, struct text *out)
{
	const struct version_list *versions = &section->results.versions;

	text_add(out, versions->items[0].text);
	if (versions->count > 1)
		text_format(out, " to %s", versions->items[versions->count - 1].text);
}

void report_finding_scenarios(const struct report_finding *finding, struct text *out)
{
	for (size_t i = 0; i < finding->count; i++)
		if (report_brings_scenario(finding, i))
			text_format(out, "%s%s", i ? ", " : "",
				    finding->cases[i].scenario);
}

void report_finding_change(const struct report_finding *finding, struct text *out)
{
	const struct verdict_record *worst = report_worst(finding);

	if (!worst) {
		text_add(out, finding->count ? finding->cases[0].metric : "regression");
		return;
	}
	text_format(out, "%s ", worst->metric);
	format_change(out, worst->change_percent);
}
