/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The English of a comparison: declared in verdict.h. */
#include "base/cleanup.h"
#include "base/text.h"
#include "stats/needed.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_number(struct text *text, double value)
{
	text_format(text, "%.6g", value);
}

static void add_change(const struct comparison *c, struct text *text)
{
	text_add(text, "median ");
	if (!isnan(c->change_percent)) {
		text_format(text, "%+.*f %%", fabs(c->change_percent) < 0.1 ? 3 : 1,
			    c->change_percent);
	} else {
		add_number(text, c->a.median);
		text_add(text, " became ");
		add_number(text, c->b.median);
		text_format(text, "%s%s", *c->name.unit ? " " : "", c->name.unit);
	}
	if (!isnan(c->ci_percent[0]) && !comparison_has(c, REASON_EXACT))
		text_format(text, " (95 %% %.1f to %.1f)", c->ci_percent[0],
			    c->ci_percent[1]);
	text_format(text, ", %zu against %zu boot%s", c->a.boots, c->b.boots,
		    c->b.boots == 1 ? "" : "s");
}

static void add_tests(const struct comparison *c, struct text *text)
{
	double apart = fmax(c->superiority, 1 - c->superiority);

	if (comparison_has(c, REASON_EXACT))
		text_add(text, ", exact");
	if (!isnan(c->p))
		text_format(text, ", p %.2g", c->p);
	/* q only where other comparisons beside this one changed it. */
	if (!isnan(c->q) && c->q > c->p * 1.001)
		text_format(text, ", q %.2g", c->q);
	if (!isnan(c->p))
		text_format(text, ", separated %.2f", apart);
}

static void add_outliers(const struct side_summary *side, const char *version,
			 struct text *text)
{
	if (!side->outliers)
		return;
	text_format(text, ", outlier in %s: boot ", version);
	if (side->outlier_name)
		text_add(text, side->outlier_name);
	else
		text_format(text, "%zu", side->outlier_number);
	text_add(text, " at ");
	add_number(text, side->outlier_value);
	if (side->outliers > 1)
		text_format(text, " and %zu more", side->outliers - 1);
}

/* Notes in the order in which they are said. */
static const struct {
	enum reason reason;
	const char *text;
} notes[] = {
	{REASON_GRADUAL, "gradual: no single step reaches the minimum effect"},
	{REASON_ZERO_BASELINE, "from zero, so there is no percentage"},
	{REASON_IDENTITY_FAILED,
	 "boots of one kernel did not agree, judged by statistics"},
	{REASON_REFERENCE_MOVED,
	 "the level, or that of the reference kernel, moved while it was measured"},
	{REASON_ONE_SIDED_METRIC, "measured in one of the versions only"},
};

static void add_notes(const struct comparison *c, struct text *text)
{
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (comparison_has(c, notes[i].reason))
			text_format(text, "%s%s", text->size ? ", " : "", notes[i].text);
	if (!comparison_has(c, REASON_ENVIRONMENT_DIFFERS))
		return;
	text_format(text, "%senvironment differs", text->size ? ", " : "");
	if (c->difference)
		text_format(text, " (%s)", c->difference);
	else if (c->a_environment || c->b_environment)
		text_format(text, " (%s became %s)",
			    c->a_environment ? c->a_environment : "none",
			    c->b_environment ? c->b_environment : "none");
}

/* Why it is undecided: the first that applies. */
static const struct {
	enum reason reason;
	const char *text;
} obstacles[] = {
	{REASON_TOO_FEW_BOOTS, "too few boots"},
	{REASON_NOT_SIGNIFICANT, "not significant"},
	{REASON_EFFECT_BELOW_MINIMUM, "effect below the minimum, sameness not shown"},
	{REASON_NOT_SEPARATED, "sides overlap"},
};

/* By its percentage, or by the absolute change where that is what decided. */
static void add_room(const struct comparison *c, struct text *text)
{
	double relative = c->policy.minimum_effect * fabs(c->a.median);

	if (comparison_room(c) > relative)
		text_format(text, " within %.3g %s", comparison_room(c), c->name.unit);
	else
		text_format(text, " within %.3g %%", c->policy.minimum_effect * 100);
}

static void add_verdict(const struct comparison *c, struct text *text)
{
	text_format(text, ": %s", verdict_name(c->verdict));
	if (c->verdict == VERDICT_SAME)
		add_room(c, text);
	if (c->verdict != VERDICT_INCONCLUSIVE)
		return;
	for (size_t i = 0; i < sizeof(obstacles) / sizeof(*obstacles); i++) {
		if (comparison_has(c, obstacles[i].reason)) {
			text_format(text, " (%s)", obstacles[i].text);
			break;
		}
	}
	if (c->boots_needed)
		text_format(text, ", measure %zu boots a side%s", c->boots_needed,
			    c->boots_needed >= BOOTS_NEEDED_MOST ? " or more" : "");
}

static void copy_cut(const struct text *text, char *sentence, size_t size)
{
	size_t length = text->size < size ? text->size : size - 1;

	/* Not in the middle of a UTF-8 character. */
	while (length < text->size && length && (text->data[length] & 0xc0) == 0x80)
		length--;
	memcpy(sentence, text_string(text), length);
	sentence[length] = '\0';
}

void comparison_sentence(const struct comparison *comparison,
			 char sentence[COMPARISON_SENTENCE_SIZE])
{
	CLEANUP(text_finish) struct text text = {0};

	if (comparison->a.boots && comparison->b.boots) {
		add_change(comparison, &text);
		add_tests(comparison, &text);
		add_outliers(&comparison->a, comparison->a_version, &text);
		add_outliers(&comparison->b, comparison->b_version, &text);
	}
	add_notes(comparison, &text);
	add_verdict(comparison, &text);
	copy_cut(&text, sentence, COMPARISON_SENTENCE_SIZE);
}
