/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/line_private.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 8 };

static int add_environment(struct store *store, struct report_section *section,
			   int64_t id, struct error *err)
{
	for (size_t i = 0; i < section->environment_count; i++)
		if (section->environments[i].id == id)
			return 0;
	section->environments =
		memory_resize(section->environments, section->environment_count + 1,
			      sizeof(*section->environments));
	section->environments[section->environment_count] = (struct environment){0};
	return store_load_environment(
		store, id, &section->environments[section->environment_count++], err);
}

static int load_environments(struct store *store, struct report_section *section,
			     struct error *err)
{
	for (size_t i = 0; i < section->results.count; i++) {
		int64_t id = section->results.series[i].environment;

		if (i && section->results.series[i - 1].environment == id)
			continue;
		if (add_environment(store, section, id, err) < 0)
			return -1;
	}
	return 0;
}

static int load_changes(struct store *store, const struct line *line,
			struct report_section *section, struct error *err)
{
	if (line->session_count == 1)
		return store_load_changes(store, line->sessions[0], &section->changes,
					  err);
	return store_load_latest_changes(store, line->sessions, line->session_count,
					 &section->changes, err);
}

static int load_section(struct store *store, const struct report_model *model,
			const struct line *line, struct report_section *section,
			struct error *err)
{
	const struct results_query query = {.versions = line->versions,
					    .version_count = line->count};
	int64_t session = section->session->id;

	if (store_load_results(store, &query, &section->results, err) < 0)
		return -1;
	collect_drop_superseded(&section->results);
	if (load_changes(store, line, section, err) < 0 ||
	    store_load_judged(store, session, &section->judged, err) < 0 ||
	    store_load_failures(store, session, &section->failures, err) < 0 ||
	    store_load_notes(store, session, &section->notes, err) < 0 ||
	    store_load_remarks(store, session, &section->remarks, err) < 0 ||
	    load_environments(store, section, err) < 0)
		return -1;
	for (size_t i = 0; i < section->judged.count; i++)
		section->verdict_count += section->judged.items[i].verdicts;
	section->is_cut_short = section->session->exit_code < 0 ||
				(!section->judged.count && section->session->exit_code);
	if (collect_findings(store, model, section, err) < 0)
		return -1;
	return collect_tables(store, section, err);
}

static void finish_section(struct report_section *section)
{
	for (size_t i = 0; i < section->environment_count; i++)
		environment_finish(&section->environments[i]);
	free(section->environments);
	collect_findings_finish(section);
	for (size_t i = 0; i < section->table_count; i++)
		table_finish(&section->tables[i].table);
	free(section->tables);
	results_finish(&section->results);
	verdict_list_finish(&section->changes);
	judged_list_finish(&section->judged);
	failure_list_finish(&section->failures);
	note_list_finish(&section->notes);
	remark_list_finish(&section->remarks);
	*section = (struct report_section){0};
}

static int add_section(struct store *store, struct report_model *model, size_t index,
		       char *used, struct error *err)
{
	CLEANUP(line_finish) struct line line = {0};
	struct report_section *section;

	if (line_collect(store, model, index, used, &line, err) < 0)
		return -1;
	if (!line.count)
		return 0;
	section = &model->sections[model->section_count++];
	*section = (struct report_section){.session = &model->sessions.items[index]};
	if (load_section(store, model, &line, section, err) < 0)
		return -1;
	if (!section->results.count && !section->failures.count && !section->notes.count)
		finish_section(&model->sections[--model->section_count]);
	return 0;
}

static int load_sections(struct store *store, const struct report_options *options,
			 struct report_model *model, struct error *err)
{
	size_t most = options->sections ? options->sections : SECTIONS;
	CLEANUP(cleanup_free) char *used = memory_new(model->sessions.count + 1, 1);

	most = options->session ? 1 : most;
	model->sections = memory_new(most, sizeof(*model->sections));
	for (size_t i = 0; i < model->sessions.count && model->section_count < most;
	     i++) {
		if (used[i])
			continue;
		if (options->session && model->sessions.items[i].id != options->session)
			break;
		if (add_section(store, model, i, used, err) < 0)
			return -1;
	}
	return 0;
}

static void count_stages(struct report_model *model)
{
	for (size_t i = 0; i < model->section_count; i++)
		for (size_t j = 0; j < model->sections[i].finding_count; j++)
			model->stages[model->sections[i].findings[j].stage]++;
}

static void list_searches(struct report_model *model, int64_t session)
{
	for (size_t i = 0; i < model->search_records.count; i++) {
		struct report_search *search = &model->searches[i];

		search->listed = !search->shown &&
				 (!session || search->record->session == session);
	}
}

static int load_all(struct store *store, const struct report_options *options,
		    struct report_model *model, struct error *err)
{
	if (store_load_sessions(store, &model->sessions, err) < 0 ||
	    store_load_findings(store, &model->findings, err) < 0 ||
	    store_load_searches(store, 0, &model->search_records, err) < 0)
		return -1;
	if (options->session)
		collect_as_of(model, options->session);
	model->since = collect_since(model);
	if (collect_searches(store, model, err) < 0 ||
	    collect_explanations(store, model, err) < 0 ||
	    load_sections(store, options, model, err) < 0 ||
	    collect_confirmations(store, model, err) < 0)
		return -1;
	list_searches(model, options->session);
	count_stages(model);
	return 0;
}

int report_collect(struct store *store, const struct report_options *options,
		   struct report_model *ret_model, struct error *err)
{
	struct report_model model = {
		.made = options->now ? options->now : store_now(),
		.database = memory_copy_string(store_path(store)),
	};
	int result;

	if (store_begin_read(store, err) < 0) {
		report_model_finish(&model);
		return -1;
	}
	result = load_all(store, options, &model, err);
	store_rollback(store);
	if (result < 0) {
		report_model_finish(&model);
		return -1;
	}
	*ret_model = model;
	return 0;
}

void report_model_finish(struct report_model *model)
{
	for (size_t i = 0; i < model->section_count; i++)
		finish_section(&model->sections[i]);
	free(model->sections);
	collect_searches_finish(model);
	search_list_finish(&model->search_records);
	finding_list_finish(&model->findings);
	session_list_finish(&model->sessions);
	free(model->database);
	*model = (struct report_model){0};
}
