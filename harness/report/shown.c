/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a model shows, asked by the writers. */
#include "report/report.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int report_find_version(const struct report_section *section, int64_t id,
			const char *text)
{
	const struct version_list *versions = &section->results.versions;

	for (size_t i = 0; i < versions->count; i++)
		if (id ? versions->items[i].id == id
		       : !strcmp(versions->items[i].text, text))
			return (int)i;
	return REPORT_NONE;
}

static int is_about(const struct verdict_record *verdict,
		    const struct result_series *series)
{
	return !strcmp(verdict->scenario, series->scenario) &&
	       !strcmp(verdict->case_label, series->case_label) &&
	       !strcmp(verdict->metric, series->metric);
}

static int has_reason(const struct verdict_record *verdict, const char *reason)
{
	for (size_t i = 0; i < verdict->reason_count; i++)
		if (!strcmp(verdict->reasons[i], reason))
			return 1;
	return 0;
}

int report_is_news(const struct verdict_record *verdict)
{
	return strcmp(verdict->role, "baseline") != 0 || has_reason(verdict, "gradual");
}

/* The cases of a finding are sorted by their change. */
const struct verdict_record *report_worst(const struct report_finding *finding)
{
	for (size_t i = 0; i < finding->count; i++)
		if (finding->cases[i].verdict)
			return finding->cases[i].verdict;
	return NULL;
}

int report_has_scenario(const struct report_finding *finding, const char *scenario)
{
	for (size_t i = 0; i < finding->count; i++)
		if (!strcmp(finding->cases[i].scenario, scenario))
			return 1;
	return 0;
}

int report_has_only(const struct report_finding *finding, const char *scenario)
{
	for (size_t i = 0; i < finding->count; i++)
		if (strcmp(finding->cases[i].scenario, scenario) != 0)
			return 0;
	return 1;
}

int report_brings_scenario(const struct report_finding *finding, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(finding->cases[i].scenario, finding->cases[index].scenario))
			return 0;
	return 1;
}

int report_shows(const struct report_section *section, const struct result_series *series)
{
	size_t low = 0, high = section->judged.count;

	if (!high)
		return strcmp(series->better, "none") != 0;
	while (low < high) {
		const struct judged_series *item =
			&section->judged.items[(low + high) / 2];
		int order = strcmp(series->scenario, item->scenario);

		if (!order)
			order = strcmp(series->case_label, item->case_label);
		if (!order)
			order = strcmp(series->metric, item->metric);
		if (!order)
			return 1;
		if (order < 0)
			high = (low + high) / 2;
		else
			low = (low + high) / 2 + 1;
	}
	return 0;
}

void report_mark_changes(const struct report_section *section,
			 const struct result_series *series,
			 const struct verdict_record **marks)
{
	memset(marks, 0, section->results.versions.count * sizeof(*marks));
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];
		int version;

		if (!strcmp(verdict->role, "baseline") || !is_about(verdict, series) ||
		    (strcmp(verdict->verdict, "regression") &&
		     strcmp(verdict->verdict, "improvement")))
			continue;
		version =
			report_find_version(section, verdict->b.version, verdict->b.text);
		if (version != REPORT_NONE)
			marks[version] = verdict;
	}
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double report_median(const struct result_series *series, size_t version)
{
	size_t count;
	const struct result_value *values = results_of_version(series, version, &count);
	CLEANUP(cleanup_free) double *sorted = memory_new(count, sizeof(*sorted));

	if (!count)
		return NAN;
	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i].value;
	qsort(sorted, count, sizeof(*sorted), ascending);
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}
