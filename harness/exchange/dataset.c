/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange/dataset.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/summary.h"

#include <stdlib.h>
#include <string.h>

struct dataset_series {
	uint32_t unit;
	enum better better;
};

struct dataset_sample {
	double value;
	uint32_t group;
};

/* One boot in one series. */
struct dataset_group {
	uint32_t series, version, boot, environment;
	int mixed; /* rows of it name several environments */
};

void dataset_finish(struct dataset *dataset)
{
	struct intern *tables[] = {&dataset->versions, &dataset->names,
				   &dataset->units,    &dataset->boots,
				   &dataset->groups,   &dataset->environments};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		intern_finish(tables[i]);
	free(dataset->series);
	free(dataset->samples);
	free(dataset->group_data);
	free(dataset->medians);
	free(dataset->boot_names);
	free(dataset->version_names);
	free(dataset->levels);
	free(dataset->order);
	free(dataset->measurements.series);
	*dataset = (struct dataset){0};
}

static uint32_t number_of(struct intern *intern, const char *string)
{
	return (uint32_t)intern_number(intern, string, strlen(string));
}

/* "scenario\0case\0metric" is the key of a series. */
static uint32_t name_number(struct dataset *dataset, const struct dataset_row *row)
{
	const char *parts[] = {row->scenario, row->case_label, row->metric};
	CLEANUP(text_finish) struct text longer = {0};
	char key[512];
	size_t size = 0;

	for (int i = 0; i < 3; i++) {
		size_t length = strlen(parts[i]) + (i < 2);

		if (!longer.size && size + length <= sizeof(key)) {
			memcpy(key + size, parts[i], length);
			size += length;
			continue;
		}
		if (!longer.size)
			text_add_bytes(&longer, key, size);
		text_add_bytes(&longer, parts[i], length);
	}
	if (longer.size)
		return (uint32_t)intern_number(&dataset->names, longer.data, longer.size);
	return (uint32_t)intern_number(&dataset->names, key, size);
}

static int series_number(struct dataset *dataset, const struct dataset_row *row,
			 uint32_t *ret_number, struct error *err)
{
	size_t known = dataset->names.count;
	uint32_t number = name_number(dataset, row);
	uint32_t unit = number_of(&dataset->units, row->unit);
	struct dataset_series *series;

	if (number == known) {
		dataset->series =
			memory_grow(dataset->series, known, &dataset->series_capacity,
				    sizeof(*dataset->series));
		dataset->series[number] = (struct dataset_series){unit, row->better};
	}
	series = &dataset->series[number];
	if (series->unit != unit)
		return error_set(err, ERROR_USAGE,
				 "column unit: '%s', but metric '%s' came in '%s' before",
				 row->unit, row->metric,
				 intern_key(&dataset->units, series->unit));
	if (series->better != row->better)
		return error_set(err, ERROR_USAGE,
				 "column better: '%s', but for metric '%s' it was '%s'",
				 better_name(row->better), row->metric,
				 better_name(series->better));
	*ret_number = number;
	return 0;
}

static uint32_t group_number(struct dataset *dataset, const struct dataset_group *group)
{
	uint32_t key[3] = {group->series, group->version, group->boot};
	size_t known = dataset->groups.count;
	size_t number = intern_number(&dataset->groups, key, sizeof(key));

	if (number == known) {
		dataset->group_data =
			memory_grow(dataset->group_data, known, &dataset->group_capacity,
				    sizeof(*dataset->group_data));
		dataset->group_data[number] = *group;
	} else if (dataset->group_data[number].environment != group->environment) {
		dataset->group_data[number].mixed = 1;
	}
	return (uint32_t)number;
}

int dataset_add(struct dataset *dataset, const struct dataset_row *row, struct error *err)
{
	struct dataset_group group = {0};

	if (series_number(dataset, row, &group.series, err))
		return -1;
	group.version = number_of(&dataset->versions, row->version);
	group.boot = number_of(&dataset->boots, row->boot);
	group.environment = number_of(&dataset->environments, row->environment);
	dataset->samples =
		memory_grow(dataset->samples, dataset->sample_count,
			    &dataset->sample_capacity, sizeof(*dataset->samples));
	dataset->samples[dataset->sample_count++] = (struct dataset_sample){
		row->value,
		group_number(dataset, &group),
	};
	return 0;
}

/*
 * Counting sort: the indices by ascending key, those with the same key as they came.
 */
static void sort_by_key(size_t count, size_t keys, const uint32_t *key,
			uint32_t *ret_order)
{
	CLEANUP(cleanup_free) size_t *next = memory_new(keys + 1, sizeof(*next));

	for (size_t i = 0; i < count; i++)
		next[key[i] + 1]++;
	for (size_t k = 1; k <= keys; k++)
		next[k] += next[k - 1];
	for (size_t i = 0; i < count; i++)
		ret_order[next[key[i]]++] = (uint32_t)i;
}

/* The median of every boot. */
static double *reduce(struct dataset *dataset)
{
	size_t count = dataset->sample_count, groups = dataset->groups.count;
	double *medians = memory_new(groups, sizeof(*medians));
	CLEANUP(cleanup_free) double *values = memory_new(count, sizeof(*values));
	CLEANUP(cleanup_free) size_t *end = memory_new(groups + 1, sizeof(*end));

	for (size_t i = 0; i < count; i++)
		end[dataset->samples[i].group + 1]++;
	for (size_t g = 0; g < groups; g++)
		end[g + 1] += end[g];
	for (size_t i = count; i--;)
		values[--end[dataset->samples[i].group + 1]] = dataset->samples[i].value;
	/* Now end[g + 1] is where group g begins. */
	for (size_t g = 0; g < groups; g++) {
		size_t begin = end[g + 1], next = g + 2 <= groups ? end[g + 2] : count;

		medians[g] = summary_median(values + begin, next - begin);
	}
	free(dataset->samples);
	dataset->samples = NULL;
	return medians;
}

