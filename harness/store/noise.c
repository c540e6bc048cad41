/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/noise.h"

#include "base/memory.h"
#include "store/statement_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_row(struct store *store, int64_t calibration,
		   const struct noise_record *row, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO noise(calibration, case_label, metric, median,"
		" spread_percent, floor_percent, finds_5_percent, finds_8_percent,"
		" finds_12_percent, trials, alarms)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(calibration), value_string(row->case_label),
		       value_string(row->metric), value_double(row->median),
		       value_double(row->spread_percent),
		       value_double(row->floor_percent),
		       value_double(row->finds_percent[0]),
		       value_double(row->finds_percent[1]),
		       value_double(row->finds_percent[2]), value_integer(row->trials),
		       value_integer(row->alarms)),
		NULL, err);
}

int store_add_calibration(struct store *store, const struct calibration_record *record,
			  struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(
		    store,
		    "INSERT INTO calibrations(session, environment, version, scenario,"
		    " boots, seed, at) VALUES(?, ?, ?, ?, ?, ?, ?)",
		    VALUES(value_integer(record->session),
			   value_integer(record->environment),
			   value_string(record->version), value_string(record->scenario),
			   value_integer(record->boots), value_integer(record->seed),
			   value_time(0)),
		    &id, err) < 0)
		return -1;
	for (size_t i = 0; i < record->count; i++)
		if (add_row(store, id, &record->rows[i], err) < 0)
			return -1;
	return transaction_commit(&transaction, err);
}

static int compare_floors(const struct floor_record *a, const struct floor_record *b)
{
	int order = (a->environment > b->environment) - (a->environment < b->environment);

	order = order ? order : strcmp(a->scenario, b->scenario);
	order = order ? order : strcmp(a->case_label, b->case_label);
	return order ? order : strcmp(a->metric, b->metric);
}

static int by_subject(const void *left, const void *right)
{
	return compare_floors(left, right);
}

int store_load_floors(struct store *store, struct floor_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT c.environment, c.scenario, n.case_label, n.metric,"
		    " n.floor_percent, max(c.id) FROM noise n"
		    " JOIN calibrations c ON c.id = n.calibration"
		    " GROUP BY c.environment, c.scenario, n.case_label, n.metric",
		    NO_VALUES, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct floor_record){
			.environment = column_integer(&row, 0),
			.scenario = column_text(&row, 1, &list->strings),
			.case_label = column_text(&row, 2, &list->strings),
			.metric = column_text(&row, 3, &list->strings),
			.floor_percent = column_double(&row, 4),
		};
	}
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_subject);
	return more;
}

void floor_list_finish(struct floor_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct floor_list){0};
}

double floor_find(const struct floor_list *list, int64_t environment,
		  const char *scenario, const char *case_label, const char *metric)
{
	struct floor_record wanted = {environment, scenario, case_label, metric, 0};
	const struct floor_record *found =
		list->count ? bsearch(&wanted, list->items, list->count,
				      sizeof(*list->items), by_subject)
			    : NULL;

	return found && isfinite(found->floor_percent) ? found->floor_percent : 0;
}
