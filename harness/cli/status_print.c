/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/status_print.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "report/format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_SUSPECTS = 5, SHOWN_SEARCHES = 5, SHOWN_SESSIONS = 5, SHOWN_ITEMS = 20 };

/* What a search cost so far, and how it looks ahead. */
struct cost {
	size_t boots;
	double seconds;
	double boots_to_come, seconds_to_come; /* NAN: it has ended, or does not tell */
};

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int find_cost(struct store *store, const struct search_record *search,
		     struct cost *ret_cost, struct error *err)
{
	CLEANUP(step_list_finish) struct step_list steps = {0};
	json_t *result = json_loads(search->result, 0, NULL);
	struct cost cost = {
		.boots_to_come = number_of(result, "boots_left"),
		.seconds_to_come = number_of(result, "seconds_left"),
	};

	json_decref(result);
	if (store_load_steps(store, search->id, &steps, err))
		return -1;
	cost.boots = steps.count;
	for (size_t i = 0; i < steps.count; i++)
		cost.seconds += steps.items[i].seconds + steps.items[i].build_seconds;
	*ret_cost = cost;
	return 0;
}

/* Suspects in order of their probability. */
static int by_probability(const void *a, const void *b)
{
	double x = ((const struct suspect_record *)a)->probability;
	double y = ((const struct suspect_record *)b)->probability;

	return (x < y) - (x > y);
}

static struct suspect_record *sort_suspects(const struct search_record *search)
{
	size_t size = search->suspect_count * sizeof(struct suspect_record);
	struct suspect_record *sorted =
		memory_new(search->suspect_count, sizeof(*sorted));

	if (size)
		memcpy(sorted, search->suspects, size);
	qsort(sorted, search->suspect_count, sizeof(*sorted), by_probability);
	return sorted;
}

/* Those that go on, and the newest that ended. */
static int is_shown(const struct search_list *list, size_t index)
{
	return !strcmp(list->items[index].status, "running") ||
	       index + SHOWN_SEARCHES >= list->count;
}

/* --- text */

static void add_plain(struct text *out, const char *string)
{
	utf8_add_plain_string(out, string);
}

static void add_holder(const struct status *status, struct text *out)
{
	CLEANUP(text_finish) struct text who = {0};

	if (status->holder_problem) {
		text_format(out, "now: %s\n", status->holder_problem);
		return;
	}
	if (!status->holder.held) {
		text_add(out, "now: nothing is measured on this host\n");
		return;
	}
	lock_describe(&status->holder, &who);
	text_format(out, "now: %s%s%s\n", text_string(&who),
		    *status->holder.progress ? ": " : "", status->holder.progress);
}

static void add_suspects(const struct search_record *search, struct text *out)
{
	CLEANUP(cleanup_free) struct suspect_record *sorted = sort_suspects(search);

	for (size_t i = 0; i < search->suspect_count && i < SHOWN_SUSPECTS; i++) {
		text_format(out, "    %.3f  ", sorted[i].probability);
		add_plain(out, sorted[i].commit);
		text_add(out, sorted[i].skipped  ? "  (cannot be tested)\n"
			      : sorted[i].tested ? "\n"
						 : "  (not tested)\n");
	}
	if (search->suspect_count > SHOWN_SUSPECTS)
		text_format(out, "    ... and %zu more\n",
			    search->suspect_count - SHOWN_SUSPECTS);
}

static int add_search(const struct status *status, const struct search_record *search,
		      struct text *out, struct error *err)
{
	struct cost cost;

	if (find_cost(status->store, search, &cost, err))
		return -1;
	text_format(out, "  %lld %s: ", (long long)search->id, search->status);
	format_count(out, cost.boots, "measurement");
	text_add(out, " in ");
	format_duration(out, cost.seconds);
	if (isfinite(cost.boots_to_come)) {
		text_format(out, ", about %.0f in ", cost.boots_to_come);
		format_duration(out, cost.seconds_to_come);
		text_add(out, " to come");
	}
	text_add(out, "\n    ");
	add_plain(out, search->parameters);
	text_add(out, "\n");
	if (*search->culprit) {
		text_add(out, "    culprit: ");
		add_plain(out, search->culprit);
		text_add(out, "\n");
		return 0;
	}
	add_suspects(search, out);
	return 0;
}

static void add_item(const struct queue_item *item, struct text *out)
{
	text_add(out, "  ");
	add_plain(out, item->kind);
	if (item->finding)
		text_format(out, " finding %lld", (long long)item->finding);
	text_add(out, " ");
	add_plain(out, item->version);
	text_add(out, *item->version ? " " : "");
	add_plain(out, item->scenario);
	text_add(out, ": ");
	add_plain(out, item->reason);
	text_add(out, "\n");
}

static void add_queue(const struct queue_list *queue, struct text *out)
{
	if (!queue->session)
		return;
	text_add(out, queue->count ? "for the next night:\n"
				   : "for the next night: nothing is left\n");
	for (size_t i = 0; i < queue->count && i < SHOWN_ITEMS; i++)
		add_item(&queue->items[i], out);
	if (queue->count > SHOWN_ITEMS)
		text_format(out, "  ... and %zu more\n", queue->count - SHOWN_ITEMS);
}