/* Groups by series, then by version, else as they came; the caller frees. */
static uint32_t *order_groups(const struct dataset *dataset)
{
	size_t count = dataset->groups.count;
	CLEANUP(cleanup_free) uint32_t *key = memory_new(count, sizeof(*key));
	CLEANUP(cleanup_free) uint32_t *by_version = memory_new(count, sizeof(*key));
	CLEANUP(cleanup_free) uint32_t *order = memory_new(count, sizeof(*order));
	uint32_t *result = memory_new(count, sizeof(*result));

	for (size_t g = 0; g < count; g++)
		key[g] = dataset->group_data[g].version;
	sort_by_key(count, dataset->versions.count, key, by_version);
	for (size_t i = 0; i < count; i++)
		key[i] = dataset->group_data[by_version[i]].series;
	sort_by_key(count, dataset->names.count, key, order);
	for (size_t i = 0; i < count; i++)
		result[i] = by_version[order[i]];
	return result;
}

static int same_level(const struct dataset_group *a, const struct dataset_group *b)
{
	return a->series == b->series && a->version == b->version;
}

/* One level from groups order[from..to), whose values stand in dataset->medians[from..].
 */
static struct level make_level(const struct dataset *dataset, const uint32_t *order,
			       size_t from, size_t to)
{
	const struct dataset_group *first = &dataset->group_data[order[from]];
	struct level level = {
		.version = first->version,
		.boots = dataset->medians + from,
		.boot_names = dataset->boot_names + from,
		.count = to - from,
		.environment = intern_key(&dataset->environments, first->environment),
	};

	for (size_t i = from; i < to; i++) {
		const struct dataset_group *group = &dataset->group_data[order[i]];

		if (group->mixed || group->environment != first->environment)
			level.environment_mixed = 1;
	}
	return level;
}

static void place_values(struct dataset *dataset, const uint32_t *order)
{
	size_t count = dataset->groups.count;
	CLEANUP(cleanup_free) double *medians = reduce(dataset);

	dataset->medians = memory_new(count, sizeof(*dataset->medians));
	dataset->boot_names = memory_new(count, sizeof(*dataset->boot_names));
	for (size_t i = 0; i < count; i++) {
		dataset->medians[i] = medians[order[i]];
		dataset->boot_names[i] =
			intern_key(&dataset->boots, dataset->group_data[order[i]].boot);
	}
}

static struct series_name series_name(const struct dataset *dataset, size_t number)
{
	const char *scenario = intern_key(&dataset->names, number);
	const char *case_label = scenario + strlen(scenario) + 1;

	return (struct series_name){
		.scenario = scenario,
		.case_label = case_label,
		.metric = case_label + strlen(case_label) + 1,
		.unit = intern_key(&dataset->units, dataset->series[number].unit),
		.better = dataset->series[number].better,
	};
}

static void place_levels(struct dataset *dataset, const uint32_t *order)
{
	struct measurements *all = &dataset->measurements;
	size_t count = dataset->groups.count, levels = 0, next;

	all->count = dataset->names.count;
	all->series = memory_new(all->count, sizeof(*all->series));
	dataset->levels = memory_new(count, sizeof(*dataset->levels));
	for (size_t i = 0; i < all->count; i++)
		all->series[i].name = series_name(dataset, i);
	for (size_t i = 0; i < count; i = next) {
		const struct dataset_group *group = &dataset->group_data[order[i]];
		struct series *series = &all->series[group->series];

		for (next = i + 1; next < count; next++)
			if (!same_level(group, &dataset->group_data[order[next]]))
				break;
		if (!series->count++)
			series->levels = dataset->levels + levels;
		dataset->levels[levels++] = make_level(dataset, order, i, next);
	}
}

void dataset_complete(struct dataset *dataset)
{
	struct intern *tables[] = {&dataset->versions, &dataset->names,
				   &dataset->units,    &dataset->boots,
				   &dataset->groups,   &dataset->environments};
	size_t versions = dataset->versions.count;

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		intern_freeze(tables[i]);
	dataset->order = order_groups(dataset);
	place_values(dataset, dataset->order);
	place_levels(dataset, dataset->order);
	dataset->version_names = memory_new(versions, sizeof(*dataset->version_names));
	for (size_t i = 0; i < versions; i++)
		dataset->version_names[i] = intern_key(&dataset->versions, i);
	dataset->measurements.versions = dataset->version_names;
	dataset->measurements.version_count = versions;
}

size_t dataset_boot_order(const struct dataset *dataset, const struct level *level,
			  size_t i)
{
	return dataset->order[(size_t)(level->boots - dataset->medians) + i];
}

const char *dataset_boot_environment(const struct dataset *dataset,
				     const struct level *level, size_t i)
{
	const struct dataset_group *group =
		&dataset->group_data[dataset_boot_order(dataset, level, i)];

	return group->mixed ? NULL
			    : intern_key(&dataset->environments, group->environment);
}

long dataset_find_version(const struct dataset *dataset, const char *name)
{
	for (size_t i = 0; i < dataset->measurements.version_count; i++)
		if (!strcmp(dataset->version_names[i], name))
			return (long)i;
	return -1;
}
