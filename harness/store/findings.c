/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/findings.h"

#include "base/memory.h"
#include "store/statement_private.h"

int store_add_finding_case(struct store *store, int64_t finding,
			   const struct finding_case *item, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO finding_cases(finding, scenario, case_label, metric,"
		" verdict) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		VALUES(value_integer(finding), value_string(item->scenario),
		       value_string(item->case_label), value_string(item->metric),
		       value_id(item->verdict)),
		NULL, err);
}

int store_add_finding_event(struct store *store, int64_t finding,
			    const struct finding_event *event, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO finding_events(finding, session, kind, version, commit_id,"
		" text, search, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(finding), value_integer(event->session),
		       value_string(event->kind), value_string(event->version),
		       value_string(event->commit), value_string(event->text),
		       value_id(event->search), value_time(event->at)),
		NULL, err);
}

static int add_cases(struct store *store, int64_t id,
		     const struct finding_record *finding, struct error *err)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (store_add_finding_case(store, id, &finding->cases[i], err) < 0)
			return -1;
	return 0;
}

int store_add_finding(struct store *store, const struct finding_record *finding,
		      int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	const struct finding_event opened = {
		.session = finding->session,
		.kind = "opened",
		.version = finding->bad,
		.at = finding->opened,
	};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(store,
			      "INSERT INTO findings(session, lab, good, bad, opened)"
			      " VALUES(?, ?, ?, ?, ?)",
			      VALUES(value_integer(finding->session),
				     value_string(finding->lab),
				     value_integer(finding->good_version),
				     value_integer(finding->bad_version),
				     value_time(finding->opened)),
			      &id, err) < 0 ||
	    add_cases(store, id, finding, err) < 0 ||
	    store_add_finding_event(store, id, &opened, err) < 0 ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

int store_find_finding(struct store *store, const char *lab, int64_t good_version,
		       int64_t bad_version, const struct finding_case *item,
		       int64_t *ret_id, struct error *err)
{
	int found;

	if (statement_integer(
		    store,
		    "SELECT f.id FROM findings f JOIN finding_cases c ON c.finding = f.id"
		    " WHERE f.lab = ? AND f.good = ? AND f.bad = ? AND c.scenario = ?"
		    " AND c.case_label = ? AND c.metric = ? ORDER BY f.id DESC LIMIT 1",
		    VALUES(value_string(lab), value_integer(good_version),
			   value_integer(bad_version), value_string(item->scenario),
			   value_string(item->case_label), value_string(item->metric)),
		    ret_id, &found, err) < 0)
		return -1;
	if (!found)
		*ret_id = 0;
	return 0;
}

static int load_rows(struct store *store, struct finding_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT f.id, f.session, f.lab, f.good, f.bad, g.text,"
			      " b.text, f.opened FROM findings f"
			      " JOIN versions g ON g.id = f.good"
			      " JOIN versions b ON b.id = f.bad ORDER BY f.id",
			      NO_VALUES, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct finding_record){
			.id = column_integer(&row, 0),
			.session = column_integer(&row, 1),
			.lab = column_text(&row, 2, &list->strings),
			.good_version = column_integer(&row, 3),
			.bad_version = column_integer(&row, 4),
			.good = column_text(&row, 5, &list->strings),
			.bad = column_text(&row, 6, &list->strings),
			.opened = column_integer(&row, 7),
		};
	}
	return more;
}

static int load_cases(struct store *store, struct finding_record *finding,
		      struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct finding_case *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT scenario, case_label, metric, coalesce(verdict, 0)"
			      " FROM finding_cases WHERE finding = ?"
			      " ORDER BY scenario, case_label, metric",
			      VALUES(value_integer(finding->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, finding->case_count, &capacity,
				    sizeof(*items));
		finding->cases = items;
		items[finding->case_count++] = (struct finding_case){
			.scenario = column_text(&row, 0, strings),
			.case_label = column_text(&row, 1, strings),
			.metric = column_text(&row, 2, strings),
			.verdict = column_integer(&row, 3),
		};
	}
	return more;
}

static int load_events(struct store *store, struct finding_record *finding,
		       struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct finding_event *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT session, kind, version, commit_id, text,"
			      " coalesce(search, 0), at FROM finding_events"
			      " WHERE finding = ? ORDER BY id",
			      VALUES(value_integer(finding->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, finding->event_count, &capacity,
				    sizeof(*items));
		finding->events = items;
		items[finding->event_count++] = (struct finding_event){
			.session = column_integer(&row, 0),
			.kind = column_text(&row, 1, strings),
			.version = column_text(&row, 2, strings),
			.commit = column_text(&row, 3, strings),
			.text = column_text(&row, 4, strings),
			.search = column_integer(&row, 5),
			.at = column_integer(&row, 6),
		};
	}
	return more;
}

int store_load_findings(struct store *store, struct finding_list *list, struct error *err)
{
	size_t first = list->count;

	if (load_rows(store, list, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++)
		if (load_cases(store, &list->items[i], &list->strings, err) < 0 ||
		    load_events(store, &list->items[i], &list->strings, err) < 0)
			return -1;
	return 0;
}

void finding_list_finish(struct finding_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free((void *)list->items[i].cases);
		free((void *)list->items[i].events);
	}
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct finding_list){0};
}

const char *finding_state(const struct finding_record *finding)
{
	return finding->event_count ? finding->events[finding->event_count - 1].kind : "";
}
