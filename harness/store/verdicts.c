/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/verdicts.h"

#include "base/memory.h"
#include "store/statement_private.h"

static int add_reasons(struct store *store, int64_t id,
		       const struct verdict_record *verdict, struct error *err)
{
	for (size_t i = 0; i < verdict->reason_count; i++)
		if (statement_execute(
			    store,
			    "INSERT INTO verdict_reasons(verdict, position, code)"
			    " VALUES(?, ?, ?)",
			    VALUES(value_integer(id), value_integer((int64_t)i),
				   value_string(verdict->reasons[i])),
			    NULL, err) < 0)
			return -1;
	return 0;
}

static int add_verdict(struct store *store, const struct verdict_record *verdict,
		       struct error *err)
{
	const struct verdict_side *a = &verdict->a, *b = &verdict->b;
	int64_t id;

	if (statement_execute(
		    store,
		    "INSERT INTO verdicts(session, role, a, a_text, a_boots, a_median,"
		    " a_min, a_max, b, b_text, b_boots, b_median, b_min, b_max, scenario,"
		    " case_label, metric, unit, better, change_percent, ci_low_percent,"
		    " ci_high_percent, p, q, superiority, boots_needed, verdict, "
		    "sentence)"
		    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		    " ?, ?, ?, ?, ?, ?, ?, ?)",
		    VALUES(value_integer(verdict->session), value_string(verdict->role),
			   value_id(a->version), value_string(a->text),
			   value_integer(a->boots), value_double(a->median),
			   value_double(a->min), value_double(a->max),
			   value_id(b->version), value_string(b->text),
			   value_integer(b->boots), value_double(b->median),
			   value_double(b->min), value_double(b->max),
			   value_string(verdict->scenario),
			   value_string(verdict->case_label),
			   value_string(verdict->metric), value_string(verdict->unit),
			   value_string(verdict->better),
			   value_double(verdict->change_percent),
			   value_double(verdict->ci_low_percent),
			   value_double(verdict->ci_high_percent),
			   value_double(verdict->p), value_double(verdict->q),
			   value_double(verdict->superiority),
			   value_integer(verdict->boots_needed),
			   value_string(verdict->verdict),
			   value_string(verdict->sentence)),
		    &id, err) < 0)
		return -1;
	return add_reasons(store, id, verdict, err);
}

int store_add_verdicts(struct store *store, const struct verdict_record *verdicts,
		       size_t count, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};

	if (transaction_begin(&transaction, store, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_verdict(store, &verdicts[i], err) < 0)
			return -1;
	return transaction_commit(&transaction, err);
}

/* The columns of a side stand together, from first on. */
static struct verdict_side read_side(struct statement *row, int first,
				     struct text_list *strings)
{
	return (struct verdict_side){
		.version = column_integer(row, first),
		.text = column_text(row, first + 1, strings),
		.boots = (int)column_integer(row, first + 2),
		.median = column_double(row, first + 3),
		.min = column_double(row, first + 4),
		.max = column_double(row, first + 5),
	};
}

static void read_verdict(struct statement *row, struct verdict_record *ret,
			 struct text_list *strings)
{
	*ret = (struct verdict_record){
		.id = column_integer(row, 0),
		.session = column_integer(row, 1),
		.role = column_text(row, 2, strings),
		.a = read_side(row, 3, strings),
		.b = read_side(row, 9, strings),
		.scenario = column_text(row, 15, strings),
		.case_label = column_text(row, 16, strings),
		.metric = column_text(row, 17, strings),
		.unit = column_text(row, 18, strings),
		.better = column_text(row, 19, strings),
		.change_percent = column_double(row, 20),
		.ci_low_percent = column_double(row, 21),
		.ci_high_percent = column_double(row, 22),
		.p = column_double(row, 23),
		.q = column_double(row, 24),
		.superiority = column_double(row, 25),
		.boots_needed = (int)column_integer(row, 26),
		.verdict = column_text(row, 27, strings),
		.sentence = column_text(row, 28, strings),
	};
}

