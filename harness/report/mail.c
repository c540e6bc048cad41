/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/mail_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/explanation.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/reproduce.h"

#include <math.h>
#include <string.h>

enum {
	SUBJECT_BYTES = 160,
	WIDTH = 72,
	LISTED_SUSPECTS = 10,
	LISTED_SYMBOLS = 20,
	LISTED_FUNCTIONS = 8,
	TABLE_WIDTH = 78
};

#define LEAST_PROBABILITY 0.0005

static const struct commit_record *culprit_of(const struct report_finding *finding)
{
	return finding->search && finding->search->culprit.count
		       ? &finding->search->culprit.items[0]
		       : NULL;
}

static void add_subject(const struct mail_draft *draft, struct text *out)
{
	const struct commit_record *culprit = culprit_of(draft->finding);
	CLEANUP(text_finish) struct text subject = {0};
	CLEANUP(text_finish) struct text change = {0};
	CLEANUP(text_finish) struct text scenarios = {0};

	report_finding_change(draft->finding, &change);
	report_finding_scenarios(draft->finding, &scenarios);
	text_add(&subject, "[REGRESSION] ");
	if (culprit)
		utf8_add(&subject, culprit->subject,
			 strnlen(culprit->subject, SUBJECT_BYTES));
	else
		text_format(&subject, "%.60s between %.60s and %.60s",
			    text_string(&scenarios), draft->finding->good,
			    draft->finding->bad);
	text_format(&subject, ": %.80s", text_string(&change));
	mail_add_header("Subject", text_string(&subject), out);
}

/* X-Unsent: mail programs open such a file as a draft. */
static void add_headers(const struct mail_draft *draft, struct text *out)
{
	CLEANUP(mail_recipients_finish) struct mail_recipients recipients = {0};

	mail_choose_recipients(culprit_of(draft->finding), draft->maintainers,
			       &recipients);
	mail_add_list_header("To", &recipients.to, out);
	mail_add_list_header("Cc", &recipients.cc, out);
	add_subject(draft, out);
	text_add(out, "X-Unsent: 1\nMIME-Version: 1.0\n"
		      "Content-Type: text/plain; charset=UTF-8\n"
		      "Content-Transfer-Encoding: 8bit\n\n");
}

/* A paragraph, filled. */
static void add_paragraph(const char *string, struct text *out)
{
	size_t column = 0;

	while (*(string += strspn(string, " \n"))) {
		size_t length = strcspn(string, " \n");

		if (column)
			text_add_char(out, column + 1 + length > WIDTH ? '\n' : ' ');
		column = column && column + 1 + length <= WIDTH ? column + 1 + length
								: length;
		utf8_add_plain(out, string, length);
		string += length;
	}
	text_add(out, "\n\n");
}

/* Lines of somebody else's, each behind two blanks. */
static void add_indented(const char *string, struct text *out)
{
	while (*string) {
		size_t length = strcspn(string, "\n");

		text_add(out, length ? "  " : "");
		utf8_add_plain(out, string, length);
		text_add_char(out, '\n');
		string += length + (string[length] == '\n');
	}
}

static void add_opening(const struct mail_draft *draft, struct text *out)
{
	const struct report_finding *finding = draft->finding;
	const struct commit_record *culprit = culprit_of(finding);
	const struct verdict_record *worst = report_worst(finding);
	CLEANUP(text_finish) struct text text = {0};

	text_add(out, "Hello,\n\n");
	if (culprit) {
		add_paragraph("kregress, which measures kernels and searches for the "
			      "commit behind a change, found that this one makes a "
			      "workload worse:",
			      out);
		text_format(out, "  %.12s (\"", culprit->id);
		utf8_add_plain_string(out, culprit->subject);
		text_add(out, "\")\n\n");
	}
	text_format(&text, "Between %s and %s, ", finding->good, finding->bad);
	if (worst)
		text_format(&text, "%s of scenario %s%s%s changed: %s.", worst->metric,
			    worst->scenario, *worst->case_label ? ", case " : "",
			    worst->case_label, worst->sentence);
	else
		report_finding_scenarios(finding, &text);
	text_add(&text, worst ? "" : " regressed.");
	add_paragraph(text_string(&text), out);
}

static void add_shift(const struct verdict_record *worst, struct text *out)
{
	CLEANUP(text_finish) struct text low = {0};
	CLEANUP(text_finish) struct text high = {0};

	text_add(out, "Shift:     ");
	format_change(out, worst->change_percent);
	if (worst->ci_low_percent < worst->ci_high_percent) {
		format_change(&low, worst->ci_low_percent);
		format_change(&high, worst->ci_high_percent);
		text_format(out, ", 95 %% interval %s to %s", text_string(&low),
			    text_string(&high));
	} else {
		text_add(out, " of the medians");
	}
	text_format(out, "\nBoots:     %d before, %d after\n", worst->a.boots,
		    worst->b.boots);
}

