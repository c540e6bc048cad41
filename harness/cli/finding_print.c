/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/finding_print.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "report/finding_words.h"
#include "report/format.h"
#include "store/subjects.h"

#include <string.h>

static void add_text(struct text *json, const char *key, const char *value)
{
	json_put_key(json, key);
	json_put_string(json, *value ? value : NULL);
}

static void add_number(struct text *json, const char *key, int64_t number)
{
	json_put_key(json, key);
	text_format(json, "%lld", (long long)number);
}

static void add_cases(const struct finding_record *finding, struct text *json)
{
	json_put_key(json, "cases");
	text_add_char(json, '[');
	for (size_t i = 0; i < finding->case_count; i++) {
		json_put_comma(json);
		text_add_char(json, '{');
		json_put_key(json, "scenario");
		json_put_string(json, finding->cases[i].scenario);
		json_put_key(json, "case");
		json_put_string(json, finding->cases[i].case_label);
		json_put_key(json, "metric");
		json_put_string(json, finding->cases[i].metric);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void add_events(const struct finding_record *finding, struct text *json)
{
	json_put_key(json, "events");
	text_add_char(json, '[');
	for (size_t i = 0; i < finding->event_count; i++) {
		const struct finding_event *event = &finding->events[i];

		json_put_comma(json);
		text_add_char(json, '{');
		add_text(json, "kind", event->kind);
		add_text(json, "version", event->version);
		add_text(json, "commit", event->commit);
		add_text(json, "text", event->text);
		add_number(json, "session", event->session);
		add_number(json, "at", event->at);
		add_number(json, "day", finding_day(finding, event->at));
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

void finding_add_json(const struct finding_record *finding, struct text *json)
{
	CLEANUP(text_finish) struct text words = {0};

	finding_words(finding, &words);
	json_put_comma(json);
	text_add_char(json, '{');
	add_number(json, "id", finding->id);
	add_text(json, "state", finding_state(finding));
	add_text(json, "words", text_string(&words));
	add_text(json, "lab", finding->lab);
	add_text(json, "good", finding->good);
	add_text(json, "bad", finding->bad);
	add_text(json, "culprit", finding_culprit(finding));
	add_number(json, "opened", finding->opened);
	add_cases(finding, json);
	add_events(finding, json);
	text_add_char(json, '}');
}

/* "fsync-loop (3 cases), raw-sync (1 case)"; cases are sorted by scenario. */
static void add_scenarios(const struct finding_record *finding, struct text *out)
{
	size_t first = 0;

	for (size_t i = 1; i <= finding->case_count; i++) {
		const char *scenario = finding->cases[first].scenario;

		if (i < finding->case_count &&
		    !strcmp(finding->cases[i].scenario, scenario))
			continue;
		text_add(out, first ? ", " : "");
		utf8_add_plain_string(out, scenario);
		text_format(out, " (%zu case%s)", i - first, i - first == 1 ? "" : "s");
		first = i;
	}
}

void finding_add_line(const struct finding_record *finding, struct text *out)
{
	CLEANUP(text_finish) struct text words = {0};

	text_format(&words, ": %s to %s, ", finding->good, finding->bad);
	finding_words(finding, &words);
	text_format(out, "%lld  ", (long long)finding->id);
	add_scenarios(finding, out);
	utf8_add_plain_string(out, text_string(&words));
	text_add(out, "\n");
}

static void add_culprit(struct store *store, const struct finding_record *finding,
			struct text *out)
{
	CLEANUP(commit_list_finish) struct commit_list list = {0};
	const char *culprit = finding_culprit(finding);
	struct error ignored;

	if (!*culprit)
		return;
	text_add(out, "  culprit: ");
	utf8_add_plain_string(out, culprit);
	text_add(out, " ");
	if (!store_load_commit(store, culprit, &list, &ignored) && list.count)
		utf8_add_plain_string(out, list.items[0].subject);
	text_add(out, "\n");
}

static void add_history(const struct finding_record *finding, struct text *out)
{
	for (size_t i = 0; i < finding->event_count; i++) {
		const struct finding_event *event = &finding->events[i];
		const char *parts[] = {event->version, event->commit, event->text};

		text_add(out, "  ");
		clock_format(out, event->at);
		text_format(out, "  %s", event->kind);
		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++) {
			text_add(out, *parts[k] ? "  " : "");
			utf8_add_plain_string(out, parts[k]);
		}
		text_add(out, "\n");
	}
}

static void add_case(const struct finding_case *item, struct text *out)
{
	CLEANUP(cleanup_free)
	char *line = memory_format("  %s %s %s", item->scenario, item->case_label,
				   item->metric);

	utf8_add_plain_string(out, line);
	text_add(out, "\n");
}

/* The search that is still to be made. */
static void add_command(const struct finding_record *finding, struct text *out)
{
	CLEANUP(text_finish) struct text line = {0};

	if (*finding_culprit(finding) || !finding->case_count || !*finding->good_commit)
		return;
	text_add(&line, "  kregress bisect --good ");
	format_shell_word(&line, finding->good);
	text_add(&line, " --bad ");
	format_shell_word(&line, finding->bad);
	text_add(&line, " --scenario ");
	format_shell_word(&line, finding->cases[0].scenario);
	utf8_add_plain_string(out, text_string(&line));
	text_add(out, "\n");
}

void finding_add_all(struct store *store, const struct finding_record *finding,
		     struct text *out)
{
	finding_add_line(finding, out);
	add_culprit(store, finding, out);
	for (size_t i = 0; i < finding->case_count; i++)
		add_case(&finding->cases[i], out);
	add_history(finding, out);
	add_command(finding, out);
}
