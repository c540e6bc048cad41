/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/stored.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/accepted.h"
#include "cli/levels.h"
#include "cli/results.h"
#include "stats/verdict.h"

#include <stdlib.h>
#include <string.h>

#define IMPORT "import" /* numbers of others: no scenario file speaks of them */

static const struct {
	const char *name;
	enum config_lab lab; /* as --lab says it */
	const struct verdict_policy *policy;
} kinds[STORED_LABS] = {
	{"virtual", CONFIG_VIRTUAL, &policy_exact},
	{"disk", CONFIG_DISK, &policy_sequential},
	{IMPORT, CONFIG_DISK, &policy_statistical},
};

void stored_finish(struct stored *stored)
{
	for (size_t i = 0; i < stored->environment_count; i++)
		environment_finish(&stored->environments[i].fields);
	free(stored->environments);
	for (size_t i = 0; i < stored->lab_count; i++)
		dataset_finish(&stored->labs[i].data);
	results_finish(&stored->results);
	text_list_finish(&stored->differences);
	floor_list_finish(&stored->floors);
	finding_list_finish(&stored->findings);
	judged_finish(&stored->judged);
	config_finish(&stored->config);
	store_close(stored->store);
	*stored = (struct stored){0};
}

static const struct stored_environment *find_environment(const struct stored *stored,
							 int64_t id)
{
	for (size_t i = 0; i < stored->environment_count; i++)
		if (stored->environments[i].id == id)
			return &stored->environments[i];
	return NULL;
}

/* Fields of a that b has not, or has otherwise, but for the allowed ones. */
static size_t count_unlike(const struct environment *a, const struct environment *b,
			   const struct text_list *allow)
{
	size_t count = strcmp(a->lab, b->lab) != 0;

	for (size_t i = 0; i < a->count; i++) {
		const char *other = stored_field(b, a->fields[i].name);

		if (!text_list_contains(allow, a->fields[i].name))
			count += !other || strcmp(other, a->fields[i].value);
	}
	return count;
}

/* Another text of the scenario is another thing. */
static int may_differ(const void *context, const char *a, const char *b)
{
	const struct stored *stored = context;
	const struct stored_environment *left = stored_environment(stored, a);
	const struct stored_environment *right = stored_environment(stored, b);

	if (!left || !right || strcmp(levels_scenario_key(a), levels_scenario_key(b)))
		return 0;
	return !count_unlike(&left->fields, &right->fields, stored->options.allow) &&
	       !count_unlike(&right->fields, &left->fields, stored->options.allow);
}

static int add_environment(struct stored *stored, int64_t id, struct error *err)
{
	struct stored_environment environment = {.id = id};

	if (find_environment(stored, id))
		return 0;
	if (store_load_environment(stored->store, id, &environment.fields, err))
		return -1;
	stored->environments =
		memory_grow(stored->environments, stored->environment_count,
			    &stored->environment_capacity, sizeof(environment));
	stored->environments[stored->environment_count++] = environment;
	return 0;
}

static int has_field(const struct stored *stored, const char *name, struct text *names)
{
	for (size_t i = 0; i < stored->environment_count; i++) {
		const struct environment *fields = &stored->environments[i].fields;

		for (size_t k = 0; k < fields->count; k++) {
			if (!strcmp(fields->fields[k].name, name))
				return 1;
			if (!i)
				text_format(names, "%s%s", k ? ", " : "",
					    fields->fields[k].name);
		}
	}
	return 0;
}

static int check_allowed(const struct stored *stored, struct error *err)
{
	const struct text_list *allow = stored->options.allow;

	for (size_t i = 0; allow && stored->environment_count && i < allow->count; i++) {
		CLEANUP(text_finish) struct text names = {0};

		if (!has_field(stored, allow->items[i], &names))
			return error_set(err, ERROR_USAGE,
					 "--allow %s: no environment has that field; "
					 "there are: %s",
					 allow->items[i], text_string(&names));
	}
	return 0;
}