static const struct suspect_record *find_suspect(const struct search_record *record,
						 const char *commit)
{
	for (size_t i = 0; i < record->suspect_count; i++)
		if (!strcmp(record->suspects[i].commit, commit))
			return &record->suspects[i];
	return NULL;
}

static void add_suspects(const struct search_record *record, struct text *out)
{
	size_t shown = 0;

	text_add(out, "The search left these commits:\n");
	for (size_t i = 0; i < record->suspect_count && shown < LISTED_SUSPECTS; i++) {
		const struct suspect_record *suspect = &record->suspects[i];

		if (suspect->probability < LEAST_PROBABILITY)
			continue;
		text_format(out, "  %.3f  ", suspect->probability);
		utf8_add_plain(out, suspect->commit, strnlen(suspect->commit, 40));
		text_add(out, suspect->skipped ? "  (cannot be tested)\n" : "\n");
		shown++;
	}
}

static void add_certainty(const struct report_search *search, struct text *out)
{
	const struct suspect_record *suspect;

	if (!search)
		return;
	suspect = find_suspect(search->record, search->record->culprit);
	text_format(out, "Search:    %s after ", search->record->status);
	format_count(out, search->steps.count, "measurement");
	text_add_char(out, '\n');
	if (suspect)
		text_format(out, "Posterior: %.3f for this commit\n",
			    suspect->probability);
	else if (search->record->suspect_count)
		add_suspects(search->record, out);
}

/* What the culprit executes otherwise than its parent. */
static void add_explanations(const struct report_search *search, struct text *out)
{
	for (size_t i = 0; search && i < search->explanation_count; i++) {
		CLEANUP(text_finish) struct text sentence = {0};
		CLEANUP(table_finish) struct table changes = {0};

		explanation_sentence(&search->explanations[i], &sentence);
		text_add_char(&sentence, '.');
		add_paragraph(text_string(&sentence), out);
		explanation_changes(&search->explanations[i], LISTED_FUNCTIONS, &changes);
		if (!table_rows(&changes))
			continue;
		table_print(&changes, TABLE_WIDTH, out);
		text_add_char(out, '\n');
	}
}

static void add_figures(const struct mail_draft *draft, struct text *out)
{
	const struct verdict_record *worst = report_worst(draft->finding);

	mail_add_comparison(draft, out);
	text_add_char(out, '\n');
	if (worst)
		add_shift(worst, out);
	add_certainty(draft->finding->search, out);
	text_add_char(out, '\n');
	add_explanations(draft->finding->search, out);
	add_paragraph(format_limits(draft->section->session->lab), out);
}

static void add_config(const struct report_config *config, struct text *out)
{
	if (!config->symbols)
		return;
	if (!config->count) {
		text_format(out,
			    "Both kernels have the same resolved configuration (%zu "
			    "symbols).\n\n",
			    config->symbols);
		return;
	}
	text_format(out, "%zu of %zu configuration symbols differ:\n", config->count,
		    config->symbols);
	for (size_t i = 0; i < config->count && i < LISTED_SYMBOLS; i++) {
		const struct report_config_change *item = &config->changes[i];

		text_format(out, "  %s: %s to %s\n", item->symbol,
			    *item->good ? item->good : "not set",
			    *item->bad ? item->bad : "not set");
	}
	if (config->count > LISTED_SYMBOLS)
		text_format(out, "  and %zu more\n", config->count - LISTED_SYMBOLS);
	text_add_char(out, '\n');
}

static void add_reproducer(const struct mail_draft *draft, struct text *out)
{
	CLEANUP(text_finish) struct text command = {0};

	if (!draft->finding->count)
		return;
	text_add(out, "To reproduce:\n");
	reproduce_comparison(draft->section, draft->finding, &command);
	text_add_char(&command, '\n');
	reproduce_search(draft->section, draft->finding, &command);
	add_indented(text_string(&command), out);
	text_add_char(out, '\n');
}

/* For the bot that follows regressions, and for people with git. */
static void add_end(const struct mail_draft *draft, struct text *out)
{
	const struct commit_record *culprit = culprit_of(draft->finding);
	const struct report_search *search = draft->finding->search;

	if (culprit)
		text_format(out, "#regzbot introduced: %.12s\n\n", culprit->id);
	if (search && *search->bisect_log)
		text_format(out, "git bisect log:\n%s", search->bisect_log);
}

void mail_write(const struct mail_draft *draft, struct text *out)
{
	add_headers(draft, out);
	add_opening(draft, out);
	add_figures(draft, out);
	add_config(&draft->finding->config, out);
	add_reproducer(draft, out);
	add_end(draft, out);
}

const struct report_writer report_writer_mail = {
	.name = "mail",
	.extension = "eml",
	.summary = "a draft for the mailing list; nothing is sent",
	.write_draft = mail_write,
};
