/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/results.h"

#include "base/memory.h"
#include "store/sessions_private.h"
#include "store/statement_private.h"

#include <stdlib.h>
#include <string.h>

/* What a series is, in ids; found again for each sample by hashing. */
struct identity {
	int64_t scenario, environment, case_id, metric;
};

struct collector {
	struct store *store;
	const struct results_query *query;
	struct results *results;
	struct identity *identities; /* one for each series */
	size_t identity_capacity;
	uint32_t *slots; /* index of a series plus one; 0: free */
	size_t slot_count;
	size_t last;          /* series of the last sample */
	struct text boots_of; /* empty: of any session */
};

static void collector_finish(struct collector *collector)
{
	free(collector->identities);
	free(collector->slots);
	text_finish(&collector->boots_of);
}

static size_t hash(const struct identity *identity)
{
	uint64_t mix = (uint64_t)identity->scenario;

	mix = mix * 0x9e3779b97f4a7c15u + (uint64_t)identity->environment;
	mix = mix * 0x9e3779b97f4a7c15u + (uint64_t)identity->case_id;
	mix = mix * 0x9e3779b97f4a7c15u + (uint64_t)identity->metric;
	mix *= 0x9e3779b97f4a7c15u;
	return (size_t)(mix >> 20);
}

static int same(const struct identity *a, const struct identity *b)
{
	return a->scenario == b->scenario && a->environment == b->environment &&
	       a->case_id == b->case_id && a->metric == b->metric;
}

/* The slot where the identity is, or the free one where it would be. */
static uint32_t *find_slot(struct collector *collector, const struct identity *identity)
{
	size_t mask = collector->slot_count - 1;
	size_t at = hash(identity) & mask;

	while (collector->slots[at] &&
	       !same(&collector->identities[collector->slots[at] - 1], identity))
		at = (at + 1) & mask;
	return &collector->slots[at];
}

static void enlarge_slots(struct collector *collector)
{
	collector->slot_count = collector->slot_count ? collector->slot_count * 2 : 1024;
	free(collector->slots);
	collector->slots = memory_new(collector->slot_count, sizeof(*collector->slots));
	for (size_t i = 0; i < collector->results->count; i++)
		*find_slot(collector, &collector->identities[i]) = (uint32_t)i + 1;
}

static struct result_series *new_series(struct collector *collector,
					const struct identity *identity)
{
	struct results *results = collector->results;

	collector->identities =
		memory_grow(collector->identities, results->count,
			    &collector->identity_capacity, sizeof(*identity));
	collector->identities[results->count] = *identity;
	results->series = memory_grow(results->series, results->count, &results->capacity,
				      sizeof(*results->series));
	results->series[results->count] =
		(struct result_series){.environment = identity->environment};
	return &results->series[results->count++];
}

static struct result_series *find_series(struct collector *collector,
					 const struct identity *identity)
{
	struct results *results = collector->results;
	uint32_t *slot;

	if (results->count * 2 >= collector->slot_count)
		enlarge_slots(collector);
	slot = find_slot(collector, identity);
	if (*slot)
		return &results->series[*slot - 1];
	*slot = (uint32_t)results->count + 1;
	return new_series(collector, identity);
}

static void add_value(struct result_series *series, struct result_value value)
{
	series->values = memory_grow(series->values, series->count, &series->capacity,
				     sizeof(*series->values));
	series->values[series->count++] = value;
}

/* The reading of all versions is one pass over each version's boots, in our order. */
static int load_version(struct collector *collector, struct statement *row,
			uint32_t version, struct error *err)
{
	const struct results_query *query = collector->query;
	int more;

	if (statement_reset(
		    row,
		    VALUES(value_integer(
				   collector->results->versions.items[version].kernel),
			   value_text(query->scenario), value_id(query->environment),
			   value_text(query->purpose), value_text(query->case_label),
			   value_text(query->metric),
			   value_text(collector->boots_of.data)),
		    err) < 0)
		return -1;
	while ((more = statement_step(row, err)) > 0) {
		const struct identity identity = {
			column_integer(row, 0), column_integer(row, 1),
			column_integer(row, 2), column_integer(row, 3)};

		add_value(find_series(collector, &identity),
			  (struct result_value){column_double(row, 5), version,
						(uint32_t)column_integer(row, 4)});
	}
	return more;
}

