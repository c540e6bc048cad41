/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/night_report.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/finding_print.h"
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

static int was_killed(const struct session_list *sessions, int64_t session)
{
	static const char nightly[] = "kregress nightly";

	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->items[i].id == session)
			return !sessions->items[i].finished &&
			       !strncmp(sessions->items[i].command, nightly,
					sizeof(nightly) - 1);
	return 0;
}

int night_is_alarm(const struct night_summary *summary,
		   const struct finding_record *finding)
{
	const struct finding_event *alarm = finding_last(finding, "alarmed");

	return alarm && is_of_tonight(summary, alarm->session);
}

static int raise(struct night_summary *summary, struct store *store,
		 const struct session_list *sessions, size_t *alarms, struct error *err)
{
	struct finding_event event = {.session = summary->sessions[0], .kind = "alarmed"};

	for (size_t i = 0; i < summary->findings.count; i++) {
		const struct finding_record *finding = &summary->findings.items[i];

		if (finding_standing(finding) != FINDING_OPEN ||
		    finding_last(finding, "alarmed") ||
		    !(is_of_tonight(summary, finding->session) ||
		      was_killed(sessions, finding->session)))
			continue;
		if (store_add_finding_event(store, finding->id, &event, err))
			return -1;
		++*alarms;
	}
	return 0;
}

int night_raise_alarms(struct night_summary *summary, struct store *store,
		       size_t *ret_alarms, struct error *err)
{
	CLEANUP(session_list_finish) struct session_list sessions = {0};
	size_t alarms = 0;

	if (store_load_sessions(store, &sessions, err) ||
	    store_load_findings(store, &summary->findings, err) ||
	    raise(summary, store, &sessions, &alarms, err))
		return -1;
	finding_list_finish(&summary->findings);
	if (store_load_findings(store, &summary->findings, err))
		return -1;
	*ret_alarms = alarms;
	return 0;
}

/* --- the report */

static int write_one(const struct report_model *model, const char *folder,
		     const char *format, char **ret_path, struct error *err)
{
	const struct report_writer *writer = report_writer_find(format);
	CLEANUP(cleanup_free) char *name = memory_format("report.%s", writer->extension);
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	CLEANUP(text_finish) struct text text = {0};

	writer->write(model, &text);
	if (file_write(path, text.data, text.size, err))
		return -1;
	if (ret_path) {
		free(*ret_path);
		*ret_path = TAKE(path);
	}
	return 0;
}

int night_write_reports(struct night_summary *summary, struct store *store,
			const char *results, struct error *err)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	struct report_options options = {0};
	CLEANUP(text_finish) struct text date = {0};
	CLEANUP(cleanup_free) char *folder = NULL;

	clock_format(&date, clock_now());
	folder = memory_format("%s/nights/%.10s-%lld", results, text_string(&date),
			       (long long)summary->sessions[0]);
	if (report_collect(store, &options, &model, err) ||
	    file_make_folders(folder, err))
		return -1;
	return write_one(&model, folder, "html", &summary->report, err) ||
			       write_one(&model, folder, "text", NULL, err) ||
			       write_one(&model, folder, "json", NULL, err)
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
	if (night_is_alarm(summary, finding))
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
