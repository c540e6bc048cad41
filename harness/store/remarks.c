/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"
#include "store/boots.h"
#include "store/statement_private.h"

static const char query[] =
	"SELECT b.id, v.text, s.name, b.outcome, c.label, r.run, r.word, r.start,"
	" r.length, r.size, r.text FROM session_versions o"
	" JOIN versions v ON v.id = o.version JOIN boots b ON b.kernel = v.kernel"
	" JOIN scenarios s ON s.id = b.scenario JOIN remarks r ON r.boot = b.id"
	" JOIN cases c ON c.id = r.case_id"
	" WHERE o.session = ?1 AND b.id = (SELECT max(x.id) FROM boots x"
	" JOIN scenarios t ON t.id = x.scenario"
	" WHERE x.kernel = b.kernel AND t.name = s.name)"
	" ORDER BY o.position, s.name, r.id";

static void add_row(struct remark_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct remark_row){
		.boot = column_integer(row, 0),
		.version = column_text(row, 1, &list->strings),
		.scenario = column_text(row, 2, &list->strings),
		.outcome = column_text(row, 3, &list->strings),
		.remark =
			{
				.case_label = column_text(row, 4, &list->strings),
				.run = (int)column_integer(row, 5),
				.word = column_text(row, 6, &list->strings),
				.start = column_double(row, 7),
				.length = column_double(row, 8),
				.size = column_double(row, 9),
				.text = column_text(row, 10, &list->strings),
			},
	};
}

int store_load_remarks(struct store *store, int64_t session, struct remark_list *list,
		       struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, query, VALUES(value_integer(session)), err) <
	    0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_row(list, &row);
	return more;
}

void remark_list_finish(struct remark_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct remark_list){0};
}
