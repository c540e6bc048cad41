/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/explanation.h"
#include "report/headline.h"
#include "report/json_private.h"
#include "report/remarks.h"
#include "report/report.h"

#include "base/cleanup.h"

#include <math.h>
#include <string.h>

static json_t *side_json(const struct verdict_side *side)
{
	return json_pack("{s:I, s:o, s:o, s:o}", "boots", (json_int_t)side->boots,
			 "median", json_number_or_null(side->median), "min",
			 json_number_or_null(side->min), "max",
			 json_number_or_null(side->max));
}

static json_t *reasons_json(const struct verdict_record *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdict->reason_count; i++)
		json_array_append_new(list, json_text(verdict->reasons[i]));
	return list;
}

/* The keys of "compare --json". */
static json_t *verdict_json(const struct verdict_record *item)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o], s:o, "
		"s:o,"
		" s:o, s:o, s:o, s:o, s:o}",
		"a", json_text(item->a.text), "b", json_text(item->b.text), "role",
		json_text(item->role), "scenario", json_text(item->scenario), "case",
		json_text(item->case_label), "metric", json_text(item->metric), "unit",
		json_text(item->unit), "better", json_text(item->better), "a_stats",
		side_json(&item->a), "b_stats", side_json(&item->b), "change_percent",
		json_number_or_null(item->change_percent), "ci_percent",
		json_number_or_null(item->ci_low_percent),
		json_number_or_null(item->ci_high_percent), "p",
		json_number_or_null(item->p), "q", json_number_or_null(item->q),
		"superiority", json_number_or_null(item->superiority), "boots_needed",
		item->boots_needed ? json_integer(item->boots_needed) : json_null(),
		"verdict", json_text(item->verdict), "reasons", reasons_json(item),
		"sentence", json_text(item->sentence));
}

static json_t *case_json(const struct report_case *item)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "scenario", json_text(item->scenario),
			 "case", json_text(item->case_label), "metric",
			 json_text(item->metric), "comparison",
			 item->verdict ? verdict_json(item->verdict) : json_null());
}

/* null where the configurations are not there to compare. */
static json_t *config_json(const struct report_config *config)
{
	json_t *list = json_array();

	for (size_t i = 0; i < config->count; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o}", "symbol",
					json_text(config->changes[i].symbol), "good",
					json_text(config->changes[i].good), "bad",
					json_text(config->changes[i].bad)));
	if (config->symbols)
		return list;
	json_decref(list);
	return json_null();
}

static json_t *finding_json(const struct report_finding *finding)
{
	json_t *cases = json_array();

	for (size_t i = 0; i < finding->count; i++)
		json_array_append_new(cases, case_json(&finding->cases[i]));
	return json_pack(
		"{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
		finding->id ? json_integer(finding->id) : json_null(), "state",
		json_text_or_null(finding->state), "stage",
		report_stage_name(finding->stage), "days",
		finding->days ? json_integer(finding->days) : json_null(), "config",
		config_json(&finding->config), "good", json_text(finding->good), "bad",
		json_text(finding->bad), "search",
		finding->search ? json_integer(finding->search->record->id) : json_null(),
		"cases", cases);
}

static json_t *findings_json(const struct report_section *section)
{
	json_t *list = json_array();

	for (size_t i = 0; i < section->finding_count; i++)
		json_array_append_new(list, finding_json(&section->findings[i]));
	return list;
}

static json_t *changes_json(const struct report_section *section)
{
	json_t *list = json_array();

	for (size_t i = 0; i < section->changes.count; i++)
		json_array_append_new(list, verdict_json(&section->changes.items[i]));
	return list;
}

static json_t *versions_json(const struct version_list *versions)
{
	json_t *list = json_array();

	for (size_t i = 0; i < versions->count; i++) {
		const struct version_record *item = &versions->items[i];

		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:o}", "version",
					json_text(item->text), "commit",
					json_text_or_null(item->commit), "subject",
					json_text_or_null(item->subject), "kernel",
					json_text(item->kernel_key)));
	}
	return list;
}

/* Medians and numbers of boots, one for each version; null where there is none. */
static json_t *series_json(const struct report_section *section,
			   const struct result_series *series)
{
	json_t *medians = json_array(), *boots = json_array();

	for (size_t i = 0; i < section->results.versions.count; i++) {
		size_t count;

		results_of_version(series, i, &count);
		json_array_append_new(boots, json_integer((json_int_t)count));
		json_array_append_new(medians,
				      json_number_or_null(report_median(series, i)));
	}
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "scenario",
		json_text(series->scenario), "case", json_text(series->case_label),
		"metric", json_text(series->metric), "unit", json_text(series->unit),
		"better", json_text(series->better), "environment",
		(json_int_t)series->environment, "boots", boots, "medians", medians);
}

static json_t *all_series_json(const struct report_section *section)
{
	json_t *list = json_array();

	for (size_t i = 0; i < section->results.count; i++)
		if (report_shows(section, &section->results.series[i]))
			json_array_append_new(
				list, series_json(section, &section->results.series[i]));
	return list;
}

static json_t *failures_json(const struct failure_list *failures)
{
	json_t *list = json_array();

	for (size_t i = 0; i < failures->count; i++) {
		const struct failure_record *item = &failures->items[i];

		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "version",
					json_text(item->version), "commit",
					json_text_or_null(item->commit), "scenario",
					json_text_or_null(item->scenario), "outcome",
					json_text(item->outcome), "detail",
					json_text(item->detail), "log",
					json_text_or_null(item->log_path)));
	}
	return list;
}

