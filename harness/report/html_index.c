/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/index.h"

#include "base/cleanup.h"
#include "report/format.h"
#include "report/html_private.h"

#include <string.h>

struct tally {
	size_t opened, recovered, open;
};

static int is_over(const char *kind)
{
	return !strcmp(kind, "recovered") || !strcmp(kind, "acknowledged") ||
	       !strcmp(kind, "suppressed");
}

/* The state that a finding was in when that session had ended. */
static void count_finding(const struct finding_record *record, int64_t session,
			  struct tally *tally)
{
	const char *state = "opened";

	if (record->session > session)
		return;
	tally->opened += record->session == session;
	for (size_t i = 0; i < record->event_count; i++) {
		const struct finding_event *event = &record->events[i];

		if (event->session > session)
			break;
		state = event->kind;
		tally->recovered +=
			event->session == session && !strcmp(event->kind, "recovered");
	}
	tally->open += !is_over(state);
}

static void add_end(const struct session_record *session, struct text *out)
{
	if (!session->finished) {
		text_add(out, "<td class=\"nowrap\">not ended</td></tr>\n");
		return;
	}
	markup(out, "<td class=\"nowrap\">exit %d, ", session->exit_code);
	format_duration(out, (double)(session->finished - session->started));
	text_add(out, "</td></tr>\n");
}

static void add_row(const struct report_index *index, size_t i, struct text *out)
{
	const struct session_record *session = &index->sessions->items[i];
	struct tally tally = {0};

	for (size_t j = 0; j < index->findings->count; j++)
		count_finding(&index->findings->items[j], session->id, &tally);
	text_add(out, "<tr><th scope=\"row\" class=\"nowrap\">");
	if (index->pages[i])
		markup(out, "<a href=\"%s\">", index->pages[i]);
	html_time(session->started, out);
	text_add(out, index->pages[i] ? "</a>" : "");
	markup(out,
	       "</th><td class=\"num%s\">%zu</td><td class=\"num\">%zu</td>"
	       "<td class=\"num\">%zu</td>",
	       tally.opened ? " strong" : "", tally.opened, tally.open, tally.recovered);
	text_format(out, "<td class=\"num\">%lld</td>", (long long)session->boots);
	markup(out, "<td><code>%s</code></td>", session->command);
	add_end(session, out);
}

/* A question that was answered from what was stored is no line worth. */
static int is_listed(const struct report_index *index, size_t i)
{
	const struct session_record *session = &index->sessions->items[i];

	return index->pages[i] || session->boots || session->verdicts ||
	       !session->finished || session->exit_code > 1;
}

void report_index_write(const struct report_index *index, struct text *out)
{
	static const char *const titles[] = {"session", "#new",    "#open", "#recovered",
					     "#boots",  "command", "end",   NULL};

	html_begin("kregress: all sessions", out);
	text_add(out, "<header>\n<p class=\"kicker\">kregress report</p>\n"
		      "<h1>All sessions</h1>\n<p class=\"meta\">made ");
	html_time(index->made, out);
	text_add(out, "</p>\n</header>\n<main id=\"main\">\n");
	if (!index->sessions->count)
		text_add(out, "<p>Nothing was measured yet.</p>\n");
	else
		html_table_begin("All sessions", titles, out);
	for (size_t i = 0; i < index->sessions->count; i++)
		if (is_listed(index, i))
			add_row(index, i, out);
	if (index->sessions->count)
		html_table_end(out);
	text_add(out, "</main>\n");
	html_end(out);
}
