/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons for a terminal: what changed with its sentence and a count of the rest, or
 * every row.
 */
#ifndef REPORT_COMPARISON_TEXT_H
#define REPORT_COMPARISON_TEXT_H

#include "base/text.h"
#include "stats/verdict.h"

#include <stddef.h>

/* Whether a stream wants colour: a terminal, and NO_COLOR is not set. */
int comparison_text_colour(int fd);

/*
 * What changed, grouped by scenario and pair of versions, the largest changes first. What
 * stays the same, and levels that stay worse than the best, are only counted.
 */
void comparison_text_add(const struct comparison *list, size_t count, int colour,
			 struct text *out);

/*
 * Every row by scenario and case, each that is not the same with its sentence, and the
 * same count.
 */
void comparison_text_add_all(const struct comparison *list, size_t count,
			     struct text *out);

#endif
