/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/night_report.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/finding_print.h"
#include "cli/report_pages.h"
#include "report/format.h"
#include "report/report.h"
#include "store/queue.h"
#include "store/sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void night_summary_finish(struct night_summary *summary)
{
	finding_list_finish(&summary->findings);
	text_list_finish(&summary->fetch_errors);
	free(summary->sessions);
	free(summary->report);
	*summary = (struct night_summary){0};
}

int night_summary_add(struct night_summary *summary, const struct night *night,
		      struct error *err)
{
	CLEANUP(queue_list_finish) struct queue_list queue = {0};

	if (store_load_queue(night->bench->store,
			     config_lab_names[night->bench->lab_kind], &queue, err))
		return -1;
	summary->sessions =
		memory_grow(summary->sessions, summary->session_count,
			    &summary->session_capacity, sizeof(*summary->sessions));
	summary->sessions[summary->session_count++] = night->bench->session;
	summary->measured += night->measured;
	summary->failed += night->failed;
	summary->searched += night->searched;
	summary->boots += night->boots;
	summary->left += queue.count;
	summary->wanted += night->work_count;
	return 0;
}

/* --- alarms */

static int is_of_tonight(const struct night_summary *summary, int64_t session)
{
	for (size_t i = 0; i < summary->session_count; i++)
		if (summary->sessions[i] == session)
			return 1;
	return 0;
}

static int is_night(const struct session_list *sessions, int64_t session)
{
	static const char nightly[] = "kregress nightly";

	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->items[i].id == session)
			return !strncmp(sessions->items[i].command, nightly,
					sizeof(nightly) - 1);
	return 0;
}

static int is_to_be_raised(const struct session_list *sessions,
			   const struct finding_record *finding)
{
	return finding_standing(finding) == FINDING_OPEN &&
	       !finding_last(finding, "alarmed") && is_night(sessions, finding->session);
}

static int reload(struct night_summary *summary, struct store *store, struct error *err)
{
	finding_list_finish(&summary->findings);
	return store_load_findings(store, &summary->findings, err);
}

int night_count_alarms(struct night_summary *summary, struct store *store,
		       size_t *ret_alarms, struct error *err)
{
	CLEANUP(session_list_finish) struct session_list sessions = {0};

	if (store_load_sessions(store, &sessions, err) || reload(summary, store, err))
		return -1;
	*ret_alarms = 0;
	for (size_t i = 0; i < summary->findings.count; i++)
		*ret_alarms +=
			(size_t)is_to_be_raised(&sessions, &summary->findings.items[i]);
	return 0;
}

int night_raise_alarms(struct night_summary *summary, struct store *store,
		       struct error *err)
{
	CLEANUP(session_list_finish) struct session_list sessions = {0};
	const struct finding_event event = {.session = summary->sessions[0],
					    .kind = "alarmed"};

	if (store_load_sessions(store, &sessions, err))
		return -1;
	for (size_t i = 0; i < summary->findings.count; i++)
		if (is_to_be_raised(&sessions, &summary->findings.items[i]) &&
		    store_add_finding_event(store, summary->findings.items[i].id, &event,
					    err))
			return -1;
	return reload(summary, store, err);
}

/* --- the report */

static int write_one(const struct report_model *model, const char *format,
		     const char *results, int64_t session, struct error *err)
{
	const struct report_writer *writer = report_writer_find(format);
	CLEANUP(cleanup_free)
	char *path = memory_format("%s/reports/session-%lld.%s", results,
				   (long long)session, writer->extension);
	CLEANUP(text_finish) struct text text = {0};

	writer->write(model, &text);
	return file_write(path, text.data, text.size, err);
}

int night_write_reports(struct night_summary *summary, struct store *store,
			const char *results, struct error *err)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	int64_t session = summary->sessions[summary->session_count - 1];
	const struct report_options options = {.session = session};

	if (report_pages_write(store, results, session, &summary->report, err) ||
	    report_collect(store, &options, &model, err))
		return -1;
	return write_one(&model, "text", results, session, err) ||
			       write_one(&model, "json", results, session, err)
		       ? -1
		       : 0;
}

/* --- the summary */

/* Closed tonight, or seen again tonight. */
static int happened_tonight(const struct night_summary *summary,
			    const struct finding_record *finding, const char *kind)
{
	const struct finding_event *event = finding_last(finding, kind);

	return event && is_of_tonight(summary, event->session);
}

static const char *news_of(const struct night_summary *summary,
			   const struct finding_record *finding)
{
	if (happened_tonight(summary, finding, "alarmed"))
		return "new";
	if (happened_tonight(summary, finding, "recovered"))
		return "recovered";
	return finding_standing(finding) == FINDING_OPEN ? "open" : NULL;
}

static void print_text(const struct night_summary *summary)
{
	CLEANUP(text_finish) struct text out = {0};

	format_count(&out, summary->measured, "result");
	text_format(&out, ", %zu failed, ", summary->failed);
	format_count(&out, summary->boots, "boot");
	text_add(&out, ", ");
	text_format(&out, "%zu search%s, %zu left for another night\n", summary->searched,
		    summary->searched == 1 ? "" : "es", summary->left);
	for (size_t i = 0; i < summary->findings.count; i++) {
		const char *news = news_of(summary, &summary->findings.items[i]);

		if (!news)
			continue;
		text_format(&out, "%-9s  ", news);
		finding_add_line(&summary->findings.items[i], &out);
	}
	if (summary->report)
		text_format(&out, "report: %s\n", summary->report);
	fputs(text_string(&out), stdout);
}

static void add_count(struct text *json, const char *key, size_t count)
{
	json_put_key(json, key);
	json_put_count(json, count);
}

static void add_findings(const struct night_summary *summary, const char *news,
			 const char *key, struct text *json)
{
	json_put_key(json, key);
	text_add_char(json, '[');
	for (size_t i = 0; i < summary->findings.count; i++) {
		const char *mine = news_of(summary, &summary->findings.items[i]);

		if (mine && !strcmp(mine, news))
			finding_add_json(&summary->findings.items[i], json);
	}
	text_add_char(json, ']');
}

static void print_json(const struct night_summary *summary)
{
	CLEANUP(text_finish) struct text json = {0};

	text_add_char(&json, '{');
	json_put_key(&json, "sessions");
	text_add_char(&json, '[');
	for (size_t i = 0; i < summary->session_count; i++) {
		json_put_comma(&json);
		json_put_count(&json, (size_t)summary->sessions[i]);
	}
	text_add_char(&json, ']');
	add_count(&json, "measured", summary->measured);
	add_count(&json, "failed", summary->failed);
	add_count(&json, "boots", summary->boots);
	add_count(&json, "searches", summary->searched);
	add_count(&json, "left", summary->left);
	add_findings(summary, "new", "new", &json);
	add_findings(summary, "open", "open", &json);
	add_findings(summary, "recovered", "recovered", &json);
	json_put_key(&json, "fetch_errors");
	text_add_char(&json, '[');
	for (size_t i = 0; i < summary->fetch_errors.count; i++) {
		json_put_comma(&json);
		json_put_string(&json, summary->fetch_errors.items[i]);
	}
	text_add_char(&json, ']');
	json_put_key(&json, "report");
	json_put_string(&json, summary->report);
	text_add_char(&json, '}');
	puts(text_string(&json));
}

void night_print(const struct night_summary *summary, int json)
{
	if (json)
		print_json(summary);
	else
		print_text(summary);
}
