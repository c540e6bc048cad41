/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cases whose boots are loaded for their windows, so that a page stays a page. */
enum { DETAILED_CASES = 4 };

static int find_version(const struct report_section *section, int64_t id,
			const char *text)
{
	const struct version_list *versions = &section->results.versions;

	for (size_t i = 0; i < versions->count; i++)
		if (id ? versions->items[i].id == id
		       : !strcmp(versions->items[i].text, text))
			return (int)i;
	return REPORT_NONE;
}

static int has_version(const struct result_series *series, int version)
{
	size_t count = 0;

	if (version != REPORT_NONE)
		results_of_version(series, (size_t)version, &count);
	return count > 0;
}

/* The one that has the bad version, of several environments. */
static const struct result_series *find_series(const struct report_section *section,
					       const struct report_finding *finding,
					       const struct report_case *item)
{
	for (size_t i = 0; i < section->results.count; i++) {
		const struct result_series *series = &section->results.series[i];

		if (!strcmp(series->scenario, item->scenario) &&
		    !strcmp(series->case_label, item->case_label) &&
		    !strcmp(series->metric, item->metric) &&
		    has_version(series, finding->bad_index))
			return series;
	}
	return NULL;
}

static int same_case(const struct verdict_record *verdict, const struct report_case *item)
{
	return !strcmp(verdict->scenario, item->scenario) &&
	       !strcmp(verdict->case_label, item->case_label) &&
	       !strcmp(verdict->metric, item->metric);
}

static const struct verdict_record *find_verdict(const struct report_section *section,
						 const struct report_finding *finding,
						 const struct report_case *item)
{
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];

		if (same_case(verdict, item) && !strcmp(verdict->a.text, finding->good) &&
		    !strcmp(verdict->b.text, finding->bad))
			return verdict;
	}
	return NULL;
}

static struct report_finding *new_finding(struct report_section *section)
{
	section->findings =
		memory_grow(section->findings, section->finding_count,
			    &section->finding_capacity, sizeof(*section->findings));
	section->findings[section->finding_count] = (struct report_finding){.state = ""};
	return &section->findings[section->finding_count++];
}

static struct report_case *new_case(struct report_finding *finding)
{
	finding->cases = memory_grow(finding->cases, finding->count, &finding->capacity,
				     sizeof(*finding->cases));
	finding->cases[finding->count] = (struct report_case){0};
	return &finding->cases[finding->count++];
}

static const struct report_search *find_search(const struct report_model *model,
					       const struct finding_record *record)
{
	for (size_t i = record->event_count; i > 0; i--)
		for (size_t j = 0; j < model->search_records.count; j++)
			if (model->searches[j].record->id ==
			    record->events[i - 1].search) {
				model->searches[j].shown = 1;
				return &model->searches[j];
			}
	return NULL;
}

static void add_filed(const struct report_model *model, struct report_section *section,
		      const struct finding_record *record)
{
	int good = find_version(section, record->good_version, record->good);
	int bad = find_version(section, record->bad_version, record->bad);
	struct report_finding *finding;

	if (good == REPORT_NONE || bad == REPORT_NONE)
		return;
	finding = new_finding(section);
	*finding = (struct report_finding){
		.id = record->id,
		.state = finding_state(record),
		.record = record,
		.good = record->good,
		.bad = record->bad,
		.good_index = good,
		.bad_index = bad,
		.search = find_search(model, record),
	};
	for (size_t i = 0; i < record->case_count; i++) {
		struct report_case *item = new_case(finding);

		item->scenario = record->cases[i].scenario;
		item->case_label = record->cases[i].case_label;
		item->metric = record->cases[i].metric;
		item->verdict = find_verdict(section, finding, item);
	}
}

static int is_filed(const struct report_section *section,
		    const struct verdict_record *verdict)
{
	for (size_t i = 0; i < section->finding_count; i++) {
		const struct report_finding *finding = &section->findings[i];

		for (size_t j = 0; finding->id && j < finding->count; j++)
			if (finding->cases[j].verdict == verdict)
				return 1;
	}
	return 0;
}

static int has_reason(const struct verdict_record *verdict, const char *reason)
{
	for (size_t i = 0; i < verdict->reason_count; i++)
		if (!strcmp(verdict->reasons[i], reason))
			return 1;
	return 0;
}

