/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/explanation.h"
#include "report/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_SUSPECTS = 12, LISTED_STEPS = 200, VALUES_IN_CELL = 6 };

#define LEAST_PROBABILITY 0.0005

/* What a status means to somebody who has not read the manual. */
static const struct {
	const char *status, *words;
} statuses[] = {
	{"confirmed", "Commit found"},
	{"set", "One of these commits"},
	{"no-difference", "No difference between the ends"},
	{"aborted", "Search ended without an answer"},
	{"running", "Search under way"},
};

static const char *words_for(const char *status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
		if (!strcmp(statuses[i].status, status))
			return statuses[i].words;
	return status;
}

static int by_probability(const void *left, const void *right)
{
	const struct suspect_record *a = *(const struct suspect_record *const *)left;
	const struct suspect_record *b = *(const struct suspect_record *const *)right;

	return (a->probability < b->probability) - (a->probability > b->probability);
}

static void add_suspect(const struct suspect_record *suspect, struct text *out)
{
	markup(out, "<tr><th scope=\"row\"><code>%s</code></th>", suspect->commit);
	text_format(out, "<td class=\"num\">%.3f</td><td>%s</td></tr>\n",
		    suspect->probability,
		    suspect->tested    ? "measured"
		    : suspect->skipped ? "cannot be tested"
				       : "by its neighbours");
}

static void add_suspects(const struct search_record *search, struct text *out)
{
	static const char *const titles[] = {"commit", "#probability", "evidence", NULL};
	CLEANUP(cleanup_free)
	const struct suspect_record **order =
		memory_new(search->suspect_count, sizeof(*order));

	for (size_t i = 0; i < search->suspect_count; i++)
		order[i] = &search->suspects[i];
	qsort(order, search->suspect_count, sizeof(*order), by_probability);
	html_table_begin("Suspects", titles, out);
	for (size_t i = 0; i < search->suspect_count && i < LISTED_SUSPECTS; i++)
		if (order[i]->probability >= LEAST_PROBABILITY)
			add_suspect(order[i], out);
	html_table_end(out);
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
	text_add(out, "<tr><th scope=\"row\">");
	html_commit_id(step->commit, out);
	markup(out, "</th><td>%s</td><td>%s</td><td class=\"num\">", step->purpose,
	       step->outcome);
	add_values(step, out);
	text_add(out, "</td><td class=\"num\">");
	format_duration(out, step->build_seconds + step->seconds);
	markup(out, "</td><td>%s</td></tr>\n", step->detail);
}

static void add_steps(const struct step_list *steps, struct text *out)
{
	static const char *const titles[] = {"commit", "purpose", "outcome", "#values",
					     "#time",  "detail",  NULL};

	markup(out, "<details><summary>%zu measurements</summary>", steps->count);
	html_table_begin("Measurements of the search", titles, out);
	for (size_t i = 0; i < steps->count && i < LISTED_STEPS; i++)
		add_step(&steps->items[i], out);
	html_table_end(out);
	if (steps->count > LISTED_STEPS)
		markup(out, "<p class=\"meta\">%zu more are left out.</p>\n",
		       steps->count - LISTED_STEPS);
	text_add(out, "</details>\n");
}

static size_t count_suspects(const struct search_record *record)
{
	size_t count = 0;

	for (size_t i = 0; i < record->suspect_count; i++)
		count += record->suspects[i].probability >= LEAST_PROBABILITY;
	return count;
}

/* What a search left that did not get far: all commits alike. */
static int is_flat(const struct search_record *record)
{
	double highest = 0;

	for (size_t i = 0; i < record->suspect_count; i++)
		highest = fmax(highest, record->suspects[i].probability);
	return highest * (double)record->suspect_count < 1.5 && record->suspect_count > 1;
}

/* Where the ends are alike nobody is suspected; one alone needs no picture. */
static void add_posterior(const struct search_record *record, struct text *out)
{
	if (!record->suspect_count || !strcmp(record->status, "no-difference") ||
	    is_flat(record))
		return;
	if (count_suspects(record) == 1) {
		text_add(out, "<p>All of the probability is on this commit.</p>\n");
		return;
	}
	text_add(out, "<figure>\n<figcaption>Probability of each commit of the "
		      "range, oldest to newest</figcaption>\n");
	plot_posterior(record, out);
	text_add(out, "</figure>\n");
	add_suspects(record, out);
}

static void add_evidence(const struct report_search *search, struct text *out)
{
	const struct search_record *record = search->record;

	add_posterior(record, out);
	if (search->steps.count)
		add_steps(&search->steps, out);
	if (*record->result)
		markup(out,
		       "<details><summary>Result as JSON</summary><pre>%s</pre>"
		       "</details>\n",
		       record->result);
}

static void add_explanations(const struct report_search *search, int level,
			     struct text *out)
{
	for (size_t i = 0; i < search->explanation_count; i++) {
		if (!i)
			text_format(out, "<h%d>Why</h%d>\n", level, level);
		html_explanation(&search->explanations[i], out);
	}
}

void html_search(const struct report_search *search, int level, struct text *out)
{
	const struct search_record *record = search->record;

	text_format(out, "<h%d>", level);
	markup(out, "%s</h", words_for(record->status));
	text_format(out, "%d>\n", level);
	if (search->culprit.count)
		html_commit(search->culprit.items, out);
	else if (*record->culprit)
		markup(out, "<p>Culprit: <code>%s</code></p>\n", record->culprit);
	if (*search->reason)
		markup(out, "<p>%s</p>\n", search->reason);
	text_add(out, "<p class=\"meta\">begun ");
	html_time(record->started, out);
	text_add(out, ", ");
	format_count(out, search->steps.count, "measurement");
	text_add(out, "</p>\n");
	if (search->command)
		markup(out, "<pre>%s</pre>\n", search->command);
	add_explanations(search, level + 1, out);
	add_evidence(search, out);
}
