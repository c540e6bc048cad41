/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/subjects.h"

#include "base/memory.h"
#include "store/statement_private.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right)
{
	const struct environment_field *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->value, b->value);
}

void environment_key(const struct environment_field *fields, size_t count,
		     char ret_key[HASH_HEX_SIZE])
{
	CLEANUP(cleanup_free)
	struct environment_field *sorted = memory_new(count, sizeof(*sorted));
	struct hash hash;

	if (count)
		memcpy(sorted, fields, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_name);
	hash_init(&hash);
	for (size_t i = 0; i < count; i++)
		hash_field_string(&hash, sorted[i].name, sorted[i].value);
	hash_hex(&hash, ret_key);
}

static int add_fields(struct store *store, int64_t environment,
		      const struct environment_field *fields, size_t count,
		      struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (statement_execute(
			    store,
			    "INSERT OR IGNORE INTO environment_fields(environment, name,"
			    " value) VALUES(?, ?, ?)",
			    VALUES(value_integer(environment),
				   value_string(fields[i].name),
				   value_string(fields[i].value)),
			    NULL, err) < 0)
			return -1;
	return 0;
}

int store_add_environment(struct store *store, const char *lab,
			  const struct environment_field *fields, size_t count,
			  int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	char key[HASH_HEX_SIZE];
	int64_t id;

	environment_key(fields, count, key);
	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_intern(store, "SELECT id FROM environments WHERE key = ?",
			     VALUES(value_text(key)),
			     "INSERT INTO environments(key, lab) VALUES(?, ?)",
			     VALUES(value_text(key), value_string(lab)), &id, err) < 0 ||
	    add_fields(store, id, fields, count, err) < 0 ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

static int load_fields(struct store *store, struct environment *ret, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT name, value FROM environment_fields"
			      " WHERE environment = ? ORDER BY name",
			      VALUES(value_integer(ret->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		ret->fields = memory_grow(ret->fields, ret->count, &ret->capacity,
					  sizeof(*ret->fields));
		ret->fields[ret->count++] = (struct environment_field){
			.name = column_text(&row, 0, &ret->strings),
			.value = column_text(&row, 1, &ret->strings),
		};
	}
	return more;
}

int store_load_environment(struct store *store, int64_t id, struct environment *ret,
			   struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT id, key, lab FROM environments WHERE id = ?",
			      VALUES(value_integer(id)), err) < 0)
		return -1;
	more = statement_step(&row, err);
	if (more < 0)
		return -1;
	if (!more)
		return error_set(err, ERROR_USAGE, "%s: no environment %lld",
				 store_path(store), (long long)id);
	ret->id = id;
	ret->key = column_text(&row, 1, &ret->strings);
	ret->lab = column_text(&row, 2, &ret->strings);
	return load_fields(store, ret, err);
}

void environment_finish(struct environment *environment)
{
	text_list_finish(&environment->strings);
	free(environment->fields);
	*environment = (struct environment){0};
}

int store_add_scenario(struct store *store, const char *key, const char *name,
		       const char *yaml, int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_intern(
		    store, "SELECT id FROM scenarios WHERE key = ?",
		    VALUES(value_text(key)),
		    "INSERT INTO scenarios(key, name, yaml) VALUES(?, ?, ?)",
		    VALUES(value_text(key), value_string(name), value_string(yaml)),
		    ret_id, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

int store_add_commit(struct store *store, const struct commit_record *commit,
		     struct error *err)
{
	return statement_execute(
		store,
		"INSERT OR IGNORE INTO commits(id, tree, subject, message, author,"
		" changes, committed) VALUES(?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_text(commit->id), value_string(commit->tree),
		       value_string(commit->subject), value_string(commit->message),
		       value_string(commit->author), value_string(commit->changes),
		       value_integer(commit->committed)),
		NULL, err);
}

int store_load_commit(struct store *store, const char *id, struct commit_list *list,
		      struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT id, tree, subject, message, author, changes,"
			      " committed FROM commits WHERE id = ?",
			      VALUES(value_text(id)), err) < 0)
		return -1;
	more = statement_step(&row, err);
	if (more <= 0)
		return more;
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct commit_record){
		.id = column_text(&row, 0, &list->strings),
		.tree = column_text(&row, 1, &list->strings),
		.subject = column_text(&row, 2, &list->strings),
		.message = column_text(&row, 3, &list->strings),
		.author = column_text(&row, 4, &list->strings),
		.changes = column_text(&row, 5, &list->strings),
		.committed = column_integer(&row, 6),
	};
	return 0;
}

void commit_list_finish(struct commit_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct commit_list){0};
}