static void add_reason(struct verdict_record *verdict, const char *code, size_t *capacity)
{
	const char **reasons =
		memory_grow((void *)verdict->reasons, verdict->reason_count, capacity,
			    sizeof(*reasons));

	reasons[verdict->reason_count++] = code;
	verdict->reasons = reasons;
}

/* One row for each reason, and one without for a verdict that has none. */
#define VERDICT_COLUMNS                                                                  \
	"SELECT v.id, session, role, a, a_text, a_boots, a_median, a_min,"               \
	" a_max, b, b_text, b_boots, b_median, b_min, b_max, scenario,"                  \
	" case_label, metric, unit, better, change_percent, ci_low_percent,"             \
	" ci_high_percent, p, q, superiority, boots_needed, v.verdict,"                  \
	" sentence, r.position IS NOT NULL, r.code FROM verdicts v"                      \
	" LEFT JOIN verdict_reasons r ON r.verdict = v.id"

static const char of_session[] =
	VERDICT_COLUMNS " WHERE ?1 IN (0, session) AND v.verdict <> ?2"
			" ORDER BY v.id, r.position";

/* What a newer session said of the same takes the place of what an older one said. */
static const char of_sessions[] =
	VERDICT_COLUMNS " WHERE v.verdict <> ?2 AND v.id IN (SELECT max(id) FROM verdicts"
			" WHERE session IN (SELECT value FROM json_each(?1))"
			" GROUP BY role, a_text, b_text, scenario, case_label, metric)"
			" ORDER BY v.session DESC, v.id, r.position";

static int load(struct store *store, const char *sql, struct value which, const char *but,
		struct verdict_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int64_t last = 0;
	size_t reasons = 0;
	int more;

	if (statement_prepare(&row, store, sql, VALUES(which, value_text(but)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		if (column_integer(&row, 0) != last) {
			list->items = memory_grow(list->items, list->count,
						  &list->capacity, sizeof(*list->items));
			read_verdict(&row, &list->items[list->count++], &list->strings);
			reasons = 0;
		}
		last = column_integer(&row, 0);
		if (column_integer(&row, 29))
			add_reason(&list->items[list->count - 1],
				   column_text(&row, 30, &list->strings), &reasons);
	}
	return more;
}

int store_load_verdicts(struct store *store, int64_t session, struct verdict_list *list,
			struct error *err)
{
	return load(store, of_session, value_integer(session), "", list, err);
}

int store_load_changes(struct store *store, int64_t session, struct verdict_list *list,
		       struct error *err)
{
	return load(store, of_session, value_integer(session), "same", list, err);
}

int store_load_latest_changes(struct store *store, const int64_t *sessions, size_t count,
			      struct verdict_list *list, struct error *err)
{
	CLEANUP(text_finish) struct text array = {0};

	for (size_t i = 0; i < count; i++)
		text_format(&array, "%s%lld", i ? "," : "[", (long long)sessions[i]);
	text_add(&array, count ? "]" : "[]");
	return load(store, of_sessions, value_text(text_string(&array)), "same", list,
		    err);
}

void verdict_list_finish(struct verdict_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((void *)list->items[i].reasons);
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct verdict_list){0};
}

int store_load_judged(struct store *store, int64_t session, struct judged_list *list,
		      struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(
		    &row, store,
		    "SELECT scenario, case_label, metric, count(*) FROM verdicts"
		    " WHERE ?1 IN (0, session) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
		    VALUES(value_integer(session)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct judged_series){
			.scenario = column_text(&row, 0, &list->strings),
			.case_label = column_text(&row, 1, &list->strings),
			.metric = column_text(&row, 2, &list->strings),
			.verdicts = column_integer(&row, 3),
		};
	}
	return more;
}

void judged_list_finish(struct judged_list *list)
{
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct judged_list){0};
}
