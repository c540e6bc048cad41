/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/comparison_text.h"

#include <stdlib.h>
#include <unistd.h>

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

static void add_one(const struct comparison *comparison,
		    const struct comparison_text_options *options, struct text *out)
{
	char sentence[COMPARISON_SENTENCE_SIZE];
	int colour = options->colour && *colours[comparison->verdict];

	comparison_sentence(comparison, sentence);
	text_format(out, "%s%s%s  %s %s %s\n    %s -> %s%s: %s\n",
		    colour ? colours[comparison->verdict] : "",
		    verdict_name(comparison->verdict), colour ? "\033[0m" : "",
		    comparison->name.scenario, comparison->name.case_label,
		    comparison->name.metric, comparison->a_version, comparison->b_version,
		    comparison->role == ROLE_BASELINE ? " (best so far)" : "", sentence);
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

static void add_counts(const struct comparison *list, size_t count, struct text *out)
{
	size_t counts[VERDICT_COUNT] = {0};
	const char *comma = "";

	for (size_t i = 0; i < count; i++)
		counts[list[i].verdict]++;
	text_format(out, "%zu comparisons: ", count);
	for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
		if (!counts[verdict])
			continue;
		text_format(out, "%s%zu %s", comma, counts[verdict], plurals[verdict]);
		comma = ", ";
	}
	text_add(out, count ? "\n" : "nothing to compare\n");
}

void comparison_text_add(const struct comparison *list, size_t count,
			 const struct comparison_text_options *options, struct text *out)
{
	for (size_t i = 0; i < count; i++)
		if (options->all || is_news(&list[i]))
			add_one(&list[i], options, out);
	add_counts(list, count, out);
}
