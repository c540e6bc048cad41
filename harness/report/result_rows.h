/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stored results as the rows that compare --from, history --from and import take.
 * Metrics that are neither better lower nor higher have no place there.
 */
#ifndef REPORT_RESULT_ROWS_H
#define REPORT_RESULT_ROWS_H

#include "exchange/dataset.h"
#include "store/results.h"

/*
 * What one environment and one text of a scenario have in common:
 * "virtual:0123456789ab:0123456789ab". The caller frees.
 */
char *result_rows_environment(const struct environment *environment,
			      const struct result_series *series);

/* Calls put for each value of one version of a series; environment is its name. */
void result_rows_each(const struct results *results, const struct result_series *series,
		      size_t version, const char *environment,
		      void (*put)(void *closure, const struct dataset_row *row),
		      void *closure);

#endif
