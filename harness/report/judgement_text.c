/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/judgement_text.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Characters, not bytes: continuation bytes take no place. */
static size_t width_of(const char *string)
{
	size_t width = 0;

	for (; *string; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}

static void add_padded(struct text *text, const char *string, size_t width)
{
	size_t have = width_of(string);

	utf8_add_plain_string(text, string);
	for (; have < width; have++)
		text_add_char(text, ' ');
}

static int same_subject(const struct series_name *a, const struct series_name *b)
{
	return !strcmp(a->scenario, b->scenario) && !strcmp(a->case_label, b->case_label);
}

static void add_subject(struct text *text, const struct series_name *name)
{
	if (text->size)
		text_add_char(text, '\n');
	utf8_add_plain_string(text, name->scenario);
	if (*name->case_label) {
		text_add(text, "  ");
		utf8_add_plain_string(text, name->case_label);
	}
	text_add_char(text, '\n');
}

static void add_value(struct text *text, double value)
{
	if (isnan(value))
		text_format(text, " %12s", "-");
	else
		text_format(text, " %12.6g", value);
}

static void add_change(struct text *text, double percent)
{
	if (isnan(percent))
		text_format(text, " %10s", "-");
	else
		text_format(text, " %+8.2f %%", percent);
}

/* "same" needs no explanation; all else gets its sentence. */
static void add_row(struct text *text, const struct comparison *c, size_t width)
{
	char sentence[COMPARISON_SENTENCE_SIZE];
	CLEANUP(text_finish) struct text pair = {0};
	CLEANUP(text_finish) struct text metric = {0};

	text_format(&pair, "%s -> %s", c->a_version, c->b_version);
	text_format(&metric, "%s %s", c->name.metric, c->name.unit);
	text_add(text, "  ");
	add_padded(text, pair.data, width);
	text_add(text, "  ");
	add_padded(text, metric.data, 20);
	add_value(text, c->a.median);
	add_value(text, c->b.median);
	add_change(text, c->change_percent);
	text_format(text, "  %s%s\n", verdict_name(c->verdict),
		    c->role == ROLE_BASELINE ? " (against the best known)" : "");
	if (c->verdict == VERDICT_SAME)
		return;
	comparison_sentence(c, sentence);
	text_add(text, "      ");
	utf8_add_plain_string(text, sentence);
	text_add_char(text, '\n');
}

static size_t pair_width(const struct comparisons *comparisons)
{
	size_t width = 8;

	for (size_t i = 0; i < comparisons->count; i++) {
		const struct comparison *c = &comparisons->items[i];
		size_t needed = width_of(c->a_version) + width_of(c->b_version) + 4;

		if (needed > width)
			width = needed;
	}
	return width < 60 ? width : 60;
}

static int is_noun(int verdict)
{
	return verdict == VERDICT_REGRESSION || verdict == VERDICT_IMPROVEMENT;
}

static void add_summary(struct text *text, const struct comparisons *comparisons)
{
	size_t counts[VERDICT_COUNT] = {0};

	for (size_t i = 0; i < comparisons->count; i++)
		counts[comparisons->items[i].verdict]++;
	text_format(text, "\n%zu comparison%s", comparisons->count,
		    comparisons->count == 1 ? "" : "s");
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
		if (counts[verdict])
			text_format(text, ", %zu %s%s", counts[verdict],
				    verdict_name(verdict),
				    counts[verdict] > 1 && is_noun(verdict) ? "s" : "");
	text_add_char(text, '\n');
}

void comparisons_text(const struct comparisons *comparisons, struct text *text)
{
	size_t width = pair_width(comparisons);
	const struct series_name *last = NULL;

	for (size_t i = 0; i < comparisons->count; i++) {
		const struct comparison *c = &comparisons->items[i];

		if (!last || !same_subject(last, &c->name))
			add_subject(text, &c->name);
		last = &c->name;
		add_row(text, c, width);
	}
	add_summary(text, comparisons);
}

static const char *version_at(const struct measurements *measurements,
			      const struct series *series, size_t index)
{
	return measurements->versions[series->levels[index].version];
}

static void add_trend(struct text *text, const struct trend *trend)
{
	if (!trend->found)
		return;
	text_format(text, "    slowly getting %s at the newest level",
		    trend->worse ? "worse" : "better");
	if (!isnan(trend->change_percent))
		text_format(text, ": %+.1f %% between its halves", trend->change_percent);
	text_format(text, " (p %.2g)\n", trend->p);
}

void history_text(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *text)
{
	if (text->size)
		text_add_char(text, '\n');
	utf8_add_plain_string(text, series->name.scenario);
	text_add(text, "  ");
	utf8_add_plain_string(text, series->name.case_label);
	text_add(text, "  ");
	utf8_add_plain_string(text, series->name.metric);
	text_format(text, ": %zu versions, %zu change%s, %zu outlier%s\n", series->count,
		    history->change_count, history->change_count == 1 ? "" : "s",
		    history->outlier_count, history->outlier_count == 1 ? "" : "s");
	for (size_t i = 0; i < history->change_count; i++) {
		const struct change_point *change = &history->changes[i];

		text_add(text, "    ");
		add_padded(text, version_at(measurements, series, change->index), 24);
		add_value(text, change->before);
		text_add(text, " ->");
		add_value(text, change->after);
		add_change(text, change->change_percent);
		text_format(text, "  %s\n", change->worse ? "regression" : "improvement");
	}
	for (size_t i = 0; i < history->outlier_count; i++) {
		text_add(text, "    outlier ");
		utf8_add_plain_string(
			text, version_at(measurements, series, history->outliers[i]));
		text_add_char(text, '\n');
	}
	add_trend(text, &history->trend);
}
