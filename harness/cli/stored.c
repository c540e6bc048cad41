/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/stored.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/results.h"
#include "stats/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const char *option; /* of --lab */
	const struct verdict_policy *policy;
} kinds[STORED_LABS] = {
	{"virtual", "virtual", &policy_exact},
	{"disk", "disk", &policy_statistical},
	{"import", "disk", &policy_statistical},
};

enum { KEY_SIZE = 160 };

void stored_finish(struct stored *stored)
{
	for (size_t i = 0; i < stored->environment_count; i++)
		environment_finish(&stored->environments[i].fields);
	free(stored->environments);
	for (size_t i = 0; i < stored->lab_count; i++)
		dataset_finish(&stored->labs[i].data);
	results_finish(&stored->results);
	text_list_finish(&stored->differences);
	store_close(stored->store);
	*stored = (struct stored){0};
}

static enum better parse_better(const char *word)
{
	if (!strcmp(word, "lower"))
		return BETTER_LOWER;
	return strcmp(word, "higher") ? BETTER_NONE : BETTER_HIGHER;
}

static const struct stored_environment *find_environment(const struct stored *stored,
							 int64_t id)
{
	for (size_t i = 0; i < stored->environment_count; i++)
		if (stored->environments[i].id == id)
			return &stored->environments[i];
	return NULL;
}

static const char *field_value(const struct environment *environment, const char *name)
{
	for (size_t i = 0; i < environment->count; i++)
		if (!strcmp(environment->fields[i].name, name))
			return environment->fields[i].value;
	return NULL;
}

/* Fields of a that b has not, or has otherwise, but for the allowed ones. */
static size_t count_unlike(const struct environment *a, const struct environment *b,
			   const struct text_list *allow)
{
	size_t count = strcmp(a->lab, b->lab) != 0;

	for (size_t i = 0; i < a->count; i++) {
		const char *other = field_value(b, a->fields[i].name);

		if (!text_list_contains(allow, a->fields[i].name))
			count += !other || strcmp(other, a->fields[i].value);
	}
	return count;
}

