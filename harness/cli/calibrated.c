/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/calibrated.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "measure/identity.h"
#include "store/noise.h"
#include "store/subjects.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)NOISE_LOOKS == (int)SEQUENTIAL_LOOKS,
	       "the table has a column for each look");

static int add_boot(const struct measurement *measurement, const struct boot_record *boot,
		    struct dataset *dataset, struct error *err)
{
	char label[24];

	snprintf(label, sizeof(label), "%lld", (long long)boot->id);
	for (size_t i = 0; i < boot->sample_count; i++) {
		const struct sample_record *sample = &boot->samples[i];
		struct dataset_row row = {
			.version = measurement->subject->name,
			.scenario = measurement->scenario->name,
			.case_label = sample->case_label,
			.metric = sample->metric,
			.unit = sample->unit,
			.better = better_parse(sample->better),
			.boot = label,
			.environment = "",
			.value = sample->value,
		};

		if (dataset_add(dataset, &row, err))
			return -1;
	}
	return 0;
}

int calibrated_add_boots(const struct measurement *measurement, struct dataset *dataset,
			 struct calibration *calibration, struct error *err)
{
	const struct boot_list *found = &measurement->found;

	for (size_t i = 0; i < found->count; i++)
		if (add_boot(measurement, &found->items[i], dataset, err))
			return -1;
	calibration->boots += found->count;
	calibration->odd_boots += found->count - identity_agreeing(found, NULL);
	return 0;
}

static const struct level *find_level(const struct series *series, size_t version)
{
	for (size_t i = 0; i < series->count; i++)
		if (series->levels[i].version == version)
			return &series->levels[i];
	return NULL;
}

static int fill_one(const struct series *series, const struct level *level,
		    const struct verdict_policy *policy, uint64_t seed,
		    struct calibrated *item, struct error *err)
{
	struct verdict_policy own = *policy;

	own.minimum_effect = series_minimum_effect(series, policy->minimum_effect);
	item->name = series->name;
	item->minimum_percent = own.minimum_effect * 100;
	item->identity = noise_identity(level->boots, level->count);
	item->exact = policy->rule == RULE_EXACT;
	if (item->exact)
		return 0;
	if (level->count < NOISE_BOOTS)
		return error_set(err, ERROR_USAGE,
				 "%s %s %s: %zu boots tell nothing of the noise; at "
				 "least %d are needed",
				 series->name.scenario, series->name.case_label,
				 series->name.metric, level->count, NOISE_BOOTS);
	item->noise =
		noise_measure(&series->name, level->boots, level->count, &own, seed);
	return 0;
}

int calibrated_fill(const struct measurements *measurements, size_t version,
		    const struct verdict_policy *policy, struct calibration *calibration,
		    struct error *err)
{
	calibration->version = measurements->versions[version];
	for (size_t i = 0; i < measurements->count; i++) {
		const struct series *series = &measurements->series[i];
		const struct level *level = find_level(series, version);
		struct calibrated item = {0};

		if (!level || series->name.better == BETTER_NONE)
			continue;
		if (fill_one(series, level, policy, calibration->seed, &item, err))
			return -1;
		calibration->items = memory_grow(calibration->items, calibration->count,
						 &calibration->capacity, sizeof(item));
		calibration->items[calibration->count++] = item;
		/* Of a file: boots are what its series have. */
		if (level->count > calibration->boots)
			calibration->boots = level->count;
	}
	return 0;
}

static struct noise_record row_of(const struct calibrated *item)
{
	const struct noise *noise = &item->noise;
	struct noise_record row = {
		.case_label = item->name.case_label,
		.metric = item->name.metric,
		.median = item->exact ? 0 : noise->median,
		.spread_percent = item->exact ? 0 : noise->spread_percent,
		.floor_percent = calibrated_floor(item),
		.trials = (int)noise->trials,
		.alarms = (int)noise->alarms,
	};

	for (int i = 0; i < NOISE_LOOKS; i++)
		row.finds_percent[i] =
			item->exact ? item->minimum_percent : noise->finds_percent[i];
	return row;
}

/* Those of one scenario. */
static int store_scenario(struct store *store, int64_t session, int64_t environment,
			  const char *scenario, const struct calibration *calibration,
			  struct error *err)
{
	CLEANUP(cleanup_free)
	struct noise_record *rows = memory_new(calibration->count, sizeof(*rows));
	struct calibration_record record = {
		.session = session,
		.environment = environment,
		.version = calibration->version,
		.scenario = scenario,
		.seed = (int64_t)calibration->seed,
		.rows = rows,
	};

	for (size_t i = 0; i < calibration->count; i++) {
		const struct calibrated *item = &calibration->items[i];

		if (strcmp(item->name.scenario, scenario))
			continue;
		rows[record.count++] = row_of(item);
		record.boots = (int)item->identity.boots;
	}
	return record.count ? store_add_calibration(store, &record, err) : 0;
}

int calibrated_store(struct store *store, int64_t session, const struct measurement *work,
		     size_t count, const struct calibration *calibration,
		     struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (store_scenario(store, session, work[i].environment,
				   work[i].scenario->name, calibration, err))
			return -1;
	return 0;
}

static int environment_of(struct store *store, const struct measurements *measurements,
			  size_t version, const char *scenario, int64_t *ret_id,
			  struct error *err)
{
	struct environment_field field = {"environment", NULL};

	for (size_t i = 0; i < measurements->count; i++) {
		const struct level *level = find_level(&measurements->series[i], version);

		if (!level || strcmp(measurements->series[i].name.scenario, scenario))
			continue;
		if (level->environment_mixed ||
		    (field.value && strcmp(field.value, level->environment)))
			return error_set(err, ERROR_USAGE,
					 "%s: rows of several environments are not one "
					 "kernel against itself",
					 scenario);
		field.value = level->environment;
	}
	return store_add_environment(store, "import", &field, 1, ret_id, err);
}

int calibrated_store_import(struct store *store, int64_t session,
			    const struct measurements *measurements, size_t version,
			    const struct calibration *calibration, struct error *err)
{
	for (size_t i = 0; i < calibration->count; i++) {
		const char *scenario = calibration->items[i].name.scenario;
		int64_t environment;
		int seen = 0;

		for (size_t k = 0; k < i; k++)
			seen |= !strcmp(calibration->items[k].name.scenario, scenario);
		if (seen)
			continue;
		if (environment_of(store, measurements, version, scenario, &environment,
				   err) ||
		    store_scenario(store, session, environment, scenario, calibration,
				   err))
			return -1;
	}
	return 0;
}
