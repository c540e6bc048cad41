/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"
#include "store/search.h"
#include "store/statement_private.h"

static int add_values(struct store *store, int64_t id, const struct step_record *step,
		      struct error *err)
{
	for (size_t i = 0; i < step->value_count; i++)
		if (statement_execute(store,
				      "INSERT INTO step_values(step, position, value)"
				      " VALUES(?, ?, ?)",
				      VALUES(value_integer(id), value_integer((int64_t)i),
					     value_double(step->values[i])),
				      NULL, err) < 0)
			return -1;
	return 0;
}

int store_add_step(struct store *store, int64_t search, const struct step_record *step,
		   struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(
		    store,
		    "INSERT INTO steps(search, commit_id, outcome, detail, purpose,"
		    " built, build_seconds, seconds, boot, started)"
		    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    VALUES(value_integer(search), value_string(step->commit),
			   value_string(step->outcome), value_string(step->detail),
			   value_string(step->purpose), value_integer(!!step->built),
			   value_double(step->build_seconds), value_double(step->seconds),
			   value_id(step->boot), value_time(step->started)),
		    &id, err) < 0 ||
	    add_values(store, id, step, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

static void add_step(struct step_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct step_record){
		.commit = column_text(row, 2, &list->strings),
		.outcome = column_text(row, 3, &list->strings),
		.detail = column_text(row, 4, &list->strings),
		.purpose = column_text(row, 5, &list->strings),
		.built = (int)column_integer(row, 6),
		.build_seconds = column_double(row, 7),
		.seconds = column_double(row, 8),
		.boot = column_integer(row, 9),
		.started = column_integer(row, 10),
	};
}

static void add_value(struct step_record *step, double value, size_t *capacity)
{
	double *values = memory_grow((void *)step->values, step->value_count, capacity,
				     sizeof(*values));

	values[step->value_count++] = value;
	step->values = values;
}

/* One row for each value, and one without a value for a step that has none. */
int store_load_steps(struct store *store, int64_t search, struct step_list *list,
		     struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int64_t last = 0;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT s.id, v.position IS NOT NULL, commit_id, outcome,"
			      " detail, purpose, built, build_seconds, seconds,"
			      " coalesce(boot, 0), started, v.value"
			      " FROM steps s LEFT JOIN step_values v ON v.step = s.id"
			      " WHERE search = ? ORDER BY s.id, v.position",
			      VALUES(value_integer(search)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		if (column_integer(&row, 0) != last) {
			add_step(list, &row);
			capacity = 0;
		}
		last = column_integer(&row, 0);
		if (column_integer(&row, 1))
			add_value(&list->items[list->count - 1], column_double(&row, 11),
				  &capacity);
	}
	return more;
}

void step_list_finish(struct step_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((void *)list->items[i].values);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct step_list){0};
}
