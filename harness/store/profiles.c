/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/profiles.h"

#include "base/memory.h"
#include "store/statement_private.h"

static int add_row(struct store *store, const struct profile_record *profile,
		   int64_t *ret_id, struct error *err)
{
	int64_t label;

	if (statement_intern(store, "SELECT id FROM cases WHERE label = ?",
			     VALUES(value_string(profile->case_label)),
			     "INSERT INTO cases(label) VALUES(?)",
			     VALUES(value_string(profile->case_label)), &label, err) < 0)
		return -1;
	return statement_execute(
		store,
		"INSERT INTO profiles(boot, case_id, runs, outside, nanoseconds,"
		" operations, elapsed, read_requests, write_requests, flush_requests)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(profile->boot), value_integer(label),
		       value_integer(profile->runs), value_integer(profile->outside),
		       value_double(profile->nanoseconds),
		       value_double(profile->operations), value_double(profile->elapsed),
		       value_double(profile->read_requests),
		       value_double(profile->write_requests),
		       value_double(profile->flush_requests)),
		ret_id, err);
}

/* A kernel has many functions, and most are known from the profile before. */
static int add_lines(struct store *store, int64_t id,
		     const struct profile_record *profile, struct error *err)
{
	CLEANUP(statement_finish) struct statement name = {0};
	CLEANUP(statement_finish) struct statement line = {0};

	if (statement_prepare(&name, store,
			      "INSERT OR IGNORE INTO functions(name, file) VALUES(?, ?)",
			      NO_VALUES, err) < 0 ||
	    statement_prepare(
		    &line, store,
		    "INSERT INTO profile_lines(profile, function, instructions, calls)"
		    " SELECT ?, id, ?, ? FROM functions WHERE name = ? AND file = ?",
		    NO_VALUES, err) < 0)
		return -1;
	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *item = &profile->lines[i];

		if (statement_repeat(
			    &name,
			    VALUES(value_string(item->name), value_string(item->file)),
			    err) < 0 ||
		    statement_repeat(
			    &line,
			    VALUES(value_integer(id), value_integer(item->instructions),
				   value_integer(item->calls), value_string(item->name),
				   value_string(item->file)),
			    err) < 0)
			return -1;
	}
	return 0;
}

int store_add_profile(struct store *store, const struct profile_record *profile,
		      int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    add_row(store, profile, &id, err) < 0 ||
	    add_lines(store, id, profile, err) < 0 ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

int store_find_profile(struct store *store, int64_t boot, const char *case_label,
		       int64_t *ret_id, struct error *err)
{
	int found;

	if (statement_integer(store,
			      "SELECT p.id FROM profiles p JOIN cases c ON c.id = "
			      "p.case_id WHERE p.boot = ? AND c.label = ?",
			      VALUES(value_integer(boot), value_string(case_label)),
			      ret_id, &found, err) < 0)
		return -1;
	if (!found)
		*ret_id = 0;
	return 0;
}

static int load_lines(struct store *store, struct profile_record *profile,
		      struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct profile_line *lines = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT name, file, instructions, calls FROM profile_lines"
			      " JOIN functions ON functions.id = function"
			      " WHERE profile = ? ORDER BY name, file",
			      VALUES(value_integer(profile->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		lines = memory_grow(lines, profile->line_count, &capacity,
				    sizeof(*lines));
		profile->lines = lines;
		lines[profile->line_count++] = (struct profile_line){
			.name = column_text(&row, 0, strings),
			.file = column_text(&row, 1, strings),
			.instructions = column_integer(&row, 2),
			.calls = column_integer(&row, 3),
		};
	}
	return more;
}

static int load_row(struct store *store, int64_t id, struct profile_list *list,
		    struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int found;

	if (statement_prepare(
		    &row, store,
		    "SELECT p.id, boot, c.label, runs, outside, nanoseconds, operations,"
		    " elapsed, read_requests, write_requests, flush_requests"
		    " FROM profiles p JOIN cases c ON c.id = p.case_id WHERE p.id = ?",
		    VALUES(value_integer(id)), err) < 0)
		return -1;
	found = statement_step(&row, err);
	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_USAGE, "%s: there is no profile %lld",
				 store_path(store), (long long)id);
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct profile_record){
		.id = column_integer(&row, 0),
		.boot = column_integer(&row, 1),
		.case_label = column_text(&row, 2, &list->strings),
		.runs = column_integer(&row, 3),
		.outside = column_integer(&row, 4),
		.nanoseconds = column_double(&row, 5),
		.operations = column_double(&row, 6),
		.elapsed = column_double(&row, 7),
		.read_requests = column_double(&row, 8),
		.write_requests = column_double(&row, 9),
		.flush_requests = column_double(&row, 10),
	};
	return 0;
}

