/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For issue trackers. All that others wrote stands in code spans and code blocks, whose
 * fences are longer than any run of their own within, so that nothing in it becomes a
 * link, a mention or an element.
 */
#include "report/report.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/explanation.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/reproduce.h"

#include <string.h>

enum { LISTED_CASES = 12, LISTED_FAILURES = 30, LISTED_FUNCTIONS = 8, TABLE_WIDTH = 100 };

static size_t longest_run(const char *string)
{
	size_t longest = 0;

	for (; *string; string++) {
		size_t run = strspn(string, "`");

		longest = run > longest ? run : longest;
	}
	return longest;
}

static void add_fence(size_t length, struct text *out)
{
	for (size_t i = 0; i < length; i++)
		text_add_char(out, '`');
}

/* One line; in a table a bar would end the cell. */
static void add_code(const char *string, struct text *out)
{
	CLEANUP(text_finish) struct text plain = {0};
	size_t fence;

	utf8_add_plain_string(&plain, string);
	if (!plain.size)
		return;
	fence = longest_run(plain.data) + 1;
	add_fence(fence, out);
	text_add(out, fence > 1 ? " " : "");
	for (const char *c = plain.data; *c; c++) {
		text_add(out, *c == '|' ? "\\" : "");
		text_add_char(out, *c == '\n' || *c == '\t' ? ' ' : *c);
	}
	text_add(out, fence > 1 ? " " : "");
	add_fence(fence, out);
}

static void add_block(const char *language, const char *string, struct text *out)
{
	size_t fence = longest_run(string) < 3 ? 3 : longest_run(string) + 1;

	add_fence(fence, out);
	text_format(out, "%s\n", language);
	while (*string) {
		size_t length = strcspn(string, "\n");

		utf8_add_plain(out, string, length);
		text_add_char(out, '\n');
		string += length + (string[length] == '\n');
	}
	add_fence(fence, out);
	text_add(out, "\n\n");
}

static void add_news_row(const struct report_finding *finding, struct text *out)
{
	const struct report_search *search = finding->search;
	CLEANUP(text_finish) struct text change = {0};
	CLEANUP(text_finish) struct text scenarios = {0};

	report_finding_change(finding, &change);
	report_finding_scenarios(finding, &scenarios);
	text_format(out, "| %s | ", report_stage_name(finding->stage));
	add_code(text_string(&scenarios), out);
	text_add(out, " | ");
	add_code(finding->good, out);
	text_add(out, " to ");
	add_code(finding->bad, out);
	text_add(out, " | ");
	add_code(text_string(&change), out);
	text_add(out, " | ");
	if (search && search->culprit.count) {
		text_format(out, "%.12s ", search->culprit.items[0].id);
		add_code(search->culprit.items[0].subject, out);
	}
	text_add(out, " |\n");
}

static void add_news(const struct report_model *model, struct text *out)
{
	size_t count = 0;

	for (size_t i = 0; i < model->section_count; i++)
		count += model->sections[i].finding_count;
	if (!count)
		return;
	text_add(out, "| state | scenario | between | change | commit |\n"
		      "| --- | --- | --- | ---: | --- |\n");
	for (int stage = 0; stage < REPORT_STAGES; stage++)
		for (size_t i = 0; i < model->section_count; i++)
			for (size_t j = 0; j < model->sections[i].finding_count; j++)
				if (model->sections[i].findings[j].stage ==
				    (enum report_stage)stage)
					add_news_row(&model->sections[i].findings[j],
						     out);
	text_add_char(out, '\n');
}

static void add_case(const struct report_case *item, struct text *out)
{
	const struct verdict_record *verdict = item->verdict;

	text_add(out, "| ");
	add_code(item->scenario, out);
	text_add(out, " | ");
	add_code(item->metric, out);
	text_add(out, " | ");
	add_code(item->case_label, out);
	text_add(out, " | ");
	if (verdict) {
		format_value(out, verdict->a.median, verdict->unit);
		text_add(out, " | ");
		format_value(out, verdict->b.median, verdict->unit);
		text_add(out, " | ");
		format_change(out, verdict->change_percent);
	} else {
		text_add(out, " | | not judged");
	}
	text_add(out, " |\n");
}

