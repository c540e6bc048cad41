/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why it got slower: what the culprit executes otherwise than its parent. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/explanation.h"

enum { LISTED_CHANGES = 25 };

static void add_remarks(const struct table *table, struct text *out)
{
	for (size_t i = 0; i < table->remarks.count; i++)
		markup(out, "<p class=\"meta\">%s.</p>\n", table->remarks.items[i]);
}

static void add_changes(const struct explanation *explanation, struct text *out)
{
	CLEANUP(table_finish) struct table changes = {0};
	struct text_list none = {0};
	struct text_list remarks;

	explanation_changes(explanation, LISTED_CHANGES, &changes);
	remarks = changes.remarks;
	changes.remarks = none; /* they stand below the fold */
	if (table_rows(&changes)) {
		text_add(out, "<details><summary>Functions that changed</summary>\n");
		html_table(&changes, "Functions that changed", out);
		text_add(out, "</details>\n");
	}
	changes.remarks = remarks;
	add_remarks(&changes, out);
}

void html_explanation(const struct explanation *explanation, struct text *out)
{
	CLEANUP(table_finish) struct table costs = {0};
	CLEANUP(text_finish) struct text sentence = {0};

	explanation_sentence(explanation, &sentence);
	markup(out, "<p class=\"lead\">%s.</p>\n<p class=\"meta\">%s, ",
	       text_string(&sentence), explanation->scenario);
	html_case(explanation->case_label, out);
	markup(out, ": %s against %s</p>\n", explanation->b, explanation->a);
	if (explanation->functions.changed) {
		text_add(out, "<figure>\n<figcaption>Instructions for each operation, "
			      "more to the right and less to the left</figcaption>\n");
		plot_difference(&explanation->functions, out);
		text_add(out, "</figure>\n");
	}
	explanation_costs(explanation, &costs);
	html_table(&costs, "Costs of an operation", out);
	add_changes(explanation, out);
}
