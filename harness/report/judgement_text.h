/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons and histories for people: a table of what changed, a sentence below each
 * row that needs one, a summary at the end.
 */
#ifndef REPORT_JUDGEMENT_TEXT_H
#define REPORT_JUDGEMENT_TEXT_H

#include "base/text.h"
#include "stats/family.h"
#include "stats/history.h"

void comparisons_text(const struct comparisons *comparisons, struct text *text);

void history_text(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *text);

#endif