int store_load_profile(struct store *store, int64_t id, struct profile_list *list,
		       struct error *err)
{
	if (load_row(store, id, list, err) < 0)
		return -1;
	return load_lines(store, &list->items[list->count - 1], &list->strings, err);
}

void profile_list_finish(struct profile_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((void *)list->items[i].lines);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct profile_list){0};
}

static int find_explanation(struct store *store, const struct explanation_record *record,
			    int *ret_found, struct error *err)
{
	int64_t id;

	return statement_integer(
		store, "SELECT id FROM explanations WHERE a = ? AND b = ?",
		VALUES(value_integer(record->a), value_integer(record->b)), &id,
		ret_found, err);
}

static int add_changed_code(struct store *store, int64_t id,
			    const struct explanation_record *record, struct error *err)
{
	for (size_t i = 0; i < record->changed_code_count; i++)
		if (statement_execute(
			    store,
			    "INSERT OR IGNORE INTO changed_code(explanation, function)"
			    " SELECT ?, id FROM functions WHERE name = ? AND file = ?",
			    VALUES(value_integer(id),
				   value_string(record->changed_code[i].name),
				   value_string(record->changed_code[i].file)),
			    NULL, err) < 0)
			return -1;
	return 0;
}

int store_add_explanation(struct store *store, const struct explanation_record *record,
			  struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	int64_t id;
	int found;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    find_explanation(store, record, &found, err) < 0)
		return -1;
	if (found)
		return transaction_commit(&transaction, err);
	if (statement_execute(
		    store,
		    "INSERT INTO explanations(session, a, b, a_version, b_version,"
		    " sentence, at) VALUES(?, ?, ?, ?, ?, ?, ?)",
		    VALUES(value_integer(record->session), value_integer(record->a),
			   value_integer(record->b), value_integer(record->a_version),
			   value_integer(record->b_version),
			   value_string(record->sentence), value_time(record->at)),
		    &id, err) < 0 ||
	    add_changed_code(store, id, record, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

static void add_explanation(struct explanation_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct explanation_record){
		.id = column_integer(row, 0),
		.session = column_integer(row, 1),
		.a = column_integer(row, 2),
		.b = column_integer(row, 3),
		.a_version = column_integer(row, 4),
		.b_version = column_integer(row, 5),
		.sentence = column_text(row, 6, &list->strings),
		.at = column_integer(row, 7),
		.scenario = column_text(row, 8, &list->strings),
		.case_label = column_text(row, 9, &list->strings),
		.a_text = column_text(row, 10, &list->strings),
		.b_text = column_text(row, 11, &list->strings),
		.a_commit = column_text(row, 12, &list->strings),
		.b_commit = column_text(row, 13, &list->strings),
	};
}

static int load_changed_code(struct store *store, struct explanation_record *record,
			     struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct profile_line *lines = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT name, file FROM changed_code JOIN functions"
			      " ON functions.id = function WHERE explanation = ?"
			      " ORDER BY name, file",
			      VALUES(value_integer(record->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		lines = memory_grow(lines, record->changed_code_count, &capacity,
				    sizeof(*lines));
		record->changed_code = lines;
		lines[record->changed_code_count++] = (struct profile_line){
			.name = column_text(&row, 0, strings),
			.file = column_text(&row, 1, strings),
		};
	}
	return more;
}

static int load_explanations(struct store *store, struct explanation_list *list,
			     struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT e.id, e.session, e.a, e.b, a_version, b_version, sentence,"
		    " at, s.name, c.label, v.text, w.text, v.commit_id, w.commit_id"
		    " FROM explanations e JOIN profiles p ON p.id = e.b"
		    " JOIN cases c ON c.id = p.case_id JOIN boots b ON b.id = p.boot"
		    " JOIN scenarios s ON s.id = b.scenario"
		    " JOIN versions v ON v.id = a_version"
		    " JOIN versions w ON w.id = b_version ORDER BY e.id DESC",
		    NO_VALUES, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_explanation(list, &row);
	return more;
}

int store_load_explanations(struct store *store, struct explanation_list *list,
			    struct error *err)
{
	size_t first = list->count;

	if (load_explanations(store, list, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++)
		if (load_changed_code(store, &list->items[i], &list->strings, err) < 0)
			return -1;
	return 0;
}

void explanation_list_finish(struct explanation_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((void *)list->items[i].changed_code);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct explanation_list){0};
}