/*
 * A loss stays visible against the baseline in each later version; only a gradual one
 * shows nowhere else.
 */
static int opens_finding(const struct verdict_record *verdict)
{
	if (strcmp(verdict->verdict, "regression"))
		return 0;
	return strcmp(verdict->role, "baseline") || has_reason(verdict, "gradual");
}

static struct report_finding *finding_for(struct report_section *section,
					  const struct verdict_record *verdict)
{
	struct report_finding *finding;

	for (size_t i = 0; i < section->finding_count; i++) {
		finding = &section->findings[i];
		if (!finding->id && !strcmp(finding->good, verdict->a.text) &&
		    !strcmp(finding->bad, verdict->b.text) &&
		    !strcmp(finding->cases[0].scenario, verdict->scenario))
			return finding;
	}
	finding = new_finding(section);
	finding->good = verdict->a.text;
	finding->bad = verdict->b.text;
	finding->good_index = find_version(section, verdict->a.version, verdict->a.text);
	finding->bad_index = find_version(section, verdict->b.version, verdict->b.text);
	return finding;
}

static void add_seen(struct report_section *section)
{
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];
		struct report_case *item;

		if (!opens_finding(verdict) || is_filed(section, verdict))
			continue;
		item = new_case(finding_for(section, verdict));
		item->verdict = verdict;
		item->scenario = verdict->scenario;
		item->case_label = verdict->case_label;
		item->metric = verdict->metric;
	}
}

/* The last boot of a version, whole. */
static int load_boot(struct store *store, const struct result_series *series, int version,
		     struct boot_list *list, struct error *err)
{
	const struct result_value *values;
	size_t count;

	if (version == REPORT_NONE)
		return 0;
	values = results_of_version(series, (size_t)version, &count);
	return count ? store_load_boot(store, values[count - 1].boot, list, err) : 0;
}

static double size_of(const struct report_case *item)
{
	double change = item->verdict ? fabs(item->verdict->change_percent) : -1;

	return isfinite(change) ? change : INFINITY; /* from zero: infinitely more */
}

static int by_change(const void *left, const void *right)
{
	const struct report_case *a = left, *b = right;
	double x = size_of(a), y = size_of(b);
	int order = (x < y) - (x > y);

	if (!order)
		order = strcmp(a->case_label, b->case_label);
	return order ? order : strcmp(a->metric, b->metric);
}

static int complete(struct store *store, struct report_section *section,
		    struct report_finding *finding, struct error *err)
{
	qsort(finding->cases, finding->count, sizeof(*finding->cases), by_change);
	for (size_t i = 0; i < finding->count; i++) {
		struct report_case *item = &finding->cases[i];

		item->series = find_series(section, finding, item);
		if (!item->series || i >= DETAILED_CASES)
			continue;
		if (load_boot(store, item->series, finding->good_index, &item->good,
			      err) < 0 ||
		    load_boot(store, item->series, finding->bad_index, &item->bad, err) <
			    0)
			return -1;
	}
	return 0;
}

int collect_findings(struct store *store, const struct report_model *model,
		     struct report_section *section, struct error *err)
{
	for (size_t i = model->findings.count; i > 0; i--)
		add_filed(model, section, &model->findings.items[i - 1]);
	add_seen(section);
	for (size_t i = 0; i < section->finding_count; i++)
		if (complete(store, section, &section->findings[i], err) < 0)
			return -1;
	return 0;
}

void collect_findings_finish(struct report_section *section)
{
	for (size_t i = 0; i < section->finding_count; i++) {
		for (size_t j = 0; j < section->findings[i].count; j++) {
			boot_list_finish(&section->findings[i].cases[j].good);
			boot_list_finish(&section->findings[i].cases[j].bad);
		}
		free(section->findings[i].cases);
	}
	free(section->findings);
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
	const struct report_case name = {.scenario = series->scenario,
					 .case_label = series->case_label,
					 .metric = series->metric};

	memset(marks, 0, section->results.versions.count * sizeof(*marks));
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];
		int version;

		if (!strcmp(verdict->role, "baseline") || !same_case(verdict, &name) ||
		    (strcmp(verdict->verdict, "regression") &&
		     strcmp(verdict->verdict, "improvement")))
			continue;
		version = find_version(section, verdict->b.version, verdict->b.text);
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