static void add_session(const struct session_record *session, struct text *out)
{
	text_add(out, "  ");
	clock_format(out, session->started);
	text_add(out, "  ");
	if (session->finished)
		text_format(out, "exit %d  ", session->exit_code);
	else
		text_add(out, "no end  ");
	format_count(out, (uint64_t)session->boots, "boot");
	text_add(out, "  ");
	add_plain(out, session->command);
	text_add(out, "\n");
}

int status_add_text(const struct status *status, struct text *out, struct error *err)
{
	add_holder(status, out);
	for (size_t i = 0; i < status->searches.count; i++) {
		text_add(out, i ? "" : "searches:\n");
		if (is_shown(&status->searches, i) &&
		    add_search(status, &status->searches.items[i], out, err))
			return -1;
	}
	add_queue(&status->queue, out);
	for (size_t i = 0; i < status->sessions.count && i < SHOWN_SESSIONS; i++) {
		text_add(out, i ? "" : "sessions:\n");
		add_session(&status->sessions.items[i], out);
	}
	return 0;
}

/* --- JSON */

static void put_string(struct text *json, const char *key, const char *value)
{
	json_put_key(json, key);
	json_put_string(json, *value ? value : NULL);
}

static void put_number(struct text *json, const char *key, double value)
{
	json_put_key(json, key);
	json_put_number(json, value);
}

static void begin_list(struct text *json, const char *key)
{
	json_put_key(json, key);
	text_add_char(json, '[');
}

static void begin_object(struct text *json)
{
	json_put_comma(json);
	text_add_char(json, '{');
}

static void put_holder(const struct status *status, struct text *json)
{
	json_put_key(json, "running");
	if (!status->holder.held) {
		text_add(json, "null");
		return;
	}
	text_add_char(json, '{');
	put_number(json, "process",
		   status->holder.pid ? (double)status->holder.pid : NAN);
	put_string(json, "command", status->holder.purpose);
	put_number(json, "since", (double)status->holder.since);
	put_string(json, "progress", status->holder.progress);
	text_add_char(json, '}');
}

static void put_suspects(const struct search_record *search, struct text *json)
{
	begin_list(json, "suspects");
	for (size_t i = 0; i < search->suspect_count; i++) {
		begin_object(json);
		put_string(json, "commit", search->suspects[i].commit);
		put_number(json, "probability", search->suspects[i].probability);
		json_put_key(json, "tested");
		text_add(json, search->suspects[i].tested ? "true" : "false");
		json_put_key(json, "skipped");
		text_add(json, search->suspects[i].skipped ? "true" : "false");
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static int put_search(const struct status *status, const struct search_record *search,
		      struct text *json, struct error *err)
{
	struct cost cost;

	if (find_cost(status->store, search, &cost, err))
		return -1;
	begin_object(json);
	put_number(json, "id", (double)search->id);
	put_string(json, "status", search->status);
	put_string(json, "kind", search->kind);
	put_string(json, "parameters", search->parameters);
	put_string(json, "culprit", search->culprit);
	put_number(json, "boots", (double)cost.boots);
	put_number(json, "seconds", cost.seconds);
	put_number(json, "boots_to_come", cost.boots_to_come);
	put_number(json, "seconds_to_come", cost.seconds_to_come);
	put_suspects(search, json);
	text_add_char(json, '}');
	return 0;
}

static void put_queue(const struct queue_list *queue, struct text *json)
{
	begin_list(json, "queue");
	for (size_t i = 0; i < queue->count; i++) {
		const struct queue_item *item = &queue->items[i];

		begin_object(json);
		put_string(json, "kind", item->kind);
		put_string(json, "lab", item->lab);
		put_string(json, "version", item->version);
		put_string(json, "commit", item->commit);
		put_string(json, "scenario", item->scenario);
		put_number(json, "boots", item->boots);
		put_number(json, "finding", item->finding ? (double)item->finding : NAN);
		put_string(json, "reason", item->reason);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void put_sessions(const struct session_list *sessions, struct text *json)
{
	begin_list(json, "sessions");
	for (size_t i = 0; i < sessions->count && i < SHOWN_SESSIONS; i++) {
		const struct session_record *session = &sessions->items[i];

		begin_object(json);
		put_number(json, "id", (double)session->id);
		put_string(json, "command", session->command);
		put_number(json, "started", (double)session->started);
		put_number(json, "finished",
			   session->finished ? (double)session->finished : NAN);
		put_number(json, "exit_code",
			   session->finished ? session->exit_code : NAN);
		put_number(json, "boots", (double)session->boots);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

int status_add_json(const struct status *status, struct text *out, struct error *err)
{
	text_add_char(out, '{');
	put_holder(status, out);
	begin_list(out, "searches");
	for (size_t i = 0; i < status->searches.count; i++)
		if (is_shown(&status->searches, i) &&
		    put_search(status, &status->searches.items[i], out, err))
			return -1;
	text_add_char(out, ']');
	put_queue(&status->queue, out);
	put_sessions(&status->sessions, out);
	text_add(out, "}\n");
	return 0;
}
