/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commits behind open findings: declared in night.h. */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/bisect_scenario.h"
#include "history/commit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int night_is_to_search(const struct night *night, const struct finding_record *finding)
{
	return finding_standing(finding) == FINDING_OPEN && finding->case_count &&
	       !strcmp(finding->lab, config_lab_names[night->bench->lab_kind]) &&
	       *finding->good_commit && *finding->bad_commit &&
	       !strchr(finding->good, '+') && !strchr(finding->bad, '+') &&
	       !finding_last(finding, "bisected") && !finding_last(finding, "searched");
}

/* --- whether the commit that was named explains all scenarios of the finding */

struct pair {
	struct subject subjects[2]; /* parent, culprit */
};

static void finish_pair(struct pair *pair)
{
	subject_finish(&pair->subjects[0]);
	subject_finish(&pair->subjects[1]);
}

static int open_pair(struct night *night, const struct commit_id *culprit,
		     const struct commit_id *parent, struct pair *pair, struct error *err)
{
	const struct commit_id *ids[2] = {parent, culprit};

	for (int i = 0; i < 2; i++) {
		CLEANUP(cleanup_free) char *name = NULL;

		if (repository_describe(night->bench->repository, ids[i], &name, err) ||
		    subject_open(night->bench, ids[i]->hex, name, &pair->subjects[i],
				 err))
			return -1;
	}
	return 0;
}

static int has_regressed(struct night *night, const struct pair *pair,
			 const struct scenario *scenario, int64_t environment,
			 int *ret_regressed, struct error *err)
{
	CLEANUP(judgement_finish) struct judgement judgement = {0};
	const int64_t versions[2] = {pair->subjects[0].version_id,
				     pair->subjects[1].version_id};
	const char *const names[2] = {pair->subjects[0].name, pair->subjects[1].name};
	const struct judge_options options = {
		.versions = versions,
		.names = names,
		.version_count = 2,
		.scenarios = scenario,
		.scenario_count = 1,
		.environments = &environment,
		.environment_count = 1,
		.min_effect = -1,
	};

	if (judge_all(night->bench, &options, &judgement, err))
		return -1;
	*ret_regressed = comparisons_regressed(&judgement.comparisons);
	return 0;
}

/* What cannot be measured here stays with the finding. */
static int check_scenario(struct night *night, const struct finding_record *finding,
			  struct pair *pair, const struct scenario *scenario,
			  struct error *err)
{
	struct measurement list[2] = {
		{.subject = &pair->subjects[0], .scenario = scenario},
		{.subject = &pair->subjects[1], .scenario = scenario},
	};
	int failed, measured, regressed = 1;
	int64_t other;

	failed = measure_all(night->bench, list, 2, err);
	night->boots += list[0].made + list[1].made;
	night->budget.boots += list[0].made + list[1].made;
	measured = list[0].outcome == OUTCOME_OK && list[1].outcome == OUTCOME_OK;
	if (!failed && measured)
		failed = has_regressed(night, pair, scenario, list[0].environment,
				       &regressed, err);
	measurement_finish(&list[0]);
	measurement_finish(&list[1]);
	if (failed || regressed)
		return failed;
	log_info("finding %lld: %s is another change", (long long)finding->id,
		 scenario->name);
	return store_split_finding(
		night->bench->store, finding, scenario->name, night->bench->session,
		"the commit that was named does not change it", &other, err);
}

static int has_scenario(const struct finding_record *finding, const char *scenario)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (!strcmp(finding->cases[i].scenario, scenario))
			return 1;
	return 0;
}

static int check_others(struct night *night, const struct finding_record *finding,
			const char *searched, const struct commit_id *culprit,
			struct error *err)
{
	CLEANUP(commit_info_finish) struct commit_info info = {0};
	CLEANUP(finish_pair) struct pair pair = {0};

	if (commit_read(night->bench->repository, culprit, &info, err))
		return -1;
	/* A merge has no one version before it. */
	if (info.parent_count != 1)
		return 0;
	for (size_t i = 0; i < night->scenarios.count; i++) {
		const struct scenario *scenario = &night->scenarios.items[i];

		if (!strcmp(scenario->name, searched) ||
		    !has_scenario(finding, scenario->name))
			continue;
		if (!pair.subjects[0].name &&
		    open_pair(night, culprit, &info.parents[0], &pair, err))
			return -1;
		if (check_scenario(night, finding, &pair, scenario, err))
			return -1;
	}
	return 0;
}

/* --- searches */

static int note_failure(struct night *night, const struct finding_record *finding,
			const struct error *why, struct error *err)
{
	const struct finding_event event = {
		.session = night->bench->session, .kind = "searched", .text = why->text};

	log_warning("finding %lld: %s", (long long)finding->id, why->text);
	return store_add_finding_event(night->bench->store, finding->id, &event, err);
}

static void say_answer(const struct finding_record *finding,
		       const struct bisect_answer *answer)
{
	if (answer->status == SEARCH_CONFIRMED)
		log_info("finding %lld: %.12s", (long long)finding->id,
			 answer->culprit.hex);
	else
		log_info("finding %lld: %s", (long long)finding->id,
			 answer->is_paused ? "the search goes on another night"
					   : answer->reason);
}

static int search(struct night *night, const struct finding_record *finding,
		  struct error *err)
{
	static const struct text_list none = {0};
	const char *scenario = finding->cases[0].scenario;
	struct bisect_scenario options = {
		.scenario = scenario,
		.parameters = &none,
		.budget = &night->budget,
		.is_quiet = 1,
		.edits = "",
		.no_explain = 1,
	};
	struct bisect_answer answer;
	struct error why = {0};

	snprintf(options.good.hex, sizeof(options.good.hex), "%s", finding->good_commit);
	snprintf(options.bad.hex, sizeof(options.bad.hex), "%s", finding->bad_commit);
	log_info("finding %lld: searching %s to %s by %s", (long long)finding->id,
		 finding->good, finding->bad, scenario);
	if (bisect_on_bench(night->bench, &options, &answer, &why) < 0) {
		/* One that cannot be made is told; the night goes on with the others. */
		if (why.kind == ERROR_MEASUREMENT || why.kind == ERROR_USAGE)
			return note_failure(night, finding, &why, err);
		*err = why;
		return -1;
	}
	night->searched++;
	night->boots += answer.boots;
	night->is_cut |= answer.is_paused;
	say_answer(finding, &answer);
	if (answer.status != SEARCH_CONFIRMED)
		return 0;
	return check_others(night, finding, scenario, &answer.culprit, err);
}

/* The next one that was not tried tonight; NULL: none. */
static const struct finding_record *next_finding(const struct night *night,
						 const struct finding_list *list,
						 int64_t after)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].id > after &&
		    night_is_to_search(night, &list->items[i]))
			return &list->items[i];
	return NULL;
}

int night_search(struct night *night, struct error *err)
{
	int64_t last = 0;

	/* A search may split a finding: the list is read again each time. */
	for (;;) {
		CLEANUP(finding_list_finish) struct finding_list list = {0};
		const struct finding_record *finding;

		if (store_load_findings(night->bench->store, &list, err))
			return -1;
		finding = next_finding(night, &list, last);
		if (!finding)
			return 0;
		if (night_is_spent(night)) {
			night->is_cut = 1;
			return 0;
		}
		last = finding->id;
		if (search(night, finding, err))
			return -1;
	}
}
