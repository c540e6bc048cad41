/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history for people: change points, outliers, a slow trend, and a picture.
 */
#ifndef REPORT_HISTORY_TEXT_H
#define REPORT_HISTORY_TEXT_H

#include "base/text.h"
#include "stats/history.h"

/* What one series came to. */
void history_text(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *out);

/*
 * The points (one for each level of the series) as characters, at most so many columns
 * wide: "*" a version, "o" an outlier, "-" the level, and below them "!" a change for the
 * worse, "a" an acknowledged one, "+" one for the better.
 */
void history_chart(const struct series *series, const double *values,
		   const struct history *history, size_t width, struct text *out);

#endif
