/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/levels.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "measure/identity.h"
#include "stats/family.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 160 };

/* Which values count; the caller frees. */
static struct result_value *choose(const struct results *results,
				   const struct result_value *values, size_t count,
				   int exact, size_t *ret_count)
{
	struct result_value *chosen = memory_new(count, sizeof(*chosen));
	CLEANUP(cleanup_free) double *numbers = memory_new(count, sizeof(*numbers));
	size_t sound = 0, kept = 0, occurs = 0;
	double mode = 0;

	for (size_t i = 0; i < count; i++)
		if (!results_moved(results, values[i].boot))
			chosen[sound++] = values[i];
	if (!sound && count)
		memcpy(chosen, values, count * sizeof(*chosen));
	count = sound ? sound : count;
	for (size_t i = 0; i < count; i++)
		numbers[i] = chosen[i].value;
	if (exact && count)
		mode = identity_mode(numbers, count, &occurs);
	/* Without a majority all of them count. */
	for (size_t i = 0; i < count; i++)
		if (2 * occurs <= count || !memcmp(&mode, &numbers[i], sizeof(mode)))
			chosen[kept++] = chosen[i];
	*ret_count = kept;
	return chosen;
}

int levels_add(const struct results *results, const struct result_series *series,
	       size_t version, int exact, struct dataset *data, struct error *err)
{
	char key[KEY_SIZE], boot[24];
	struct dataset_row row = {
		.version = results->versions.items[version].text,
		.scenario = series->scenario,
		.case_label = series->case_label,
		.metric = series->metric,
		.unit = series->unit,
		.better = better_parse(series->better),
		.environment = key,
		.boot = boot,
	};
	size_t count;
	const struct result_value *values = results_of_version(series, version, &count);
	CLEANUP(cleanup_free)
	struct result_value *chosen = choose(results, values, count, exact, &count);

	snprintf(key, sizeof(key), "%" PRId64 " %s", series->environment,
		 series->scenario_key);
	for (size_t i = 0; i < count; i++) {
		snprintf(boot, sizeof(boot), "%" PRIu32, chosen[i].boot);
		row.value = chosen[i].value;
		if (dataset_add(data, &row, err))
			return -1;
	}
	return 0;
}

static void mark_moved(const struct results *results, struct level *level)
{
	for (size_t i = 0; i < level->count; i++)
		level->reference_moved |= results_moved(
			results, (uint32_t)strtoul(level->boot_names[i], NULL, 10));
}

void levels_complete(const struct results *results, int exact, struct dataset *data)
{
	struct measurements *all = &data->measurements;

	dataset_complete(data);
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->series[i].count; k++)
			mark_moved(results, &all->series[i].levels[k]);
	if (exact)
		measurements_check_identity(all);
}

static double highest_floor(const struct floor_list *floors, const struct series *series)
{
	const struct series_name *name = &series->name;
	double highest = 0;

	for (size_t i = 0; i < series->count; i++) {
		const char *key = series->levels[i].environment;
		double percent;

		if (!key || (i && !strcmp(key, series->levels[i - 1].environment)))
			continue;
		percent = floor_find(floors, levels_environment(key), name->scenario,
				     name->case_label, name->metric);
		highest = percent > highest ? percent : highest;
	}
	return highest;
}

void levels_set_floors(const struct floor_list *floors, struct measurements *measurements)
{
	for (size_t i = 0; floors->count && i < measurements->count; i++)
		measurements->series[i].floor =
			highest_floor(floors, &measurements->series[i]) / 100;
}

int64_t levels_environment(const char *key)
{
	return strtoll(key, NULL, 10);
}

const char *levels_scenario_key(const char *key)
{
	return strchrnul(key, ' ');
}
