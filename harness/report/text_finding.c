/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text_private.h"

#include "base/cleanup.h"
#include "report/explanation.h"
#include "report/format.h"
#include "report/headline.h"

#include <string.h>

enum { LISTED_CASES = 8, LISTED_SUSPECTS = 20, LISTED_FUNCTIONS = 5 };

#define LEAST_PROBABILITY 0.0005

static void add_value(struct table *table, double value, const char *unit)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_value(&cell, value, unit);
	table_add_cell(table, text_string(&cell));
}

static void add_case(struct table *table, const struct report_case *item)
{
	const struct verdict_record *verdict = item->verdict;
	CLEANUP(text_finish) struct text change = {0};

	table_add_cell(table, item->metric);
	table_add_cell(table, item->case_label);
	if (!verdict) {
		table_add_cell(table, "");
		table_add_cell(table, "");
		table_add_cell(table, "not judged");
		return;
	}
	add_value(table, verdict->a.median, verdict->unit);
	add_value(table, verdict->b.median, verdict->unit);
	format_change(&change, verdict->change_percent);
	table_add_cell(table, text_string(&change));
}

static void print_cases(const struct page *page, const struct report_finding *finding)
{
	size_t shown = finding->count < LISTED_CASES ? finding->count : LISTED_CASES;
	CLEANUP(table_finish) struct table table = {0};

	table_add_column(&table, "metric", 0);
	table_add_column(&table, "case", 0);
	table_add_column(&table, "before", 1);
	table_add_column(&table, "after", 1);
	table_add_column(&table, "change", 1);
	for (size_t i = 0; i < shown; i++)
		add_case(&table, &finding->cases[i]);
	text_blank(page);
	table_print(&table, TEXT_WIDTH, page->out);
	if (shown < finding->count)
		text_line(page, PAINT_NONE, 0, "... and %zu more with smaller changes",
			  finding->count - shown);
}

/* Where no commit could be named: those that hold most of the probability. */
static void print_suspects(const struct page *page, const struct search_record *record)
{
	size_t shown = 0;

	for (size_t i = 0; i < record->suspect_count && shown < LISTED_SUSPECTS; i++) {
		const struct suspect_record *item = &record->suspects[i];

		if (item->probability < LEAST_PROBABILITY)
			continue;
		text_line(page, PAINT_NONE, 4, "%.3f %.40s%s", item->probability,
			  item->commit, item->skipped ? " (cannot be tested)" : "");
		shown++;
	}
}

static void print_explanation(const struct page *page,
			      const struct explanation *explanation)
{
	CLEANUP(text_finish) struct text sentence = {0};
	CLEANUP(table_finish) struct table changes = {0};

	explanation_sentence(explanation, &sentence);
	text_line(page, PAINT_NONE, 2, "why: %s", text_string(&sentence));
	explanation_changes(explanation, LISTED_FUNCTIONS, &changes);
	if (table_rows(&changes))
		table_print(&changes, TEXT_WIDTH, page->out);
}

void text_search(const struct page *page, const struct report_search *search)
{
	const struct search_record *record = search->record;

	text_line(page, PAINT_NONE, 2, "search: %s, %zu measurements", record->status,
		  search->steps.count);
	if (search->culprit.count)
		text_line(page, PAINT_BOLD, 2, "culprit: %.12s %s",
			  search->culprit.items[0].id, search->culprit.items[0].subject);
	else if (*record->culprit)
		text_line(page, PAINT_BOLD, 2, "culprit: %.40s", record->culprit);
	else if (strcmp(record->status, "no-difference") != 0)
		print_suspects(page, record);
	for (size_t i = 0; i < search->explanation_count; i++)
		print_explanation(page, &search->explanations[i]);
}

void text_finding(const struct page *page, const struct report_finding *finding)
{
	const struct verdict_record *worst = report_worst(finding);
	int is_over = finding->stage == REPORT_RECOVERED || finding->stage == REPORT_OVER;
	CLEANUP(text_finish) struct text scenarios = {0};

	report_finding_scenarios(finding, &scenarios);
	text_line(page, is_over ? PAINT_GOOD : PAINT_BAD, 0,
		  "REGRESSION %s: %s to %s, %s", text_string(&scenarios), finding->good,
		  finding->bad, report_stage_name(finding->stage));
	if (worst)
		text_line(page, PAINT_NONE, 2, "%s: %s", worst->metric, worst->sentence);
	if (finding->search)
		text_search(page, finding->search);
	if (finding->config.count)
		text_line(page, PAINT_NONE, 2, "configuration: %zu of %zu symbols differ",
			  finding->config.count, finding->config.symbols);
	print_cases(page, finding);
	text_blank(page);
}