const struct stored_environment *stored_environment(const struct stored *stored,
						    const char *key)
{
	return key ? find_environment(stored, levels_environment(key)) : NULL;
}

static int same_name(const struct result_series *a, const struct result_series *b)
{
	return !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->case_label, b->case_label) && !strcmp(a->metric, b->metric) &&
	       !strcmp(a->unit, b->unit) && !strcmp(a->better, b->better);
}

static size_t count_versions(const struct result_series *series)
{
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++)
		count += !i || series->values[i].version != series->values[i - 1].version;
	return count;
}

/* Series of one name stand together; they differ in environment and scenario text. */
struct group {
	const struct result_series *first;
	size_t count;
	const size_t *versions; /* that each of them has */
};

static const struct result_series *choose(const struct group *group, size_t version)
{
	const struct result_series *best = NULL;
	size_t most = 0, count;

	for (size_t i = 0; i < group->count; i++) {
		const struct result_series *series = &group->first[i];

		results_of_version(series, version, &count);
		/* The newest of equals: ids grow. */
		if (!count || group->versions[i] < most ||
		    (best && group->versions[i] == most &&
		     series->environment < best->environment))
			continue;
		best = series;
		most = group->versions[i];
	}
	return best;
}

static int is_of_lab(const struct stored *stored, const struct result_series *series,
		     const char *lab)
{
	return !strcmp(find_environment(stored, series->environment)->fields.lab, lab);
}

/* The same text may stand for an older kernel too: the newest row counts. */
static int is_newest(const struct version_list *versions, size_t version)
{
	const struct version_record *items = versions->items;

	for (size_t i = 0; i < versions->count; i++)
		if (items[i].id > items[version].id &&
		    !strcmp(items[i].text, items[version].text))
			return 0;
	return 1;
}

/* Version by version, since a dataset orders versions by their first appearance. */
static int add_version(const struct stored *stored, const struct stored_lab *lab,
		       size_t version, const size_t *versions, struct dataset *data,
		       struct error *err)
{
	const struct results *results = &stored->results;
	size_t next;

	for (size_t i = 0; i < results->count; i = next) {
		const struct result_series *first = &results->series[i], *chosen;
		struct group group = {first, 0, versions + i};

		for (next = i; next < results->count; next++)
			if (!same_name(first, &results->series[next]) ||
			    !is_of_lab(stored, &results->series[next], lab->name))
				break;
		if (next == i) {
			next++;
			continue;
		}
		group.count = next - i;
		chosen = choose(&group, version);
		if (chosen && levels_add(results, chosen, version,
					 lab->policy.rule == RULE_EXACT, data, err))
			return -1;
	}
	return 0;
}

/* What the scenarios' files say of their metrics. */
static void set_minimum_effects(struct stored *stored, enum config_lab lab,
				struct measurements *measurements)
{
	for (size_t i = 0; i < measurements->count; i++) {
		struct series *series = &measurements->series[i];
		const struct scenario_metric *metric;

		judged_metric(&stored->judged, lab, series->name.scenario,
			      series->name.metric, &metric);
		if (!metric)
			continue;
		series->minimum_change = metric->min_change;
		if (metric->min_effect > 0)
			series->minimum_effect = metric->min_effect / 100;
	}
}

static int load_lab(struct stored *stored, size_t lab, const size_t *versions,
		    struct error *err)
{
	struct stored_lab *place = &stored->labs[stored->lab_count];
	const struct version_list *list = &stored->results.versions;

