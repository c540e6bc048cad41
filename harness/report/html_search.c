/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/memory.h"
#include "report/format.h"

#include <stdlib.h>
#include <string.h>

enum { LISTED_SUSPECTS = 12, LISTED_STEPS = 200, VALUES_IN_CELL = 6 };

static void add_culprit(const struct report_search *search, struct text *out)
{
	const struct commit_record *commit = search->culprit.items;

	if (!search->culprit.count) {
		if (*search->record->culprit)
			markup(out, "<p>Culprit: <code>%s</code></p>\n",
			       search->record->culprit);
		return;
	}
	markup(out, "<p>Culprit: <code>%s</code> <strong>%s</strong></p>\n", commit->id,
	       commit->subject);
	markup(out, "<p class=\"meta\">%s, ", commit->author);
	html_time(commit->committed, out);
	markup(out, "</p>\n<pre>%s</pre>\n", commit->message);
	if (*commit->changes)
		markup(out, "<pre>%s</pre>\n", commit->changes);
}

static int by_probability(const void *left, const void *right)
{
	const struct suspect_record *a = *(const struct suspect_record *const *)left;
	const struct suspect_record *b = *(const struct suspect_record *const *)right;

	return (a->probability < b->probability) - (a->probability > b->probability);
}

static void add_suspects(const struct search_record *search, struct text *out)
{
	const struct suspect_record **order =
		memory_new(search->suspect_count, sizeof(*order));
	size_t shown = search->suspect_count < LISTED_SUSPECTS ? search->suspect_count
							       : LISTED_SUSPECTS;

	for (size_t i = 0; i < search->suspect_count; i++)
		order[i] = &search->suspects[i];
	qsort(order, search->suspect_count, sizeof(*order), by_probability);
	text_add(out, "<div class=\"scroll\"><table><thead><tr><th>commit</th>"
		      "<th class=\"num\">probability</th><th>evidence</th></tr></thead>"
		      "<tbody>\n");
	for (size_t i = 0; i < shown && order[i]->probability >= 0.0005; i++) {
		markup(out, "<tr><td><code>%s</code></td>", order[i]->commit);
		text_format(out, "<td class=\"num\">%.3f</td><td>%s</td></tr>\n",
			    order[i]->probability,
			    order[i]->tested    ? "measured"
			    : order[i]->skipped ? "cannot be tested"
						: "by its neighbours");
	}
	text_add(out, "</tbody></table></div>\n");
	free(order);
}

static void add_values(const struct step_record *step, struct text *out)
{
	size_t shown =
		step->value_count < VALUES_IN_CELL ? step->value_count : VALUES_IN_CELL;

	for (size_t i = 0; i < shown; i++) {
		text_add(out, i ? " " : "");
		format_number(out, step->values[i]);
	}
	if (shown < step->value_count)
		text_add(out, " ...");
}

static void add_step(const struct step_record *step, struct text *out)
{
	markup(out,
	       "<tr><td><code>%s</code></td><td>%s</td><td>%s</td>"
	       "<td class=\"num\">",
	       step->commit, step->purpose, step->outcome);
	add_values(step, out);
	text_add(out, "</td><td class=\"num\">");
	format_duration(out, step->build_seconds + step->seconds);
	markup(out, "</td><td>%s</td></tr>\n", step->detail);
}

static void add_steps(const struct step_list *steps, struct text *out)
{
	markup(out,
	       "<details><summary>%zu measurements</summary><div class=\"scroll\"><table>"
	       "<thead><tr><th>commit</th><th>purpose</th><th>outcome</th>"
	       "<th class=\"num\">values</th><th class=\"num\">time</th><th>detail</th>"
	       "</tr></thead><tbody>\n",
	       steps->count);
	for (size_t i = 0; i < steps->count && i < LISTED_STEPS; i++)
		add_step(&steps->items[i], out);
	text_add(out, "</tbody></table></div></details>\n");
}

void html_search(const struct report_search *search, int level, struct text *out)
{
	const struct search_record *record = search->record;

	text_format(out, "<h%d>Search: ", level);
	markup(out, "<span class=\"tag\">%s</span></h", record->status);
	text_format(out, "%d>\n", level);
	if (search->command)
		markup(out, "<pre>%s</pre>\n", search->command);
	text_add(out, "<p class=\"meta\">begun ");
	html_time(record->started, out);
	markup(out, ", %zu measurements</p>\n", search->steps.count);
	add_culprit(search, out);
	/* Where the ends are alike nobody is suspected. */
	if (record->suspect_count && strcmp(record->status, "no-difference") != 0) {
		if (record->suspect_count > 1)
			plot_posterior(record, out);
		add_suspects(record, out);
	}
	if (search->steps.count)
		add_steps(&search->steps, out);
	if (*record->result)
		markup(out,
		       "<details><summary>Result as JSON</summary><pre>%s</pre>"
		       "</details>\n",
		       record->result);
}