static int load_values(struct collector *collector, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};

	if (statement_prepare(
		    &row, collector->store,
		    "SELECT b.scenario, b.environment, p.case_id, p.metric, b.id, p.value"
		    " FROM boots b CROSS JOIN samples p ON p.boot = b.id"
		    " WHERE b.kernel = ?1 AND b.outcome IN ('ok', 'partial')"
		    " AND (?2 IS NULL OR b.scenario IN"
		    "  (SELECT id FROM scenarios WHERE name = ?2))"
		    " AND (?3 IS NULL OR b.environment = ?3)"
		    " AND (b.purpose = ?4 OR ?4 IS NULL AND b.purpose"
		    " NOT IN ('reference', 'calibrate', 'explain'))"
		    " AND (?5 IS NULL OR p.case_id ="
		    "  (SELECT id FROM cases WHERE label = ?5))"
		    " AND (?6 IS NULL OR p.metric IN"
		    "  (SELECT id FROM metrics WHERE name = ?6))"
		    " AND (?7 IS NULL OR b.session IN (SELECT value FROM json_each(?7)))",
		    NO_VALUES, err) < 0)
		return -1;
	for (size_t i = 0; i < collector->results->versions.count; i++)
		if (load_version(collector, &row, (uint32_t)i, err) < 0)
			return -1;
	return 0;
}