static json_t *notes_json(const struct note_list *notes)
{
	json_t *list = json_array();

	for (size_t i = 0; i < notes->count; i++) {
		const struct note_record *item = &notes->items[i];

		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
					json_text(item->kind), "version",
					json_text_or_null(item->version), "scenario",
					json_text_or_null(item->scenario), "case",
					json_text_or_null(item->case_label), "metric",
					json_text_or_null(item->metric), "text",
					json_text(item->text)));
	}
	return list;
}

/* The same objects as in "run --json". */
static json_t *remarks_json(const struct remark_list *remarks)
{
	CLEANUP(text_finish) struct text text = {0};

	remarks_put_json(&text, remarks);
	return json_loads(text_string(&text), 0, NULL);
}

static json_t *environments_json(const struct report_section *section)
{
	json_t *list = json_array();

	for (size_t i = 0; i < section->environment_count; i++) {
		const struct environment *item = &section->environments[i];
		json_t *fields = json_object();

		for (size_t j = 0; j < item->count; j++)
			json_object_set_new(fields, item->fields[j].name,
					    json_text(item->fields[j].value));
		json_array_append_new(
			list, json_pack("{s:I, s:o, s:o, s:o}", "id",
					(json_int_t)item->id, "key", json_text(item->key),
					"lab", json_text(item->lab), "fields", fields));
	}
	return list;
}

static json_t *session_json(const struct session_record *session)
{
	return json_pack(
		"{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "id", (json_int_t)session->id,
		"command", json_text(session->command), "lab",
		json_text_or_null(session->lab), "started", json_time(session->started),
		"finished", json_time(session->finished), "exit_code",
		session->exit_code >= 0 ? json_integer(session->exit_code) : json_null(),
		"boots", (json_int_t)session->boots, "regressions",
		(json_int_t)session->regressions);
}

static json_t *section_json(const struct report_section *section)
{
	return json_pack(
		"{s:o, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "session",
		session_json(section->session), "cut_short", section->is_cut_short,
		"comparisons", (json_int_t)section->verdict_count, "versions",
		versions_json(&section->results.versions), "findings",
		findings_json(section), "changes", changes_json(section), "series",
		all_series_json(section), "left_out", failures_json(&section->failures),
		"notes", notes_json(&section->notes), "remarks",
		remarks_json(&section->remarks), "environments",
		environments_json(section));
}

static json_t *suspects_json(const struct search_record *record)
{
	json_t *list = json_array();

	for (size_t i = 0; i < record->suspect_count; i++) {
		const struct suspect_record *item = &record->suspects[i];

		json_array_append_new(
			list, json_pack("{s:o, s:o, s:b, s:b}", "commit",
					json_text(item->commit), "probability",
					json_number_or_null(item->probability), "tested",
					item->tested, "skipped", item->skipped));
	}
	return list;
}

static json_t *steps_json(const struct step_list *steps)
{
	json_t *list = json_array();

	for (size_t i = 0; i < steps->count; i++) {
		const struct step_record *item = &steps->items[i];
		json_t *values = json_array();

		for (size_t j = 0; j < item->value_count; j++)
			json_array_append_new(values,
					      json_number_or_null(item->values[j]));
		json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "commit",
						      json_text(item->commit), "outcome",
						      json_text(item->outcome), "values",
						      values));
	}
	return list;
}

static json_t *explanations_json(const struct report_search *search)
{
	json_t *list = json_array();

	for (size_t i = 0; i < search->explanation_count; i++) {
		CLEANUP(text_finish) struct text text = {0};

		explanation_json(&search->explanations[i], &text);
		json_array_append_new(list, json_loads(text_string(&text), 0, NULL));
	}
	return list;
}

static json_t *search_json(const struct report_search *search)
{
	const struct search_record *record = search->record;
	const char *subject =
		search->culprit.count ? search->culprit.items[0].subject : NULL;

	return json_pack(
		"{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
		(json_int_t)record->id, "reason", json_text_or_null(search->reason),
		"bisect_log", json_text_or_null(search->bisect_log), "kind",
		json_text(record->kind), "status", json_text(record->status), "started",
		json_time(record->started), "culprit", json_text_or_null(record->culprit),
		"culprit_subject", json_text(subject), "suspects", suspects_json(record),
		"steps", steps_json(&search->steps), "explanations",
		explanations_json(search));
}

static void write_json(const struct report_model *model, struct text *out)
{
	CLEANUP(text_finish) struct text headline = {0};
	json_t *sections = json_array(), *searches = json_array(),
	       *sessions = json_array();

	for (size_t i = 0; i < model->section_count; i++)
		json_array_append_new(sections, section_json(&model->sections[i]));
	for (size_t i = 0; i < model->search_records.count; i++)
		json_array_append_new(searches, search_json(&model->searches[i]));
	for (size_t i = 0; i < model->sessions.count; i++)
		json_array_append_new(sessions, session_json(&model->sessions.items[i]));
	report_headline(model, &headline);
	json_print(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "made",
			     json_time(model->made), "database",
			     json_text(model->database), "headline",
			     json_text(text_string(&headline)), "sections", sections,
			     "searches", searches, "sessions", sessions),
		   out);
}

const struct report_writer report_writer_json = {
	.name = "json",
	.extension = "json",
	.summary = "everything, for programs",
	.write = write_json,
};
