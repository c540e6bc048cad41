/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/queue.h"

#include "base/memory.h"
#include "store/statement_private.h"

static int add_item(struct store *store, int64_t queue, size_t position,
		    const struct queue_item *item, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO queue_items(queue, position, kind, lab, commit_id, version,"
		" scenario, boots, finding, reason) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(queue), value_integer((int64_t)position),
		       value_string(item->kind), value_string(item->lab),
		       value_string(item->commit), value_string(item->version),
		       value_string(item->scenario), value_integer(item->boots),
		       value_id(item->finding), value_string(item->reason)),
		NULL, err);
}

int store_add_queue(struct store *store, int64_t session, const struct queue_item *items,
		    size_t count, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(store, "INSERT INTO queues(session, at) VALUES(?, ?)",
			      VALUES(value_integer(session), value_time(0)), &id,
			      err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_item(store, id, i, &items[i], err) < 0)
			return -1;
	return transaction_commit(&transaction, err);
}

static int load_items(struct store *store, int64_t queue, struct queue_list *list,
		      struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT kind, lab, commit_id, version, scenario, boots,"
			      " coalesce(finding, 0), reason FROM queue_items"
			      " WHERE queue = ? ORDER BY position",
			      VALUES(value_integer(queue)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct queue_item){
			.kind = column_text(&row, 0, &list->strings),
			.lab = column_text(&row, 1, &list->strings),
			.commit = column_text(&row, 2, &list->strings),
			.version = column_text(&row, 3, &list->strings),
			.scenario = column_text(&row, 4, &list->strings),
			.boots = (int)column_integer(&row, 5),
			.finding = column_integer(&row, 6),
			.reason = column_text(&row, 7, &list->strings),
		};
	}
	return more;
}

int store_load_queue(struct store *store, const char *lab, struct queue_list *list,
		     struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int64_t id;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT q.id, q.session, q.at FROM queues q"
			      " JOIN sessions s ON s.id = q.session"
			      " WHERE ?1 IS NULL OR s.lab = ?1"
			      " ORDER BY q.id DESC LIMIT 1",
			      VALUES(value_text(lab)), err) < 0)
		return -1;
	more = statement_step(&row, err);
	if (more <= 0)
		return more;
	id = column_integer(&row, 0);
	list->session = column_integer(&row, 1);
	list->at = column_integer(&row, 2);
	return load_items(store, id, list, err);
}

void queue_list_finish(struct queue_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct queue_list){0};
}
