/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "store/order_private.h"
#include "store/statement_private.h"
#include "store/subjects.h"

#define KERNEL_BY_KEY "SELECT id FROM kernels WHERE key = ?"

int store_add_kernel(struct store *store, const struct kernel_record *kernel,
		     int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_intern(
		    store, KERNEL_BY_KEY, VALUES(value_text(kernel->key)),
		    "INSERT INTO kernels(key, kind, release, build_id, config_digest)"
		    " VALUES(?, ?, ?, ?, ?)",
		    VALUES(value_text(kernel->key), value_string(kernel->kind),
			   value_string(kernel->release), value_string(kernel->build_id),
			   value_string(kernel->config_digest)),
		    ret_id, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

int store_find_kernel(struct store *store, const char *key, int64_t *ret_id,
		      struct error *err)
{
	int found;

	if (statement_integer(store, KERNEL_BY_KEY, VALUES(value_text(key)), ret_id,
			      &found, err) < 0)
		return -1;
	if (!found)
		*ret_id = 0;
	return 0;
}

int store_add_build(struct store *store, const struct build_record *build,
		    struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO builds(kernel, session, outcome, first_error, toolchain,"
		" path, log_path, seconds, started) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(build->kernel), value_integer(build->session),
		       value_string(build->outcome), value_string(build->first_error),
		       value_string(build->toolchain), value_string(build->path),
		       value_string(build->log_path), value_double(build->seconds),
		       value_time(build->started)),
		NULL, err);
}

static struct value commit_or_none(const char *commit)
{
	return value_text(commit && *commit ? commit : NULL);
}

int store_add_version(struct store *store, const struct version_record *version,
		      int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_intern(
		    store, "SELECT id FROM versions WHERE text = ? AND kernel = ?",
		    VALUES(value_text(version->text), value_integer(version->kernel)),
		    "INSERT INTO versions(text, kernel, commit_id) VALUES(?, ?, ?)",
		    VALUES(value_text(version->text), value_integer(version->kernel),
			   commit_or_none(version->commit)),
		    ret_id, err) < 0)
		return -1;
	return transaction_commit(&transaction, err);
}

int store_add_session_versions(struct store *store, int64_t session,
			       const int64_t *versions, size_t count, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin(&transaction, store, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (statement_execute(
			    store,
			    "INSERT INTO session_versions(session, position, version)"
			    " SELECT ?1, (SELECT count(*) FROM session_versions"
			    " WHERE session = ?1), ?2",
			    VALUES(value_integer(session), value_integer(versions[i])),
			    NULL, err) < 0)
			return -1;
	return transaction_commit(&transaction, err);
}

#define VERSION_COLUMNS                                                                  \
	"SELECT v.id, v.text, v.commit_id, v.kernel, k.key, k.kind, k.release,"          \
	" c.subject, coalesce(c.committed, 0), b.outcome, b.first_error, b.seconds,"     \
	" b.path, b.toolchain"                                                           \
	" FROM versions v JOIN kernels k ON k.id = v.kernel"                             \
	" LEFT JOIN commits c ON c.id = v.commit_id"                                     \
	" LEFT JOIN builds b"                                                            \
	" ON b.id = (SELECT max(id) FROM builds WHERE kernel = k.id)"

static void add_version(struct version_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct version_record){
		.id = column_integer(row, 0),
		.text = column_text(row, 1, &list->strings),
		.commit = column_text(row, 2, &list->strings),
		.kernel = column_integer(row, 3),
		.kernel_key = column_text(row, 4, &list->strings),
		.kind = column_text(row, 5, &list->strings),
		.release = column_text(row, 6, &list->strings),
		.subject = column_text(row, 7, &list->strings),
		.committed = column_integer(row, 8),
		.build_outcome = column_text(row, 9, &list->strings),
		.build_error = column_text(row, 10, &list->strings),
		.build_seconds = column_double(row, 11),
		.build_path = column_text(row, 12, &list->strings),
		.toolchain = column_text(row, 13, &list->strings),
	};
}

static int load(struct store *store, const char *sql, const struct value *values,
		size_t count, struct version_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, sql, values, count, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_version(list, &row);
	return more;
}

int store_load_versions(struct store *store, int64_t session, struct version_list *list,
			struct error *err)
{
	if (session)
		return load(store,
			    VERSION_COLUMNS " JOIN session_versions o ON o.version = v.id"
					    " WHERE o.session = ? ORDER BY o.position",
			    VALUES(value_integer(session)), list, err);
	if (load(store, VERSION_COLUMNS " ORDER BY coalesce(c.committed, 0), v.id",
		 NO_VALUES, list, err) < 0)
		return -1;
	return order_versions(store, list, err);
}

int store_load_booted_versions(struct store *store, int64_t session,
			       struct version_list *list, struct error *err)
{
	return load(store,
		    VERSION_COLUMNS
		    " JOIN (SELECT version, min(id) AS first FROM boots"
		    " WHERE session = ?1 AND purpose <> 'calibrate' AND ?1"
		    " NOT IN (SELECT session FROM calibrations)"
		    " GROUP BY version) o"
		    " ON o.version = v.id ORDER BY o.first",
		    VALUES(value_integer(session)), list, err);
}

int store_find_version(struct store *store, const char *text, struct version_list *list,
		       struct error *err)
{
	return load(store,
		    VERSION_COLUMNS " WHERE v.text = ?1 OR v.commit_id = ?1"
				    " ORDER BY v.text = ?1 DESC, v.id DESC LIMIT 1",
		    VALUES(value_text(text)), list, err);
}

int store_load_followed(struct store *store, const char *lab, struct version_list *list,
			struct error *err)
{
	return load(store,
		    VERSION_COLUMNS
		    " WHERE v.id IN (SELECT max(w.id) FROM versions w"
		    " JOIN session_versions o ON o.version = w.id"
		    " JOIN sessions s ON s.id = o.session WHERE s.lab = ?"
		    " AND w.commit_id IS NOT NULL"
		    " AND s.id IN (SELECT session FROM queues) GROUP BY w.commit_id)"
		    " ORDER BY c.committed, v.id",
		    VALUES(value_text(lab)), list, err);
}

/* Edits of a commit ("v6.1+revert:...") are other kernels than the commit's own. */
static const char measured_query[] =
	"SELECT v.id, sum(b.outcome = 'ok'),"
	" sum(b.outcome NOT IN ('ok', 'infrastructure', 'skipped'))"
	" FROM versions v JOIN boots b ON b.kernel = v.kernel"
	" JOIN scenarios s ON s.id = b.scenario"
	" JOIN environments e ON e.id = b.environment"
	" WHERE v.commit_id = ? AND instr(v.text, '+') = 0 AND s.key = ? AND e.key = ?"
	" GROUP BY v.id ORDER BY v.id DESC LIMIT 1";

int store_find_measured(struct store *store, const char *commit, const char *scenario_key,
			const char *environment_key, struct measured *ret_measured,
			struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, measured_query,
			      VALUES(value_text(commit), value_text(scenario_key),
				     value_text(environment_key)),
			      err) < 0)
		return -1;
	more = statement_step(&row, err);
	if (more < 0)
		return -1;
	*ret_measured = (struct measured){0};
	if (more)
		*ret_measured = (struct measured){
			.version = column_integer(&row, 0),
			.good = column_integer(&row, 1),
			.failed = column_integer(&row, 2),
		};
	return 0;
}

void version_list_finish(struct version_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct version_list){0};
}
