/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/mail_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 16, MOST_VALUES = 64, NAME_WIDTH = 16 };

/* The boots of one column for one row. */
struct column {
	double values[MOST_VALUES];
	size_t count;
	double mean, deviation; /* of the mean in percent; NAN for less than two */
};

static void add_value(struct column *column, double value)
{
	if (column->count < MOST_VALUES)
		column->values[column->count++] = value;
}

static void from_boots(const struct boot_list *boots, const struct report_case *item,
		       struct column *column)
{
	for (size_t i = 0; i < boots->count; i++)
		for (size_t j = 0; j < boots->items[i].sample_count; j++) {
			const struct sample_record *sample = &boots->items[i].samples[j];

			if (!strcmp(sample->case_label, item->case_label) &&
			    !strcmp(sample->metric, item->metric))
				add_value(column, sample->value);
		}
}

static void from_results(const struct result_series *series, int version,
			 struct column *column)
{
	const struct result_value *values;
	size_t count = 0;

	if (!series || version == REPORT_NONE)
		return;
	values = results_of_version(series, (size_t)version, &count);
	for (size_t i = 0; i < count; i++)
		add_value(column, values[i].value);
}

static void summarise(struct column *column)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < column->count; i++)
		sum += column->values[i];
	column->mean = sum / (double)column->count;
	for (size_t i = 0; i < column->count; i++)
		squares += pow(column->values[i] - column->mean, 2);
	column->deviation = NAN;
	if (column->count > 1)
		column->deviation = 100 * sqrt(squares / (double)(column->count - 1)) /
				    fabs(column->mean);
}

/* Whether both commits were booted by the search itself. */
static int has_commits(const struct mail_draft *draft)
{
	const struct report_search *search = draft->finding->search;

	return search && search->parent.boots.count && search->child.boots.count;
}

static void add_mean(const struct column *column, double factor, struct text *out)
{
	CLEANUP(text_finish) struct text number = {0};

	format_number(&number, column->mean * factor);
	text_format(out, "%11s", text_string(&number));
	if (isfinite(column->deviation))
		text_format(out, " \xc2\xb1%3.0f%%", column->deviation);
	else
		text_add(out, "      ");
}

static void add_row(const struct mail_draft *draft, const struct report_case *item,
		    struct text *out)
{
	CLEANUP(text_finish) struct text name = {0};
	struct column good = {0}, bad = {0};
	const char *unit = item->verdict ? item->verdict->unit : item->series->unit;
	const char *scaled;
	double factor;

	if (has_commits(draft)) {
		from_boots(&draft->finding->search->parent.boots, item, &good);
		from_boots(&draft->finding->search->child.boots, item, &bad);
	} else {
		from_results(item->series, draft->finding->good_index, &good);
		from_results(item->series, draft->finding->bad_index, &bad);
	}
	if (!good.count || !bad.count)
		return;
	summarise(&good);
	summarise(&bad);
	scaled = format_scale(fmax(fabs(good.mean), fabs(bad.mean)), unit, &factor);
	add_mean(&good, factor, out);
	if (good.mean != 0)
		text_format(out, " %+8.1f%%",
			    100 * (bad.mean - good.mean) / fabs(good.mean));
	else
		text_format(out, " %9s", "");
	add_mean(&bad, factor, out);
	text_format(&name, "%s.%s%s%s %s", item->scenario, item->metric,
		    *scaled ? "." : "", scaled, item->case_label);
	text_add(out, "  ");
	utf8_add_plain_string(out, text_string(&name));
	text_add_char(out, '\n');
}

static void add_commit_line(const struct report_commit *commit, struct text *out)
{
	text_format(out, "  %.12s (\"", commit->id);
	utf8_add_plain_string(out,
			      commit->info.count ? commit->info.items[0].subject : "");
	text_add(out, "\")\n");
}

static void add_heads(const char *good, const char *bad, struct text *out)
{
	text_format(out,
		    "\n%*.*s %*.*s\n---------------- ---------------------------\n"
		    "         %%stddev     %%change         %%stddev\n"
		    "             \\          |                \\\n",
		    NAME_WIDTH, NAME_WIDTH, good, NAME_WIDTH + 11, NAME_WIDTH + 11, bad);
}

void mail_add_comparison(const struct mail_draft *draft, struct text *out)
{
	const struct report_finding *finding = draft->finding;
	const struct report_search *search = finding->search;

	if (has_commits(draft)) {
		CLEANUP(text_finish) struct text good = {0};
		CLEANUP(text_finish) struct text bad = {0};

		text_add(out, "commit:\n");
		add_commit_line(&search->parent, out);
		add_commit_line(&search->child, out);
		text_format(&good, "%.12s", search->parent.id);
		text_format(&bad, "%.12s", search->child.id);
		add_heads(text_string(&good), text_string(&bad), out);
	} else {
		CLEANUP(text_finish) struct text good = {0};
		CLEANUP(text_finish) struct text bad = {0};

		utf8_add_plain_string(&good, finding->good);
		utf8_add_plain_string(&bad, finding->bad);
		text_format(out, "version:\n  %s\n  %s\n", text_string(&good),
			    text_string(&bad));
		add_heads(text_string(&good), text_string(&bad), out);
	}
	for (size_t i = 0; i < finding->count && i < MOST_ROWS; i++)
		if (finding->cases[i].verdict || finding->cases[i].series)
			add_row(draft, &finding->cases[i], out);
	if (finding->count > MOST_ROWS)
		text_format(out, "  and %zu more with smaller changes\n",
			    finding->count - MOST_ROWS);
}