/* A level's key is "ID SCENARIO-KEY"; another scenario text is another thing. */
static int may_differ(const void *context, const char *a, const char *b)
{
	const struct stored *stored = context;
	const struct stored_environment *left = stored_environment(stored, a);
	const struct stored_environment *right = stored_environment(stored, b);

	if (!left || !right || strcmp(strchrnul(a, ' '), strchrnul(b, ' ')))
		return 0;
	return !count_unlike(&left->fields, &right->fields, stored->allow) &&
	       !count_unlike(&right->fields, &left->fields, stored->allow);
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

const struct stored_environment *stored_environment(const struct stored *stored,
						    const char *key)
{
	return key ? find_environment(stored, strtoll(key, NULL, 10)) : NULL;
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

static int add_level(const struct stored *stored, const struct result_series *series,
		     size_t version, struct dataset *data, struct error *err)
{
	char key[KEY_SIZE], boot[24];
	struct dataset_row row = {
		.version = stored->results.versions.items[version].text,
		.scenario = series->scenario,
		.case_label = series->case_label,
		.metric = series->metric,
		.unit = series->unit,
		.better = parse_better(series->better),
		.environment = key,
		.boot = boot,
	};
	size_t count;
	const struct result_value *values = results_of_version(series, version, &count);

	snprintf(key, sizeof(key), "%" PRId64 " %s", series->environment,
		 series->scenario_key);
	for (size_t i = 0; i < count; i++) {
		snprintf(boot, sizeof(boot), "%u", values[i].boot);
		row.value = values[i].value;
		if (dataset_add(data, &row, err))
			return -1;
	}
	return 0;
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
static int add_version(const struct stored *stored, const char *lab, size_t version,
		       const size_t *versions, struct dataset *data, struct error *err)
{
	const struct results *results = &stored->results;
	size_t next;

	for (size_t i = 0; i < results->count; i = next) {
		const struct result_series *first = &results->series[i], *chosen;
		struct group group = {first, 0, versions + i};

		for (next = i; next < results->count; next++)
			if (!same_name(first, &results->series[next]) ||
			    !is_of_lab(stored, &results->series[next], lab))
				break;
		if (next == i) {
			next++;
			continue;
		}
		group.count = next - i;
		chosen = choose(&group, version);
		if (chosen && add_level(stored, chosen, version, data, err))
			return -1;
	}
	return 0;
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
		    add_version(stored, kinds[lab].name, i, versions, &place->data, err))
			return -1;
	dataset_complete(&place->data);
	place->data.measurements.may_differ = stored->allow ? may_differ : NULL;
	place->data.measurements.context = stored;
	if (place->policy.rule == RULE_EXACT)
		measurements_check_identity(&place->data.measurements);
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

static int load_labs(struct stored *stored, const char *wanted, struct error *err)
{
	struct results *results = &stored->results;
	CLEANUP(cleanup_free) size_t *versions = memory_new(results->count, 8);

	qsort_r(results->series, results->count, sizeof(*results->series),
		by_name_and_lab, stored);
	for (size_t i = 0; i < results->count; i++)
		versions[i] = count_versions(&results->series[i]);
	for (size_t lab = 0; lab < STORED_LABS; lab++)
		if ((!wanted || !strcmp(wanted, kinds[lab].option)) &&
		    load_lab(stored, lab, versions, err))
			return -1;
	return 0;
}

static int load(struct stored *stored, const struct context *context, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	struct results_query query = {0};

	if (results_folder(context, &folder, err) ||
	    results_open(folder, &stored->store, err) ||
	    store_load_results(stored->store, &query, &stored->results, err))
		return -1;
	for (size_t i = 0; i < stored->results.count; i++)
		if (add_environment(stored, stored->results.series[i].environment, err))
			return -1;
	return load_labs(stored, context->lab, err);
}

int stored_load(const struct context *context, const struct text_list *allow,
		struct stored *ret_stored, struct error *err)
{
	*ret_stored = (struct stored){.allow = allow && allow->count ? allow : NULL};
	if (!load(ret_stored, context, err))
		return 0;
	stored_finish(ret_stored);
	return -1;
}

static void add_differences(const struct environment *a, const struct environment *b,
			    struct text *text)
{
	for (size_t i = 0; i < a->count; i++) {
		const char *name = a->fields[i].name, *other = field_value(b, name);

		if (other && !strcmp(other, a->fields[i].value))
			continue;
		text_format(text, "%s%s: %s became %s", text->size ? ", " : "", name,
			    a->fields[i].value, other ? other : "nothing");
	}
	for (size_t i = 0; i < b->count; i++)
		if (!field_value(a, b->fields[i].name))
			text_format(text, "%s%s: nothing became %s",
				    text->size ? ", " : "", b->fields[i].name,
				    b->fields[i].value);
}

static void explain(struct stored *stored, struct comparison *c)
{
	const struct stored_environment *a = stored_environment(stored, c->a_environment);
	const struct stored_environment *b = stored_environment(stored, c->b_environment);
	CLEANUP(text_finish) struct text text = {0};
	const char *a_text, *b_text;

	if (!a || !b)
		return;
	a_text = strchr(c->a_environment, ' ');
	b_text = strchr(c->b_environment, ' ');
	add_differences(&a->fields, &b->fields, &text);
	if (a_text && b_text && strcmp(a_text, b_text))
		text_format(&text, "%sthe scenario was changed", text.size ? ", " : "");
	text_list_add(&stored->differences, text_string(&text));
	c->difference = stored->differences.items[stored->differences.count - 1];
}

void stored_explain(struct stored *stored, struct comparisons *comparisons)
{
	for (size_t i = 0; i < comparisons->count; i++)
		if (comparison_has(&comparisons->items[i], REASON_ENVIRONMENT_DIFFERS))
			explain(stored, &comparisons->items[i]);
}