static void add_cases(const struct report_finding *finding, struct text *out)
{
	size_t shown = finding->count < LISTED_CASES ? finding->count : LISTED_CASES;

	text_add(out, "| scenario | metric | case | before | after | change |\n"
		      "| --- | --- | --- | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < shown; i++)
		add_case(&finding->cases[i], out);
	text_add_char(out, '\n');
	if (shown < finding->count)
		text_format(out, "%zu more with smaller changes.\n\n",
			    finding->count - shown);
}

/* What the culprit executes otherwise than its parent. */
static void add_explanation(const struct explanation *explanation, struct text *out)
{
	CLEANUP(text_finish) struct text sentence = {0};
	CLEANUP(text_finish) struct text shown = {0};
	CLEANUP(table_finish) struct table changes = {0};

	explanation_sentence(explanation, &sentence);
	add_code(text_string(&sentence), out);
	text_add(out, "\n\n");
	explanation_changes(explanation, LISTED_FUNCTIONS, &changes);
	if (!table_rows(&changes))
		return;
	table_print(&changes, TABLE_WIDTH, &shown);
	add_block("", text_string(&shown), out);
}

static void add_commit(const struct commit_record *commit, struct text *out)
{
	text_format(out, "Commit %.40s ", commit->id);
	add_code(commit->subject, out);
	text_add(out, " by ");
	add_code(commit->author, out);
	text_add(out, ":\n\n");
	add_block("", commit->message, out);
	add_block("", commit->changes, out);
}

static void add_search(const struct report_search *search, struct text *out)
{
	text_format(out, "Search: %s, ", search->record->status);
	format_count(out, search->steps.count, "measurement");
	if (*search->reason) {
		text_add(out, ", ");
		add_code(search->reason, out);
	}
	text_add(out, "\n\n");
	if (search->culprit.count)
		add_commit(search->culprit.items, out);
	else if (*search->record->culprit)
		text_format(out, "Commit %.40s\n\n", search->record->culprit);
	for (size_t i = 0; i < search->explanation_count; i++)
		add_explanation(&search->explanations[i], out);
}

static void add_commands(const struct report_section *section,
			 const struct report_finding *finding, struct text *out)
{
	CLEANUP(text_finish) struct text commands = {0};

	if (!finding->count)
		return;
	reproduce_comparison(section, finding, &commands);
	text_add_char(&commands, '\n');
	reproduce_search(section, finding, &commands);
	text_add(out, "To reproduce:\n\n");
	add_block("sh", text_string(&commands), out);
}

static void add_finding(const struct report_section *section,
			const struct report_finding *finding, struct text *out)
{
	const struct verdict_record *worst = report_worst(finding);
	CLEANUP(text_finish) struct text scenarios = {0};

	report_finding_scenarios(finding, &scenarios);
	text_add(out, "## ");
	add_code(text_string(&scenarios), out);
	text_add(out, ": ");
	add_code(finding->good, out);
	text_add(out, " to ");
	add_code(finding->bad, out);
	text_add(out, "\n\n");
	if (worst) {
		add_code(worst->sentence, out);
		text_add(out, "\n\n");
	}
	add_cases(finding, out);
	if (finding->search)
		add_search(finding->search, out);
	if (finding->config.symbols)
		text_format(out, "Configuration: %zu of %zu symbols differ.\n\n",
			    finding->config.count, finding->config.symbols);
	add_commands(section, finding, out);
}

static void add_failures(const struct report_section *section, struct text *out)
{
	const struct failure_list *failures = &section->failures;

	if (!failures->count)
		return;
	text_add(out, "Left out:\n\n");
	for (size_t i = 0; i < failures->count && i < LISTED_FAILURES; i++) {
		const struct failure_record *item = &failures->items[i];

		text_add(out, "- ");
		add_code(item->version, out);
		text_add_char(out, ' ');
		add_code(item->scenario, out);
		text_format(out, " %s: ", item->outcome);
		add_code(item->detail, out);
		text_add_char(out, '\n');
	}
	if (failures->count > LISTED_FAILURES)
		text_format(out, "- %zu more\n", failures->count - LISTED_FAILURES);
	text_add_char(out, '\n');
}

static void add_section(const struct report_section *section, struct text *out)
{
	CLEANUP(text_finish) struct text title = {0};
	CLEANUP(text_finish) struct text size = {0};

	report_section_title(section, &title);
	text_add(out, "## Measured: ");
	add_code(text_string(&title), out);
	text_add(out, "\n\n");
	report_section_size(section, &size);
	add_code(text_string(&size), out);
	text_add(out, "\n\n");
	add_failures(section, out);
	text_format(out, "%s\n\n", format_limits(section->session->lab));
}

/* Searches that belong to no finding. */
static void add_searches(const struct report_model *model, struct text *out)
{
	for (size_t i = model->search_records.count; i > 0; i--) {
		const struct report_search *search = &model->searches[i - 1];

		if (!search->listed)
			continue;
		text_add(out, "## Search\n\n");
		if (search->command)
			add_block("sh", search->command, out);
		add_search(search, out);
	}
}

static void write_markdown(const struct report_model *model, struct text *out)
{
	text_add(out, "# kregress: ");
	report_headline(model, out);
	text_add(out, "\n\n");
	add_news(model, out);
	for (size_t i = 0; i < model->section_count; i++)
		for (size_t j = 0; j < model->sections[i].finding_count; j++)
			add_finding(&model->sections[i], &model->sections[i].findings[j],
				    out);
	for (size_t i = 0; i < model->section_count; i++)
		add_section(&model->sections[i], out);
	add_searches(model, out);
}

const struct report_writer report_writer_markdown = {
	.name = "markdown",
	.extension = "md",
	.summary = "for issue trackers",
	.write = write_markdown,
};
