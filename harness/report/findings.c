/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cases whose boots are loaded for their windows, so that a page stays a page. */
enum { DETAILED_CASES = 4 };

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

/* Sections that came before, the newer ones, have it already. */
static int is_shown(const struct report_model *model,
		    const struct report_section *section, int64_t id)
{
	for (const struct report_section *other = model->sections; other < section;
	     other++)
		for (size_t i = 0; i < other->finding_count; i++)
			if (other->findings[i].id == id)
				return 1;
	return 0;
}

static void add_filed(const struct report_model *model, struct report_section *section,
		      const struct finding_record *record)
{
	int good = report_find_version(section, record->good_version, record->good);
	int bad = report_find_version(section, record->bad_version, record->bad);
	struct report_finding *finding;

	if (good == REPORT_NONE || bad == REPORT_NONE ||
	    is_shown(model, section, record->id))
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

/* Whether a change lies where a filed finding has one, or partly so. */
static int overlaps(const struct report_section *section,
		    const struct finding_record *record,
		    const struct verdict_record *verdict)
{
	int good = report_find_version(section, record->good_version, record->good);
	int bad = report_find_version(section, record->bad_version, record->bad);
	int a = report_find_version(section, verdict->a.version, verdict->a.text);
	int b = report_find_version(section, verdict->b.version, verdict->b.text);

	if (!strcmp(record->good, verdict->a.text) &&
	    !strcmp(record->bad, verdict->b.text))
		return 1;
	return good != REPORT_NONE && bad != REPORT_NONE && a < bad && b > good;
}

static int is_filed(const struct report_model *model,
		    const struct report_section *section,
		    const struct verdict_record *verdict)
{
	for (size_t i = 0; i < model->findings.count; i++) {
		const struct finding_record *record = &model->findings.items[i];

		if (finding_has_case(record, verdict->scenario, verdict->case_label,
				     verdict->metric) &&
		    overlaps(section, record, verdict))
			return 1;
	}
	return 0;
}

static int opens_finding(const struct verdict_record *verdict)
{
	return !strcmp(verdict->verdict, "regression") && report_is_news(verdict);
}

static struct report_finding *finding_for(struct report_section *section,
					  const struct verdict_record *verdict)
{
	struct report_finding *finding;

	for (size_t i = 0; i < section->finding_count; i++) {
		finding = &section->findings[i];
		if (!strcmp(finding->good, verdict->a.text) &&
		    !strcmp(finding->bad, verdict->b.text))
			return finding;
	}
	finding = new_finding(section);
	finding->good = verdict->a.text;
	finding->bad = verdict->b.text;
	finding->good_index =
		report_find_version(section, verdict->a.version, verdict->a.text);
	finding->bad_index =
		report_find_version(section, verdict->b.version, verdict->b.text);
	return finding;
}

static void add_seen(const struct report_model *model, struct report_section *section)
{
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];
		struct report_case *item;

		if (!opens_finding(verdict) || is_filed(model, section, verdict))
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

static const char *folder_of(const struct report_section *section, int version)
{
	return version == REPORT_NONE
		       ? ""
		       : section->results.versions.items[version].build_path;
}

static void add_config(const struct report_section *section,
		       struct report_finding *finding)
{
	collect_config(folder_of(section, finding->good_index),
		       folder_of(section, finding->bad_index), &finding->config);
}

/* News first, then by where in the line it happened. */
static int by_stage(const void *left, const void *right)
{
	const struct report_finding *a = left, *b = right;

	if (a->stage != b->stage)
		return a->stage < b->stage ? -1 : 1;
	if (a->bad_index != b->bad_index)
		return a->bad_index < b->bad_index ? -1 : 1;
	if (!a->id != !b->id)
		return a->id ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

int collect_findings(struct store *store, const struct report_model *model,
		     struct report_section *section, struct error *err)
{
	for (size_t i = model->findings.count; i > 0; i--)
		add_filed(model, section, &model->findings.items[i - 1]);
	add_seen(model, section);
	for (size_t i = 0; i < section->finding_count; i++) {
		collect_stage(model, &section->findings[i]);
		add_config(section, &section->findings[i]);
		if (complete(store, section, &section->findings[i], err) < 0)
			return -1;
	}
	if (section->finding_count)
		qsort(section->findings, section->finding_count,
		      sizeof(*section->findings), by_stage);
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
		collect_config_finish(&section->findings[i].config);
	}
	free(section->findings);
}
