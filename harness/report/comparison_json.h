/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons and histories as the JSON that scripts rely on. Rows are written as they
 * come, so that long lists need no memory; one document in one line.
 */
#ifndef REPORT_COMPARISON_JSON_H
#define REPORT_COMPARISON_JSON_H

#include "base/error.h"
#include "base/text.h"
#include "stats/family.h"
#include "stats/history.h"

#include <stdio.h>

/* One object: the row of a comparison. */
void comparison_json(const struct comparison *comparison, struct text *text);

/*
 * {"comparisons":[...]} and a newline. more, where not NULL, are further keys with their
 * values: "\"remarks\":[...]".
 */
int comparisons_print_json(const struct comparisons *comparisons, const char *more,
			   FILE *stream, struct error *err);

/* One object: a series with its change points, outliers and trend. */
void history_json(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *text);

#endif