	place->name = kinds[lab].name;
	place->policy = *kinds[lab].policy;
	/* Counted at once, so that a failure further on frees it. */
	stored->lab_count++;
	for (size_t i = 0; i < list->count; i++)
		if (is_newest(list, i) &&
		    add_version(stored, place, i, versions, &place->data, err))
			return -1;
	levels_complete(&stored->results, place->policy.rule == RULE_EXACT, &place->data);
	place->data.measurements.may_differ = stored->options.allow ? may_differ : NULL;
	place->data.measurements.context = stored;
	place->data.measurements.baseline = stored->config.baseline;
	levels_set_floors(&stored->floors, &place->data.measurements);
	accepted_mark(&stored->findings, place->name, &place->data.measurements);
	if (strcmp(place->name, IMPORT) && stored->options.min_effect < 0)
		set_minimum_effects(stored, kinds[lab].lab, &place->data.measurements);
	if (!place->data.measurements.count) {
		dataset_finish(&place->data);
		stored->lab_count--;
	}
	return 0;
}

static int by_name_and_lab(const void *left, const void *right, void *context)
{
	const struct result_series *a = left, *b = right;
	const struct stored *stored = context;
	int order = strcmp(a->scenario, b->scenario);

	order = order ? order : strcmp(a->case_label, b->case_label);
	order = order ? order : strcmp(a->metric, b->metric);
	order = order ? order : strcmp(a->unit, b->unit);
	order = order ? order : strcmp(a->better, b->better);
	if (!order)
		order = strcmp(find_environment(stored, a->environment)->fields.lab,
			       find_environment(stored, b->environment)->fields.lab);
	return order ? order
		     : (a->environment > b->environment) -
			       (a->environment < b->environment);
}

static int is_judged(struct stored *stored, const struct result_series *series)
{
	const char *lab = find_environment(stored, series->environment)->fields.lab;
	const struct scenario_metric *metric;

	if (!strcmp(lab, IMPORT))
		return 1;
	return judged_metric(&stored->judged, config_choose_lab(&stored->config, lab),
			     series->scenario, series->metric, &metric);
}

/* Leaves out what the scenarios do not judge. */
static void drop_unjudged(struct stored *stored)
{
	struct results *results = &stored->results;

	for (size_t i = 0; i < results->count; i++)
		if (!is_judged(stored, &results->series[i]))
			results->series[i].count = 0;
}

static int load_labs(struct stored *stored, const char *wanted, struct error *err)
{
	struct results *results = &stored->results;
	CLEANUP(cleanup_free) size_t *versions = memory_new(results->count, 8);

	qsort_r(results->series, results->count, sizeof(*results->series),
		by_name_and_lab, stored);
	for (size_t i = 0; i < results->count; i++)
		versions[i] = count_versions(&results->series[i]);
	for (size_t lab = 0; lab < STORED_LABS; lab++)
		if ((!wanted || !strcmp(wanted, config_lab_names[kinds[lab].lab])) &&
		    load_lab(stored, lab, versions, err))
			return -1;
	return 0;
}

static int load(struct stored *stored, const struct context *context, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	struct results_query query = {0};

	if (config_load(context->config_path, &stored->config, err))
		return -1;
	folder = results_choose(context, &stored->config);
	if (results_open(folder, &stored->store, err) ||
	    store_load_results(stored->store, &query, &stored->results, err) ||
	    store_load_floors(stored->store, &stored->floors, err) ||
	    store_load_findings(stored->store, &stored->findings, err))
		return -1;
	for (size_t i = 0; i < stored->results.count; i++)
		if (add_environment(stored, stored->results.series[i].environment, err))
			return -1;
	if (check_allowed(stored, err))
		return -1;
	if (judged_init(&stored->config, stored->store, &stored->judged, err))
		return -1;
	if (!stored->options.all_metrics)
		drop_unjudged(stored);
	return load_labs(stored, context->lab, err);
}

int stored_load(const struct context *context, const struct stored_options *options,
		struct stored *ret_stored, struct error *err)
{
	*ret_stored = (struct stored){.options = *options};
	if (options->allow && !options->allow->count)
		ret_stored->options.allow = NULL;
	if (!load(ret_stored, context, err))
		return 0;
	stored_finish(ret_stored);
	return -1;
}
