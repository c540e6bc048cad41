/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/boots.h"

#include "base/memory.h"
#include "store/numbers_private.h"
#include "store/sessions_private.h"
#include "store/statement_private.h"

#define BOOT_COLUMNS                                                                     \
	"SELECT b.id, b.session, b.kernel, b.scenario, b.environment,"                   \
	" coalesce(b.version, 0), b.purpose, b.label, b.outcome, b.detail,"              \
	" b.guest_release, b.build_id, b.console_path, b.seconds, b.started"             \
	" FROM boots b"

static void add_boot(struct boot_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct boot_record){
		.id = column_integer(row, 0),
		.session = column_integer(row, 1),
		.kernel = column_integer(row, 2),
		.scenario = column_integer(row, 3),
		.environment = column_integer(row, 4),
		.version = column_integer(row, 5),
		.purpose = column_text(row, 6, &list->strings),
		.label = column_text(row, 7, &list->strings),
		.outcome = column_text(row, 8, &list->strings),
		.detail = column_text(row, 9, &list->strings),
		.guest_release = column_text(row, 10, &list->strings),
		.build_id = column_text(row, 11, &list->strings),
		.console_path = column_text(row, 12, &list->strings),
		.seconds = column_double(row, 13),
		.started = column_integer(row, 14),
	};
}

static int load_boots(struct store *store, const char *sql, const struct value *values,
		      size_t count, struct boot_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, sql, values, count, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_boot(list, &row);
	return more;
}

static int load_samples(struct store *store, struct boot_record *boot,
			struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	CLEANUP(cleanup_free) struct sample_record *samples = NULL;
	size_t count = 0, capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT c.label, m.name, m.unit, m.better, p.value"
			      " FROM samples p JOIN cases c ON c.id = p.case_id"
			      " JOIN metrics m ON m.id = p.metric WHERE p.boot = ?"
			      " ORDER BY p.case_id, p.metric",
			      VALUES(value_integer(boot->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		samples = memory_grow(samples, count, &capacity, sizeof(*samples));
		samples[count++] = (struct sample_record){
			.case_label = column_text(&row, 0, strings),
			.metric = column_text(&row, 1, strings),
			.unit = column_text(&row, 2, strings),
			.better = column_text(&row, 3, strings),
			.value = column_double(&row, 4),
		};
	}
	boot->samples = TAKE(samples);
	boot->sample_count = count;
	return more;
}

static int read_series(struct statement *row, struct series_record *ret,
		       struct text_list *strings, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list points = {0};
	double *values;

	*ret = (struct series_record){
		.case_label = column_text(row, 0, strings),
		.name = column_text(row, 1, strings),
		.unit = column_text(row, 2, strings),
		.run = (int)column_integer(row, 3),
	};
	if (numbers_read(column_text(row, 4, &points), &values, &ret->count) < 0)
		return error_set(err, ERROR_HOST,
				 "%s: series %s is not a list of numbers",
				 store_path(row->store), ret->name);
	ret->values = values;
	return 0;
}

static int load_series(struct store *store, struct boot_record *boot,
		       struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct series_record *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT c.label, r.name, r.unit, r.run, r.points"
			      " FROM series r JOIN cases c ON c.id = r.case_id"
			      " WHERE r.boot = ? ORDER BY r.id",
			      VALUES(value_integer(boot->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, boot->series_count, &capacity, sizeof(*items));
		boot->series = items;
		if (read_series(&row, &items[boot->series_count], strings, err) < 0)
			return -1;
		boot->series_count++;
	}
	return more;
}

#define GOOD_BOOTS                                                                       \
	BOOT_COLUMNS " JOIN kernels k ON k.id = b.kernel"                                \
		     " JOIN scenarios s ON s.id = b.scenario"                            \
		     " JOIN environments e ON e.id = b.environment"                      \
		     " WHERE k.key = ?1 AND s.key = ?2 AND e.key = ?3"                   \
		     " AND b.outcome IN ('ok', 'partial')"

static int find_boots(struct store *store, const char *query, const struct value *values,
		      size_t count, struct boot_list *list, struct error *err)
{
	size_t first = list->count;

	if (load_boots(store, query, values, count, list, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++)
		if (load_samples(store, &list->items[i], &list->strings, err) < 0)
			return -1;
	return 0;
}

int store_find_boots(struct store *store, const char *kernel_key,
		     const char *scenario_key, const char *environment_key,
		     struct boot_list *list, struct error *err)
{
	return find_boots(store, GOOD_BOOTS " ORDER BY b.id",
			  VALUES(value_text(kernel_key), value_text(scenario_key),
				 value_text(environment_key)),
			  list, err);
}

int store_find_session_boots(struct store *store, const char *kernel_key,
			     const char *scenario_key, const char *environment_key,
			     const struct session_set *sessions, const char *purpose,
			     struct boot_list *list, struct error *err)
{
	CLEANUP(text_finish) struct text ids = {0};

	session_set_write(sessions, &ids);
	return find_boots(store,
			  GOOD_BOOTS " AND b.purpose = ?5 AND b.session IN"
				     " (SELECT value FROM json_each(?4)) ORDER BY b.id",
			  VALUES(value_text(kernel_key), value_text(scenario_key),
				 value_text(environment_key), value_text(ids.data),
				 value_string(purpose ? purpose : "measure")),
			  list, err);
}

int store_load_boot(struct store *store, int64_t id, struct boot_list *list,
		    struct error *err)
{
	size_t index = list->count;

	if (load_boots(store, BOOT_COLUMNS " WHERE b.id = ?", VALUES(value_integer(id)),
		       list, err) < 0)
		return -1;
	if (list->count == index)
		return error_set(err, ERROR_USAGE, "%s: no boot %lld", store_path(store),
				 (long long)id);
	if (load_samples(store, &list->items[index], &list->strings, err) < 0)
		return -1;
	return load_series(store, &list->items[index], &list->strings, err);
}

static void finish_boot(const struct boot_record *boot)
{
	for (size_t i = 0; i < boot->series_count; i++)
		free((void *)boot->series[i].values);
	free((void *)boot->series);
	free((void *)boot->samples);
}

void boot_list_finish(struct boot_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		finish_boot(&list->items[i]);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct boot_list){0};
}

static void add_failure(struct failure_list *list, struct statement *row)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count++] = (struct failure_record){
		.session = column_integer(row, 0),
		.boot = column_integer(row, 1),
		.version = column_text(row, 2, &list->strings),
		.commit = column_text(row, 3, &list->strings),
		.scenario = column_text(row, 4, &list->strings),
		.outcome = column_text(row, 5, &list->strings),
		.detail = column_text(row, 6, &list->strings),
		.log_path = column_text(row, 7, &list->strings),
		.at = column_integer(row, 8),
	};
}

