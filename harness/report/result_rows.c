/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/result_rows.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

char *result_rows_environment(const struct environment *environment,
			      const struct result_series *series)
{
	return memory_format("%s:%.12s:%.12s", environment->lab, environment->key,
			     series->scenario_key);
}

void result_rows_each(const struct results *results, const struct result_series *series,
		      size_t version, const char *environment,
		      void (*put)(void *closure, const struct dataset_row *row),
		      void *closure)
{
	char boot[24];
	struct dataset_row row = {
		.version = results->versions.items[version].text,
		.scenario = series->scenario,
		.case_label = series->case_label,
		.metric = series->metric,
		.unit = series->unit,
		.better = better_parse(series->better),
		.boot = boot,
		.environment = environment,
	};
	size_t count;
	const struct result_value *values = results_of_version(series, version, &count);

	for (size_t i = 0; i < count && row.better != BETTER_NONE; i++) {
		snprintf(boot, sizeof(boot), "%" PRIu32, values[i].boot);
		row.value = values[i].value;
		put(closure, &row);
	}
}