static int load_moved(struct collector *collector, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct results *results = collector->results;
	int more;

	if (statement_prepare(&row, collector->store,
			      "SELECT id FROM boots WHERE session IN"
			      " (SELECT session FROM notes WHERE kind = ?) ORDER BY id",
			      VALUES(value_text(NOTE_REFERENCE_MOVED)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		results->moved =
			memory_grow(results->moved, results->moved_count,
				    &results->moved_capacity, sizeof(*results->moved));
		results->moved[results->moved_count++] =
			(uint32_t)column_integer(&row, 0);
	}
	return more;
}

static int name_series(struct collector *collector, struct statement *row, size_t index,
		       struct error *err)
{
	const struct identity *identity = &collector->identities[index];
	struct result_series *series = &collector->results->series[index];
	struct text_list *strings = &collector->results->strings;

	if (statement_reset(row,
			    VALUES(value_integer(identity->scenario),
				   value_integer(identity->case_id),
				   value_integer(identity->metric)),
			    err) < 0)
		return -1;
	if (statement_step(row, err) < 0)
		return -1;
	series->scenario = column_text(row, 0, strings);
	series->scenario_key = column_text(row, 1, strings);
	series->case_label = column_text(row, 2, strings);
	series->metric = column_text(row, 3, strings);
	series->unit = column_text(row, 4, strings);
	series->better = column_text(row, 5, strings);
	return 0;
}

static int name_all(struct collector *collector, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};

	if (statement_prepare(&row, collector->store,
			      "SELECT s.name, s.key, c.label, m.name, m.unit, m.better"
			      " FROM scenarios s, cases c, metrics m"
			      " WHERE s.id = ? AND c.id = ? AND m.id = ?",
			      NO_VALUES, err) < 0)
		return -1;
	for (size_t i = 0; i < collector->results->count; i++)
		if (name_series(collector, &row, i, err) < 0)
			return -1;
	return 0;
}

static void keep_version(struct version_list *list, int64_t id, size_t position)
{
	for (size_t i = position; i < list->count; i++)
		if (list->items[i].id == id) {
			struct version_record found = list->items[i];

			list->items[i] = list->items[position];
			list->items[position] = found;
			return;
		}
}

/* The chosen versions move to the front, in the order that was asked for. */
static int choose_versions(struct version_list *list, const struct results_query *query,
			   struct error *err)
{
	for (size_t i = 0; i < query->version_count; i++) {
		keep_version(list, query->versions[i], i);
		if (i >= list->count || list->items[i].id != query->versions[i])
			return error_set(err, ERROR_USAGE,
					 "version %lld is not stored, or asked for twice",
					 (long long)query->versions[i]);
	}
	list->count = query->version_count;
	return 0;
}

static int load_versions(struct collector *collector, struct error *err)
{
	const struct results_query *query = collector->query;
	struct version_list *list = &collector->results->versions;

	if (store_load_versions(collector->store, query->versions ? 0 : query->session,
				list, err) < 0)
		return -1;
	return query->versions ? choose_versions(list, query, err) : 0;
}

static int by_subject(const void *left, const void *right)
{
	const struct result_series *a = left, *b = right;
	int order = strcmp(a->scenario, b->scenario);

	if (!order)
		order = strverscmp(a->case_label, b->case_label); /* 8 before 64 */
	if (!order)
		order = strcmp(a->metric, b->metric);
	if (!order)
		order = (a->environment > b->environment) -
			(a->environment < b->environment);
	return order ? order : strcmp(a->scenario_key, b->scenario_key);
}

static int by_version(const void *left, const void *right)
{
	const struct result_value *a = left, *b = right;

	if (a->version != b->version)
		return a->version < b->version ? -1 : 1;
	return (a->boot > b->boot) - (a->boot < b->boot);
}

static void sort(struct results *results)
{
	for (size_t i = 0; i < results->count; i++)
		qsort(results->series[i].values, results->series[i].count,
		      sizeof(struct result_value), by_version);
	if (results->count)
		qsort(results->series, results->count, sizeof(*results->series),
		      by_subject);
}

static int collect(struct collector *collector, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin_read(&transaction, collector->store, err) < 0 ||
	    load_versions(collector, err) < 0 || load_values(collector, err) < 0 ||
	    load_moved(collector, err) < 0 || name_all(collector, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

int store_load_results(struct store *store, const struct results_query *query,
		       struct results *ret_results, struct error *err)
{
	struct results results = {0};
	CLEANUP(collector_finish)
	struct collector collector = {
		.store = store, .query = query, .results = &results};

	session_set_write(query->boots_of, &collector.boots_of);
	if (collect(&collector, err) < 0) {
		results_finish(&results);
		return -1;
	}
	sort(&results);
	*ret_results = results;
	return 0;
}

void results_finish(struct results *results)
{
	for (size_t i = 0; i < results->count; i++)
		free(results->series[i].values);
	free(results->series);
	free(results->moved);
	version_list_finish(&results->versions);
	text_list_finish(&results->strings);
	*results = (struct results){0};
}

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int results_moved(const struct results *results, uint32_t boot)
{
	return results->moved_count &&
	       bsearch(&boot, results->moved, results->moved_count, sizeof(boot),
		       by_number) != NULL;
}

const struct result_value *results_of_version(const struct result_series *series,
					      size_t version, size_t *ret_count)
{
	size_t low = 0, high = series->count, end;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (series->values[middle].version < version)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < series->count && series->values[end].version == version;
	     end++)
		;
	*ret_count = end - low;
	return series->values + low;
}

/* In this order of tables: a metric of several units is rare. */
int store_find_other_unit(struct store *store, const struct metric_name *name,
			  char **ret_other, struct error *err)
{
	CLEANUP(statement_finish) struct statement rows = {0};
	CLEANUP(text_list_finish) struct text_list strings = {0};
	int more;

	if (statement_prepare(&rows, store,
			      "SELECT m.unit || ', ' || m.better FROM metrics m"
			      " CROSS JOIN scenarios s CROSS JOIN cases c"
			      " CROSS JOIN boots b CROSS JOIN samples p"
			      " WHERE m.name = ?1 AND (m.unit <> ?2 OR m.better <> ?3)"
			      " AND s.key = ?4 AND c.label = ?5 AND b.scenario = s.id"
			      " AND p.boot = b.id AND p.case_id = c.id"
			      " AND p.metric = m.id LIMIT 1",
			      VALUES(value_text(name->metric), value_text(name->unit),
				     value_text(name->better),
				     value_text(name->scenario_key),
				     value_text(name->case_label)),
			      err) < 0)
		return -1;
	more = statement_step(&rows, err);
	if (more < 0)
		return -1;
	*ret_other = more ? memory_copy_string(column_text(&rows, 0, &strings)) : NULL;
	return 0;
}