/* Kernels of the versions that a session is about. */
#define SESSION_KERNELS                                                                  \
	"(SELECT v.kernel FROM session_versions o JOIN versions v ON v.id = o.version"   \
	" WHERE o.session = ?1)"

/* The version's name in this session, else the one asked for, else the newest. */
#define VERSION_OF(kernel, asked)                                                        \
	" LEFT JOIN versions v ON v.id = coalesce("                                      \
	"(SELECT w.id FROM session_versions o JOIN versions w ON w.id = o.version"       \
	" WHERE o.session = ?1 AND w.kernel = " kernel "), " asked ","                   \
	" (SELECT max(id) FROM versions WHERE kernel = " kernel "))"

/*
 * What failed in an earlier session and was not tried again is left out of this one for
 * the same reason, so the last attempt counts, whoever made it.
 */
#define BOOT_VERSION VERSION_OF("b.kernel", "b.version")
#define BUILD_VERSION VERSION_OF("d.kernel", "NULL")

static const char failed_boots[] =
	"SELECT b.session, b.id, v.text, v.commit_id, s.name, b.outcome, b.detail,"
	" b.console_path, b.started AS at"
	" FROM boots b JOIN scenarios s ON s.id = b.scenario" BOOT_VERSION
	" WHERE b.outcome <> 'ok' AND (?1 IN (0, b.session)"
	" OR b.kernel IN " SESSION_KERNELS " AND b.id = (SELECT max(id) FROM boots x"
	" WHERE x.kernel = b.kernel AND x.scenario = b.scenario))"
	" ORDER BY b.id";

static const char failed_builds[] =
	"SELECT d.session, 0, v.text, v.commit_id, '', d.outcome, d.first_error,"
	" d.log_path, d.started FROM builds d" BUILD_VERSION
	" WHERE d.outcome <> 'ok' AND (?1 IN (0, d.session)"
	" OR d.kernel IN " SESSION_KERNELS
	" AND d.id = (SELECT max(id) FROM builds x WHERE x.kernel = d.kernel))"
	" ORDER BY d.id";

static int load_failures(struct store *store, const char *sql, int64_t session,
			 struct failure_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store, sql, VALUES(value_integer(session)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0)
		add_failure(list, &row);
	return more;
}

int store_load_failures(struct store *store, int64_t session, struct failure_list *list,
			struct error *err)
{
	if (load_failures(store, failed_builds, session, list, err) < 0)
		return -1;
	return load_failures(store, failed_boots, session, list, err);
}

void failure_list_finish(struct failure_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct failure_list){0};
}
