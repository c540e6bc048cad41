/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/sessions_private.h"

#include "base/memory.h"
#include "store/statement_private.h"

#include <stdlib.h>

enum { EXIT_INTERRUPTED = 130 };

int store_add_session(struct store *store, const struct session_record *session,
		      int64_t *ret_id, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO sessions(command, lab, program, started) VALUES(?, ?, ?, ?)",
		VALUES(value_string(session->command), value_string(session->lab),
		       value_string(session->program), value_time(session->started)),
		ret_id, err);
}

int store_end_session(struct store *store, int64_t session, int exit_code,
		      const char *reason, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO session_ends(session, finished, exit_code, reason) "
		"VALUES(?, ?, ?, ?)",
		VALUES(value_integer(session), value_time(0), value_integer(exit_code),
		       value_text(reason)),
		NULL, err);
}

static void add_session(struct session_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct session_record){
		.id = column_integer(row, 0),
		.command = column_text(row, 1, &list->strings),
		.lab = column_text(row, 2, &list->strings),
		.program = column_text(row, 3, &list->strings),
		.started = column_integer(row, 4),
		.finished = column_integer(row, 5),
		.exit_code = (int)column_integer(row, 6),
		.reason = column_text(row, 7, &list->strings),
		.boots = column_integer(row, 8),
		.verdicts = column_integer(row, 9),
		.regressions = column_integer(row, 10),
	};
}

int store_load_sessions(struct store *store, struct session_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT s.id, command, lab, program, started,"
			      " coalesce(finished, 0), coalesce(exit_code, -1), reason,"
			      " (SELECT count(*) FROM boots WHERE session = s.id),"
			      " (SELECT count(*) FROM verdicts WHERE session = s.id),"
			      " (SELECT count(*) FROM verdicts WHERE session = s.id"
			      " AND verdict = 'regression' AND role <> 'baseline')"
			      " FROM sessions s LEFT JOIN session_ends e"
			      " ON e.session = s.id ORDER BY s.id DESC",
			      NO_VALUES, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_session(list, &row);
	return more;
}

void session_list_finish(struct session_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct session_list){0};
}

int store_add_note(struct store *store, const struct note_record *note, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO notes(session, kind, version, scenario, case_label, metric,"
		" text, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(note->session), value_string(note->kind),
		       value_string(note->version), value_string(note->scenario),
		       value_string(note->case_label), value_string(note->metric),
		       value_string(note->text), value_time(note->at)),
		NULL, err);
}

static void add_note(struct note_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct note_record){
		.session = column_integer(row, 0),
		.kind = column_text(row, 1, &list->strings),
		.version = column_text(row, 2, &list->strings),
		.scenario = column_text(row, 3, &list->strings),
		.case_label = column_text(row, 4, &list->strings),
		.metric = column_text(row, 5, &list->strings),
		.text = column_text(row, 6, &list->strings),
		.at = column_integer(row, 7),
	};
}

int store_load_notes(struct store *store, int64_t session, struct note_list *list,
		     struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT session, kind, version, scenario, case_label,"
			      " metric, text, at FROM notes WHERE ?1 IN (0, session)"
			      " ORDER BY id",
			      VALUES(value_integer(session)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_note(list, &row);
	return more;
}

void note_list_finish(struct note_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct note_list){0};
}

void session_set_add(struct session_set *set, int64_t session)
{
	set->ids = memory_grow(set->ids, set->count, &set->capacity, sizeof(*set->ids));
	set->ids[set->count++] = session;
}

void session_set_finish(struct session_set *set)
{
	free(set->ids);
	*set = (struct session_set){0};
}

void session_set_write(const struct session_set *set, struct text *out)
{
	for (size_t i = 0; set && i < set->count; i++)
		text_format(out, "%s%lld", i ? "," : "[", (long long)set->ids[i]);
	if (set && set->count)
		text_add_char(out, ']');
}

int store_find_interrupted(struct store *store, int64_t session, struct session_set *set,
			   struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT s.id, coalesce(e.exit_code, -1) FROM sessions n"
		    " JOIN sessions s ON s.command = n.command AND s.lab = n.lab"
		    " AND s.id < n.id LEFT JOIN session_ends e ON e.session = s.id"
		    " WHERE n.id = ? ORDER BY s.id DESC",
		    VALUES(value_integer(session)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		int64_t code = column_integer(&row, 1);

		if (code != -1 && code != EXIT_INTERRUPTED)
			return 0;
		session_set_add(set, column_integer(&row, 0));
	}
	return more;
}
