/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/findings.h"

#include "base/memory.h"
#include "store/statement_private.h"

#include <string.h>

int store_add_finding_case(struct store *store, int64_t finding,
			   const struct finding_case *item, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO finding_cases(finding, scenario, case_label, metric,"
		" verdict) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		VALUES(value_integer(finding), value_string(item->scenario),
		       value_string(item->case_label), value_string(item->metric),
		       value_id(item->verdict)),
		NULL, err);
}

int store_add_finding_event(struct store *store, int64_t finding,
			    const struct finding_event *event, struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO finding_events(finding, session, kind, version, commit_id,"
		" text, search, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(finding), value_integer(event->session),
		       value_string(event->kind), value_string(event->version),
		       value_string(event->commit), value_string(event->text),
		       value_id(event->search), value_time(event->at)),
		NULL, err);
}

static int add_cases(struct store *store, int64_t id,
		     const struct finding_record *finding, struct error *err)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (store_add_finding_case(store, id, &finding->cases[i], err) < 0)
			return -1;
	return 0;
}

int store_add_finding(struct store *store, const struct finding_record *finding,
		      int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	const struct finding_event opened = {
		.session = finding->session,
		.kind = "opened",
		.version = finding->bad,
		.at = finding->opened,
	};
	int64_t id;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    statement_execute(store,
			      "INSERT INTO findings(session, lab, good, bad, opened)"
			      " VALUES(?, ?, ?, ?, ?)",
			      VALUES(value_integer(finding->session),
				     value_string(finding->lab),
				     value_integer(finding->good_version),
				     value_integer(finding->bad_version),
				     value_time(finding->opened)),
			      &id, err) < 0 ||
	    add_cases(store, id, finding, err) < 0 ||
	    store_add_finding_event(store, id, &opened, err) < 0 ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

static int add_moved(struct store *store, int64_t finding, int64_t target,
		     const char *scenario, struct error *err)
{
	if (statement_execute(store,
			      "INSERT INTO finding_cases(finding, scenario, case_label,"
			      " metric, verdict) SELECT ?, scenario, case_label, metric,"
			      " verdict FROM finding_cases WHERE finding = ?"
			      " AND scenario = ?",
			      VALUES(value_integer(target), value_integer(finding),
				     value_string(scenario)),
			      NULL, err) < 0)
		return -1;
	return statement_execute(
		store,
		"INSERT INTO finding_moves(finding, scenario, target) VALUES(?, ?, ?)",
		VALUES(value_integer(finding), value_string(scenario),
		       value_integer(target)),
		NULL, err);
}

int store_split_finding(struct store *store, const struct finding_record *finding,
			const char *scenario, int64_t session, const char *reason,
			int64_t *ret_id, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	CLEANUP(cleanup_free) char *text = memory_format("%s: %s", scenario, reason);
	const struct finding_event event = {
		.session = session, .kind = "split", .text = text};
	const struct finding_event alarmed = {.session = session, .kind = "alarmed"};
	struct finding_record other = *finding;
	int64_t id;

	other.session = session;
	other.case_count = 0;
	if (transaction_begin(&transaction, store, err) < 0 ||
	    store_add_finding(store, &other, &id, err) < 0 ||
	    add_moved(store, finding->id, id, scenario, err) < 0 ||
	    store_add_finding_event(store, finding->id, &event, err) < 0 ||
	    store_add_finding_event(store, id, &event, err) < 0 ||
	    /* Who was told of the whole was told of its part. */
	    (finding_last(finding, "alarmed") &&
	     store_add_finding_event(store, id, &alarmed, err) < 0) ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

static int load_rows(struct store *store, struct finding_list *list, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	int more;

	if (statement_prepare(&row, store,
			      "SELECT f.id, f.session, f.lab, f.good, f.bad, g.text,"
			      " b.text, f.opened, g.commit_id, b.commit_id"
			      " FROM findings f"
			      " JOIN versions g ON g.id = f.good"
			      " JOIN versions b ON b.id = f.bad ORDER BY f.id",
			      NO_VALUES, err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		list->items = memory_grow(list->items, list->count, &list->capacity,
					  sizeof(*list->items));
		list->items[list->count++] = (struct finding_record){
			.id = column_integer(&row, 0),
			.session = column_integer(&row, 1),
			.lab = column_text(&row, 2, &list->strings),
			.good_version = column_integer(&row, 3),
			.bad_version = column_integer(&row, 4),
			.good = column_text(&row, 5, &list->strings),
			.bad = column_text(&row, 6, &list->strings),
			.opened = column_integer(&row, 7),
			.good_commit = column_text(&row, 8, &list->strings),
			.bad_commit = column_text(&row, 9, &list->strings),
		};
	}
	return more;
}

static int load_cases(struct store *store, struct finding_record *finding,
		      struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct finding_case *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT scenario, case_label, metric, coalesce(verdict, 0)"
			      " FROM finding_cases c WHERE finding = ?"
			      " AND NOT EXISTS(SELECT 1 FROM finding_moves m WHERE"
			      " m.finding = c.finding AND m.scenario = c.scenario)"
			      " ORDER BY scenario, case_label, metric",
			      VALUES(value_integer(finding->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, finding->case_count, &capacity,
				    sizeof(*items));
		finding->cases = items;
		items[finding->case_count++] = (struct finding_case){
			.scenario = column_text(&row, 0, strings),
			.case_label = column_text(&row, 1, strings),
			.metric = column_text(&row, 2, strings),
			.verdict = column_integer(&row, 3),
		};
	}
	return more;
}

static int load_events(struct store *store, struct finding_record *finding,
		       struct text_list *strings, struct error *err)
{
	CLEANUP(statement_finish) struct statement row = {0};
	struct finding_event *items = NULL;
	size_t capacity = 0;
	int more;

	if (statement_prepare(&row, store,
			      "SELECT session, kind, version, commit_id, text,"
			      " coalesce(search, 0), at FROM finding_events"
			      " WHERE finding = ? ORDER BY id",
			      VALUES(value_integer(finding->id)), err) < 0)
		return -1;
	while ((more = statement_step(&row, err)) > 0) {
		items = memory_grow(items, finding->event_count, &capacity,
				    sizeof(*items));
		finding->events = items;
		items[finding->event_count++] = (struct finding_event){
			.session = column_integer(&row, 0),
			.kind = column_text(&row, 1, strings),
			.version = column_text(&row, 2, strings),
			.commit = column_text(&row, 3, strings),
			.text = column_text(&row, 4, strings),
			.search = column_integer(&row, 5),
			.at = column_integer(&row, 6),
		};
	}
	return more;
}

int store_load_findings(struct store *store, struct finding_list *list, struct error *err)
{
	size_t first = list->count;

	if (load_rows(store, list, err) < 0)
		return -1;
	for (size_t i = first; i < list->count; i++)
		if (load_cases(store, &list->items[i], &list->strings, err) < 0 ||
		    load_events(store, &list->items[i], &list->strings, err) < 0)
			return -1;
	return 0;
}

void finding_list_finish(struct finding_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free((void *)list->items[i].cases);
		free((void *)list->items[i].events);
	}
	text_list_finish(&list->strings);
	free(list->items);
	*list = (struct finding_list){0};
}

/* What each kind of event says of where a finding stands. */
static const struct standing {
	const char *kind;
	enum finding_standing standing;
} standings[] = {
	{"opened", FINDING_OPEN},           {"reopened", FINDING_OPEN},
	{"recovered", FINDING_RECOVERED},   {"acknowledged", FINDING_ACKNOWLEDGED},
	{"suppressed", FINDING_SUPPRESSED},
};

static const struct standing *last_standing(const struct finding_record *finding)
{
	for (size_t i = finding->event_count; i-- > 0;)
		for (size_t k = 0; k < sizeof(standings) / sizeof(*standings); k++)
			if (!strcmp(finding->events[i].kind, standings[k].kind))
				return &standings[k];
	return &standings[0];
}

enum finding_standing finding_standing(const struct finding_record *finding)
{
	return last_standing(finding)->standing;
}

int finding_has_case(const struct finding_record *finding, const char *scenario,
		     const char *case_label, const char *metric)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (!strcmp(finding->cases[i].scenario, scenario) &&
		    !strcmp(finding->cases[i].case_label, case_label) &&
		    !strcmp(finding->cases[i].metric, metric))
			return 1;
	return 0;
}

const struct finding_event *finding_last(const struct finding_record *finding,
					 const char *kind)
{
	for (size_t i = finding->event_count; i-- > 0;)
		if (!strcmp(finding->events[i].kind, kind))
			return &finding->events[i];
	return NULL;
}

const char *finding_culprit(const struct finding_record *finding)
{
	const struct finding_event *event = finding_last(finding, "bisected");

	return event ? event->commit : "";
}

const char *finding_state(const struct finding_record *finding)
{
	const struct standing *standing = last_standing(finding);

	if (standing->standing != FINDING_OPEN)
		return standing->kind;
	if (finding_last(finding, "bisected"))
		return "bisected";
	return finding_last(finding, "still-open") ? "still-open" : "opened";
}

int64_t finding_day(const struct finding_record *finding, int64_t time)
{
	enum { DAY_SECONDS = 24 * 60 * 60 };
	int64_t seconds = time - finding->opened;

	return seconds > 0 ? seconds / DAY_SECONDS + 1 : 1;
}
