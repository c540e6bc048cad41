/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/search.h"

#include "base/memory.h"
#include "store/statement_private.h"

int store_add_search(struct store *store, const struct search_record *search,
		     int64_t *ret_id, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO searches(session, key, kind, parameters, started)"
		" VALUES(?, ?, ?, ?, ?)",
		VALUES(value_integer(search->session), value_string(search->key),
		       value_string(search->kind), value_string(search->parameters),
		       value_time(search->started)),
		ret_id, err);
}

int store_find_search(struct store *store, const char *key, int64_t *ret_id,
		      struct error *err)
{
	int found;

	if (statement_integer(
		    store,
		    "SELECT id FROM searches WHERE key = ? ORDER BY id DESC LIMIT 1",
		    VALUES(value_text(key)), ret_id, &found, err) < 0)
		return -1;
	if (!found)
		*ret_id = 0;
	return 0;
}

static void add_search(struct search_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct search_record){
		.id = column_integer(row, 0),
		.session = column_integer(row, 1),
		.key = column_text(row, 2, &list->strings),
		.kind = column_text(row, 3, &list->strings),
		.parameters = column_text(row, 4, &list->strings),
		.started = column_integer(row, 5),
		.status = column_text(row, 6, &list->strings),
		.culprit = column_text(row, 7, &list->strings),
		.result = column_text(row, 8, &list->strings),
		.changed = column_integer(row, 9),
	};
}

static int load_suspects(struct store *store, struct search_record *search,
			 struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct suspect_record *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT commit_id, probability, tested, skipped FROM suspects"
		    " WHERE event = (SELECT max(e.id) FROM search_events e WHERE search "
		    "= ?"
		    " AND EXISTS(SELECT 1 FROM suspects s WHERE s.event = e.id))"
		    " ORDER BY position",
		    VALUES(value_integer(search->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, search->suspect_count, &capacity,
				    sizeof(*items));
		search->suspects = items;
		items[search->suspect_count++] = (struct suspect_record){
			.commit = column_text(&row, 0, strings),
			.probability = column_double(&row, 1),
			.tested = (int)column_integer(&row, 2),
			.skipped = (int)column_integer(&row, 3),
		};
	}
	return more;
}

static int load_rows(struct store *store, int64_t id, struct search_list *list,
		     struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT s.id, session, key, kind, parameters, started,"
		    " coalesce(e.status, 'running'), e.culprit, e.result,"
		    " coalesce(e.at, started) FROM searches s LEFT JOIN search_events e"
		    " ON e.id = (SELECT max(id) FROM search_events WHERE search = s.id)"
		    " WHERE ?1 IN (0, s.id) ORDER BY s.id",
		    VALUES(value_integer(id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_search(list, &row);
	return more;
}

int store_load_searches(struct store *store, int64_t id, struct search_list *list,
			struct error *err)
{
	size_t first = list->count;

	if (load_rows(store, id, list, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++)
		if (load_suspects(store, &list->items[i], &list->strings, err) < 0)
			return -1;
	return 0;
}

void search_list_finish(struct search_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((void *)list->items[i].suspects);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct search_list){0};
}

static int add_suspects(struct store *store, int64_t event_id,
			const struct search_event *event, struct error *err)
{
	CLEANUP(statement_finish) struct statement insert = {0};

	if (statement_prepare(&insert, store,
			      "INSERT INTO suspects(event, position, commit_id,"
			      " probability, tested, skipped) VALUES(?, ?, ?, ?, ?, ?)",
			      NO_VALUES, err) < 0)
		return -1;
	for (size_t i = 0; i < event->suspect_count; i++) {
		const struct suspect_record *suspect = &event->suspects[i];

		if (statement_repeat(&insert,
				     VALUES(value_integer(event_id),
					    value_integer((int64_t)i),
					    value_string(suspect->commit),
					    value_double(suspect->probability),
					    value_integer(!!suspect->tested),
					    value_integer(!!suspect->skipped)),
				     err) < 0)
			return -1;
	}
	return 0;
}

int store_add_search_event(struct store *store, int64_t search,
			   const struct search_event *event, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(
		    store,
		    "INSERT INTO search_events(search, status, culprit, result, at)"
		    " VALUES(?, ?, ?, ?, ?)",
		    VALUES(value_integer(search), value_string(event->status),
			   value_string(event->culprit), value_string(event->result),
			   value_time(0)),
		    &id, err) < 0 ||
	    add_suspects(store, id, event, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}
