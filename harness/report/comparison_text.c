/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/comparison_text.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "report/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	GROUP_ROWS = 3, /* of a group that are printed */
	METRIC_WIDTH = 16,
	VALUE_WIDTH = 14,
};

static const char *const colours[VERDICT_COUNT] = {
	[VERDICT_SAME] = "",
	[VERDICT_REGRESSION] = "\033[1;31m",
	[VERDICT_IMPROVEMENT] = "\033[32m",
	[VERDICT_INCONCLUSIVE] = "\033[33m",
	[VERDICT_NOT_COMPARABLE] = "\033[35m",
};

static const char *const plurals[VERDICT_COUNT] = {
	[VERDICT_SAME] = "the same",
	[VERDICT_REGRESSION] = "regressed",
	[VERDICT_IMPROVEMENT] = "improved",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_NOT_COMPARABLE] = "not comparable",
};

int comparison_text_colour(int fd)
{
	const char *no_colour = getenv("NO_COLOR");

	return isatty(fd) && !(no_colour && *no_colour);
}

/*
 * That a level stays worse than the best is no news; only a loss in small steps shows
 * nowhere else.
 */
static int is_news(const struct comparison *comparison)
{
	return comparison->verdict != VERDICT_SAME &&
	       (comparison->role != ROLE_BASELINE ||
		comparison_has(comparison, REASON_GRADUAL));
}

/* Rows that are told together: what one scenario shows between two versions. */
static int same_group(const struct comparison *a, const struct comparison *b)
{
	return a->verdict == b->verdict && !strcmp(a->name.scenario, b->name.scenario) &&
	       !strcmp(a->a_version, b->a_version) && !strcmp(a->b_version, b->b_version);
}

/* From zero there is no percentage, but hardly anything tells more. */
static double weight(const struct comparison *comparison)
{
	return isfinite(comparison->change_percent) ? fabs(comparison->change_percent)
						    : HUGE_VAL;
}

static int by_weight(const void *a, const void *b)
{
	double first = weight(*(const struct comparison *const *)a);
	double second = weight(*(const struct comparison *const *)b);

	return (first < second) - (first > second);
}

static void add_row(const struct comparison *comparison, struct text *out)
{
	char sentence[COMPARISON_SENTENCE_SIZE];

	comparison_sentence(comparison, sentence);
	text_format(out, "    %s%s%s: %s\n", comparison->name.case_label,
		    *comparison->name.case_label ? " " : "", comparison->name.metric,
		    sentence);
}

static void add_group(const struct comparison **rows, size_t count, int colour,
		      struct text *out)
{
	const struct comparison *first = rows[0];

	colour = colour && *colours[first->verdict];
	text_format(out, "%s%s%s  %s  %s -> %s%s\n",
		    colour ? colours[first->verdict] : "", verdict_name(first->verdict),
		    colour ? "\033[0m" : "", first->name.scenario, first->a_version,
		    first->b_version,
		    first->role == ROLE_BASELINE ? " (best so far)" : "");
	qsort(rows, count, sizeof(*rows), by_weight);
	for (size_t i = 0; i < count && i < GROUP_ROWS; i++)
		add_row(rows[i], out);
	if (count > GROUP_ROWS)
		text_format(out, "    and %zu more, down to %.1f %%\n",
			    count - GROUP_ROWS, rows[count - 1]->change_percent);
}

static void add_counts(const struct comparison *list, size_t count, struct text *out)
{
	size_t counts[VERDICT_COUNT] = {0};
	const char *comma = "";

	for (size_t i = 0; i < count; i++)
		counts[list[i].verdict]++;
	text_format(out, "%zu comparison%s: ", count, count == 1 ? "" : "s");
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
		if (!counts[verdict])
			continue;
		text_format(out, "%s%zu %s", comma, counts[verdict], plurals[verdict]);
		comma = ", ";
	}
	text_add(out, count ? "\n"
			    : "nothing to compare; \"kregress report\" shows what was "
			      "measured\n");
}

/* The first row of each group brings the others of its group along. */
void comparison_text_add(const struct comparison *list, size_t count, int colour,
			 struct text *out)
{
	CLEANUP(cleanup_free)
	const struct comparison **rows = memory_new(count, sizeof(*rows));
	CLEANUP(cleanup_free) char *told = memory_new(count, 1);

	for (size_t i = 0; i < count; i++) {
		size_t found = 0;

		for (size_t j = i; j < count && !told[i] && is_news(&list[i]); j++) {
			if (!is_news(&list[j]) || !same_group(&list[i], &list[j]))
				continue;
			rows[found++] = &list[j];
			told[j] = j > i;
		}
		if (found)
			add_group(rows, found, colour, out);
	}
	add_counts(list, count, out);
}

/* --- every row */

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

static void add_value(struct text *text, double value, const char *unit)
{
	CLEANUP(text_finish) struct text cell = {0};

	if (isnan(value))
		text_add_char(&cell, '-');
	else
		format_value(&cell, value, unit);
	for (size_t have = width_of(text_string(&cell)); have < VALUE_WIDTH; have++)
		text_add_char(text, ' ');
	text_add_char(text, ' ');
	utf8_add_plain_string(text, text_string(&cell));
}

static void add_change(struct text *text, double percent)
{
	if (isnan(percent))
		text_format(text, " %10s", "-");
	else
		text_format(text, " %+8.2f %%", percent);
}

/* "same" needs no explanation; all else gets its sentence. */
static void add_full_row(struct text *text, const struct comparison *c, size_t width)
{
	char sentence[COMPARISON_SENTENCE_SIZE];
	CLEANUP(text_finish) struct text pair = {0};

	text_format(&pair, "%s -> %s", c->a_version, c->b_version);
	text_add(text, "  ");
	add_padded(text, pair.data, width);
	text_add(text, "  ");
	add_padded(text, c->name.metric, METRIC_WIDTH);
	add_value(text, c->a.median, c->name.unit);
	add_value(text, c->b.median, c->name.unit);
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

static size_t pair_width(const struct comparison *list, size_t count)
{
	size_t width = 8;

	for (size_t i = 0; i < count; i++) {
		const struct comparison *c = &list[i];
		size_t needed = width_of(c->a_version) + width_of(c->b_version) + 4;

		if (needed > width)
			width = needed;
	}
	return width < 60 ? width : 60;
}

void comparison_text_add_all(const struct comparison *list, size_t count,
			     struct text *out)
{
	size_t width = pair_width(list, count);
	const struct series_name *last = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!last || !same_subject(last, &list[i].name))
			add_subject(out, &list[i].name);
		last = &list[i].name;
		add_full_row(out, &list[i], width);
	}
	if (count)
		text_add_char(out, '\n');
	add_counts(list, count, out);
}
