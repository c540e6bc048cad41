/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/builder_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { TABLE_WINDOWS = 6, TABLE_RUNS = 6 };

/* Series of several environments may share a case; the one that has the version counts.
 */
static const struct result_series *find_series(const struct builder *builder,
					       const char *label, const char *metric,
					       int version)
{
	const struct results *results = &builder->section->results;
	size_t count;

	for (size_t i = 0; i < results->count; i++)
		if (!strcmp(results->series[i].scenario, builder->scenario) &&
		    !strcmp(results->series[i].case_label, label) &&
		    !strcmp(results->series[i].metric, metric) &&
		    results_of_version(&results->series[i], (size_t)version, &count) &&
		    count)
			return &results->series[i];
	return NULL;
}

static double median_of(const struct builder *builder, const char *label,
			const char *metric, int version)
{
	const struct result_series *series = find_series(builder, label, metric, version);

	return series ? report_median(series, (size_t)version) : NAN;
}

static double median_of_run(const struct builder *builder, const char *label,
			    const char *run, const char *metric, int version)
{
	CLEANUP(cleanup_free)
	char *full = memory_format("%s%srun=%s", label, *label ? "," : "", run);

	return median_of(builder, full, metric, version);
}

double builder_sample(const struct builder *builder, const char *label,
		      enum layout_source source, const char *metric, int version)
{
	double whole = median_of(builder, label, metric, version);

	if (source == SOURCE_LATER || (source != SOURCE_FIRST && !isfinite(whole)))
		return median_of_run(builder, label, "later", metric, version);
	if (isfinite(whole))
		return whole;
	return median_of_run(builder, label, "first", metric, version);
}

/* Any boot of the version in this scenario: its last one, loaded once. */
static const struct boot_record *load_boot(struct builder *builder, int version,
					   struct error *err)
{
	const struct results *results = &builder->section->results;
	const struct result_value *values = NULL;
	size_t count = 0;

	for (size_t i = 0; i < results->count && !count; i++)
		if (!strcmp(results->series[i].scenario, builder->scenario))
			values = results_of_version(&results->series[i], (size_t)version,
						    &count);
	if (!count)
		return NULL;
	for (size_t i = 0; i < builder->boots.count; i++)
		if (builder->boots.items[i].id == values[count - 1].boot)
			return &builder->boots.items[i];
	if (store_load_boot(builder->store, values[count - 1].boot, &builder->boots,
			    err) < 0)
		return NULL;
	return &builder->boots.items[builder->boots.count - 1];
}

const struct boot_record *builder_boot(struct builder *builder, int version)
{
	struct error ignored = {0}; /* a cell without its series stays empty */

	return load_boot(builder, version, &ignored);
}

const struct series_record *builder_series(struct builder *builder, const char *label,
					   const char *name, int version)
{
	const struct boot_record *boot = builder_boot(builder, version);

	for (size_t i = 0; boot && i < boot->series_count; i++)
		if (!strcmp(boot->series[i].name, name) &&
		    !strcmp(boot->series[i].case_label, label))
			return &boot->series[i];
	return NULL;
}

/* Each run by itself; without such a series, first and later as far as they are there. */
static void add_runs(struct builder *builder, const char *label,
		     const struct layout_column *column, int version, struct text *out)
{
	CLEANUP(cleanup_free) char *name = memory_format("runs.%s", column->metric);
	const struct series_record *runs = builder_series(builder, label, name, version);
	double pair[2];
	size_t count = 0;

	if (runs) {
		layout_format(column, runs->values,
			      runs->count < TABLE_RUNS ? runs->count : TABLE_RUNS, out);
		return;
	}
	pair[count] =
		builder_sample(builder, label, SOURCE_FIRST, column->metric, version);
	count += isfinite(pair[count]) != 0;
	pair[count] =
		builder_sample(builder, label, SOURCE_LATER, column->metric, version);
	count += isfinite(pair[count]) != 0;
	layout_format(column, pair, count, out);
}

/* Some windows, evenly from the first to the last. */
static void add_windows(struct builder *builder, const char *label,
			const struct layout_column *column, int version, struct text *out)
{
	const struct series_record *windows =
		builder_series(builder, label, column->metric, version);
	double some[TABLE_WINDOWS];
	size_t count = windows ? windows->count : 0;
	size_t shown = count < TABLE_WINDOWS ? count : TABLE_WINDOWS;

	for (size_t i = 0; i < shown; i++)
		some[i] = windows->values[shown > 1 ? i * (count - 1) / (shown - 1) : 0];
	layout_format(column, some, shown, out);
}

static void add_sample(struct builder *builder, const char *label,
		       const struct layout_column *column, int version, struct text *out)
{
	double value =
		builder_sample(builder, label, column->source, column->metric, version);

	if (isfinite(value))
		layout_format(column, &value, 1, out);
	if (!column->plus)
		return;
	value = builder_sample(builder, label, column->source, column->plus, version);
	if (isfinite(value)) {
		text_add(out, " + ");
		layout_format(column, &value, 1, out);
	}
}

void builder_add_cell(struct builder *builder, const char *label,
		      const struct layout_column *column, int version)
{
	CLEANUP(text_finish) struct text cell = {0};

	if (column->source == SOURCE_RUNS)
		add_runs(builder, label, column, version, &cell);
	else if (column->source == SOURCE_WINDOWS)
		add_windows(builder, label, column, version, &cell);
	else
		add_sample(builder, label, column, version, &cell);
	table_add_cell(builder->table, text_string(&cell));
}
