/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/findings.h"

#include "base/cleanup.h"
#include "store/findings.h"

#include <string.h>

static int is_finding(const struct comparison *comparison)
{
	if (comparison->verdict != VERDICT_REGRESSION)
		return 0;
	return comparison->role != ROLE_BASELINE ||
	       comparison_has(comparison, REASON_GRADUAL);
}

/* The finding of the same scenario between the same versions; 0: none yet. */
static int64_t find_open(const struct finding_list *list,
			 const struct comparison *comparison)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct finding_record *finding = &list->items[i];

		if (!strcmp(finding->good, comparison->a_version) &&
		    !strcmp(finding->bad, comparison->b_version) && finding->case_count &&
		    !strcmp(finding->cases[0].scenario, comparison->name.scenario))
			return finding->id;
	}
	return 0;
}

static int open_one(struct workbench *workbench, const struct judge_options *options,
		    const struct comparison *comparison, struct error *err)
{
	CLEANUP(finding_list_finish) struct finding_list list = {0};
	struct finding_case item = {
		.scenario = comparison->name.scenario,
		.case_label = comparison->name.case_label,
		.metric = comparison->name.metric,
	};
	struct finding_record finding = {
		.session = workbench->session,
		.lab = config_lab_names[workbench->lab_kind],
		.good_version = judge_version(options, comparison->a_version),
		.bad_version = judge_version(options, comparison->b_version),
		.cases = &item,
		.case_count = 1,
	};
	int64_t known;

	if (store_load_findings(workbench->store, &list, err))
		return -1;
	known = find_open(&list, comparison);
	if (known)
		return store_add_finding_case(workbench->store, known, &item, err);
	return store_add_finding(workbench->store, &finding, &known, err);
}

int findings_open(struct workbench *workbench, const struct judge_options *options,
		  const struct comparisons *comparisons, struct error *err)
{
	for (size_t i = 0; i < comparisons->count; i++)
		if (is_finding(&comparisons->items[i]) &&
		    open_one(workbench, options, &comparisons->items[i], err))
			return -1;
	return 0;
}

static int names_commit(struct workbench *workbench, const char *name,
			const struct commit_id *id)
{
	struct commit_id found;
	struct error ignored;

	return !repository_resolve(workbench->repository, name, &found, &ignored) &&
	       !strcmp(found.hex, id->hex);
}

static int is_about(struct workbench *workbench, const struct finding_record *finding,
		    const char *scenario, const struct search_request *request)
{
	return finding->case_count && !strcmp(finding->cases[0].scenario, scenario) &&
	       names_commit(workbench, finding->good, &request->good) &&
	       names_commit(workbench, finding->bad, &request->bad);
}

static int note(struct workbench *workbench, const struct finding_record *finding,
		const struct search_run *run, struct error *err)
{
	int confirmed = run->end.status == SEARCH_CONFIRMED;
	const char *culprit = confirmed ? run->graph.ids[run->end.node].hex : "";
	struct finding_event event = {
		.session = workbench->session,
		.kind = confirmed ? "bisected" : "searched",
		.commit = culprit,
		.search = run->id,
	};

	/* The same search asked again is no news. */
	for (size_t i = 0; i < finding->event_count; i++)
		if (finding->events[i].search == run->id &&
		    !strcmp(finding->events[i].commit, culprit))
			return 0;
	return store_add_finding_event(workbench->store, finding->id, &event, err);
}

int findings_note_search(struct workbench *workbench, const char *scenario,
			 const struct search_run *run, struct error *err)
{
	CLEANUP(finding_list_finish) struct finding_list list = {0};

	if (store_load_findings(workbench->store, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (is_about(workbench, &list.items[i], scenario, run->request) &&
		    note(workbench, &list.items[i], run, err))
			return -1;
	return 0;
}
