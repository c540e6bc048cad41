/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explaining.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "measure/changed_code.h"

#include <stdio.h>
#include <stdlib.h>

enum { CULPRIT_ROWS = 10 };

void explanations_finish(struct explanations *explanations)
{
	for (size_t i = 0; i < explanations->count; i++)
		explanation_finish(&explanations->items[i]);
	free(explanations->items);
	*explanations = (struct explanations){0};
}

static void list_changed_code(const struct difference *difference,
			      struct profile_line **ret_lines,
			      struct explanation_record *record)
{
	struct profile_line *lines = memory_new(difference->count, sizeof(*lines));

	for (size_t i = 0; i < difference->count; i++)
		if (difference->rows[i].code_differs)
			lines[record->changed_code_count++] = (struct profile_line){
				.name = difference->rows[i].name,
				.file = difference->rows[i].file,
			};
	record->changed_code = *ret_lines = lines;
}

static int keep(struct workbench *workbench, const struct explain_request *request,
		const struct explain_pair *pair, enum difference_fold fold,
		struct explanation *explanation, struct error *err)
{
	CLEANUP(text_finish) struct text sentence = {0};
	CLEANUP(cleanup_free) struct profile_line *changed = NULL;
	struct explanation_record record = {
		.session = workbench->session,
		.a = pair->a,
		.b = pair->b,
		.a_version = request->a->version_id,
		.b_version = request->b->version_id,
		.scenario = request->scenario->name,
		.case_label = pair->case_label,
		.a_text = request->a->name,
		.b_text = request->b->name,
	};

	if (explanation_load(workbench->store, &record, fold, explanation, err) ||
	    changed_code_mark(&request->a->kernel, &request->b->kernel,
			      &explanation->functions, err))
		return -1;
	list_changed_code(&explanation->functions, &changed, &record);
	explanation_put_causes_first(explanation);
	explanation_sentence(explanation, &sentence);
	record.sentence = text_string(&sentence);
	return store_add_explanation(workbench->store, &record, err);
}

int explaining_run(struct workbench *workbench, const struct explain_request *request,
		   enum difference_fold fold, struct explanations *ret_explanations,
		   struct error *err)
{
	CLEANUP(explain_pairs_finish) struct explain_pairs pairs = {0};
	CLEANUP(explanations_finish) struct explanations explanations = {0};

	if (explain_measure(workbench, request, &pairs, err))
		return -1;
	explanations.items = memory_new(pairs.count, sizeof(*explanations.items));
	explanations.count = pairs.count;
	for (size_t i = 0; i < pairs.count; i++)
		if (keep(workbench, request, &pairs.items[i], fold,
			 &explanations.items[i], err))
			return -1;
	*ret_explanations = explanations;
	explanations = (struct explanations){0};
	return 0;
}

void explanations_print(const struct explanations *explanations, size_t most)
{
	CLEANUP(text_finish) struct text out = {0};

	for (size_t i = 0; i < explanations->count; i++) {
		text_add(&out, i ? "\n" : "");
		explanation_print(&explanations->items[i], most, &out);
	}
	fputs(text_string(&out), stdout);
}

static int open_commit(struct workbench *workbench, const char *revision,
		       struct subject *subject, struct error *err)
{
	CLEANUP(cleanup_free) char *name = NULL;
	struct commit_id id;

	if (repository_resolve(workbench->repository, revision, &id, err) ||
	    repository_describe(workbench->repository, &id, &name, err))
		return -1;
	return subject_open(workbench, id.hex, name, subject, err);
}

static int explain_commit(struct workbench *workbench, const struct scenario *scenario,
			  const char *case_label, const char *culprit,
			  struct explanations *explanations, struct error *err)
{
	CLEANUP(cleanup_free) char *before = memory_format("%s^", culprit);
	CLEANUP(subject_finish) struct subject parent = {0};
	CLEANUP(subject_finish) struct subject commit = {0};
	const struct explain_request request = {
		.a = &parent,
		.b = &commit,
		.scenario = scenario,
		.case_label = case_label,
	};

	if (open_commit(workbench, before, &parent, err) ||
	    open_commit(workbench, culprit, &commit, err))
		return -1;
	return explaining_run(workbench, &request, FOLD_FUNCTION, explanations, err);
}

int explaining_culprit(struct workbench *workbench, const struct scenario *scenario,
		       const char *case_label, const char *culprit, int quiet,
		       struct error *err)
{
	CLEANUP(explanations_finish) struct explanations explanations = {0};
	struct error failure;

	if (workbench->lab_kind != CONFIG_VIRTUAL)
		return 0;
	log_info("counting what %.12s and its parent execute", culprit);
	if (explain_commit(workbench, scenario, case_label, culprit, &explanations,
			   &failure)) {
		if (failure.kind == ERROR_INTERRUPTED) {
			*err = failure;
			return -1;
		}
		log_warning("the culprit is found, but not explained: %s", failure.text);
		return 0;
	}
	if (quiet)
		return 0;
	putchar('\n');
	explanations_print(&explanations, CULPRIT_ROWS);
	return 0;
}
