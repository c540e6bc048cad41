/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/builder_private.h"
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GENERIC_METRICS = 4 };

static void builder_finish(struct builder *builder)
{
	text_list_finish(&builder->labels);
	boot_list_finish(&builder->boots);
}

static void add_version(struct builder *builder, int version)
{
	if (version == REPORT_NONE || builder->version_count == TABLE_VERSIONS)
		return;
	for (size_t i = 0; i < builder->version_count; i++)
		if (builder->versions[i] == version)
			return;
	builder->versions[builder->version_count++] = version;
}

static int ascending(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

static void choose_versions(struct builder *builder)
{
	const struct report_section *section = builder->section;

	add_version(builder, 0);
	add_version(builder, (int)section->results.versions.count - 1);
	for (size_t i = 0; i < section->finding_count; i++) {
		const struct report_finding *finding = &section->findings[i];

		if (!report_has_scenario(finding, builder->scenario))
			continue;
		add_version(builder, finding->good_index);
		add_version(builder, finding->bad_index);
	}
	qsort(builder->versions, builder->version_count, sizeof(*builder->versions),
	      ascending);
}

/* A whole commit id would take half of the line. */
static void add_version_cell(struct table *table, const char *version)
{
	size_t length = strlen(version);
	int is_id = length >= 40 && strspn(version, "0123456789abcdef") == length;
	CLEANUP(cleanup_free)
	char *name = memory_copy_bytes(version, is_id ? 12 : length);

	table_add_cell(table, name);
}

static void add_row(struct builder *builder, const char *label, int version)
{
	struct label_parameter parameters[LABEL_PARAMETERS];
	size_t count = label_split(label, parameters);

	for (size_t i = 0; i < builder->key_count; i++) {
		const struct label_parameter *found =
			label_find(parameters, count, &builder->keys[i]);
		CLEANUP(cleanup_free)
		char *value = found ? memory_copy_bytes(found->value, found->value_length)
				    : memory_copy_string("");

		table_add_cell(builder->table, value);
	}
	add_version_cell(builder->table,
			 builder->section->results.versions.items[version].text);
	for (size_t i = 0; i < LAYOUT_COLUMNS && builder->layout->columns[i].metric; i++)
		builder_add_cell(builder, label, &builder->layout->columns[i], version);
}

static int has_samples(const struct builder *builder, const char *label, int version)
{
	for (size_t i = 0; i < LAYOUT_COLUMNS && builder->layout->columns[i].metric; i++)
		if (isfinite(builder_sample(builder, label, SOURCE_FIRST,
					    builder->layout->columns[i].metric, version)))
			return 1;
	return 0;
}

/* Numbers in labels by their value: 8 comes before 64. */
static int by_value(const void *left, const void *right)
{
	return strverscmp(*(char *const *)left, *(char *const *)right);
}

static void collect_labels(struct builder *builder)
{
	const struct results *results = &builder->section->results;

	for (size_t i = 0; i < results->count; i++) {
		CLEANUP(cleanup_free) char *label = NULL;

		if (strcmp(results->series[i].scenario, builder->scenario) != 0)
			continue;
		label = label_without_run(results->series[i].case_label);
		if (!builder->labels.count ||
		    (strcmp(builder->labels.items[builder->labels.count - 1], label) &&
		     !text_list_contains(&builder->labels, label)))
			text_list_add(&builder->labels, label);
	}
	if (builder->labels.count)
		qsort(builder->labels.items, builder->labels.count,
		      sizeof(*builder->labels.items), by_value);
}

static void add_key(struct builder *builder, const struct label_parameter *key)
{
	if (builder->key_count < LABEL_PARAMETERS &&
	    !label_find(builder->keys, builder->key_count, key))
		builder->keys[builder->key_count++] = *key;
}

static void collect_keys(struct builder *builder)
{
	struct label_parameter parameters[LABEL_PARAMETERS];

	for (size_t wanted = 0; wanted <= LAYOUT_KEYS; wanted++) {
		const char *name =
			wanted < LAYOUT_KEYS ? builder->layout->keys[wanted] : NULL;

		if (wanted < LAYOUT_KEYS && !name)
			continue;
		for (size_t i = 0; i < builder->labels.count; i++) {
			size_t count = label_split(builder->labels.items[i], parameters);

			for (size_t j = 0; j < count; j++)
				if (!name || label_is_named(&parameters[j], name))
					add_key(builder, &parameters[j]);
		}
	}
}

static void add_titles(struct builder *builder)
{
	for (size_t i = 0; i < builder->key_count; i++) {
		CLEANUP(cleanup_free)
		char *title = memory_copy_bytes(builder->keys[i].name,
						builder->keys[i].name_length);

		for (char *c = title; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		table_add_column(builder->table, title, 0);
	}
	table_add_column(builder->table, "version", 0);
	for (size_t i = 0; i < LAYOUT_COLUMNS && builder->layout->columns[i].metric; i++)
		table_add_column(builder->table, builder->layout->columns[i].title, 1);
}

/* Scenarios of the user's own: the judged metrics, a column each. */
static void make_generic(const struct builder *builder, struct layout *layout)
{
	const struct results *results = &builder->section->results;
	size_t used = 0;

	for (size_t i = 0; i < results->count && used < GENERIC_METRICS; i++) {
		const struct result_series *series = &results->series[i];
		size_t j = 0;

		if (strcmp(series->scenario, builder->scenario) != 0 ||
		    !report_shows(builder->section, series))
			continue;
		while (j < used && strcmp(layout->columns[j].metric, series->metric) != 0)
			j++;
		if (j == used)
			layout->columns[used++] = (struct layout_column){
				.title = series->metric,
				.metric = series->metric,
				.source = SOURCE_WHOLE,
				.form = FORM_UNIT,
				.unit = series->unit,
			};
	}
}

static void build(struct builder *builder)
{
	builder->table->caption = memory_copy_string(builder->layout->caption);
	choose_versions(builder);
	collect_labels(builder);
	collect_keys(builder);
	add_titles(builder);
	for (size_t i = 0; i < builder->labels.count; i++)
		for (size_t j = 0; j < builder->version_count; j++)
			if (has_samples(builder, builder->labels.items[i],
					builder->versions[j]))
				add_row(builder, builder->labels.items[i],
					builder->versions[j]);
	if (builder->layout->best_of)
		builder_name_best(builder);
	if (builder->layout->against)
		builder_compare_values(builder);
	if (builder->layout->disks)
		builder_name_disks(builder);
	if (builder->version_count == 2)
		builder_compare_versions(builder);
}

static struct table *new_table(struct report_section *section, const char *scenario)
{
	section->tables = memory_grow(section->tables, section->table_count,
				      &section->table_capacity, sizeof(*section->tables));
	section->tables[section->table_count] =
		(struct report_table){.scenario = scenario};
	return &section->tables[section->table_count++].table;
}

int collect_tables(struct store *store, struct report_section *section, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < section->results.count; i++) {
		const char *scenario = section->results.series[i].scenario;
		struct layout generic = {.scenario = scenario};
		CLEANUP(builder_finish)
		struct builder builder = {
			.store = store, .section = section, .scenario = scenario};

		if (i && !strcmp(section->results.series[i - 1].scenario, scenario))
			continue;
		builder.layout = layout_find(scenario);
		if (!builder.layout) {
			make_generic(&builder, &generic);
			builder.layout = &generic;
		}
		builder.table = new_table(section, scenario);
		build(&builder);
	}
	return 0;
}
