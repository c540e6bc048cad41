/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/filing.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/extent.h"
#include "store/findings.h"

#include <string.h>

struct filing {
	struct workbench *workbench;
	const struct judge_options *options;
	struct finding_list list; /* read again when it has changed */
};

static int reload(struct filing *filing, struct error *err)
{
	finding_list_finish(&filing->list);
	return store_load_findings(filing->workbench->store, &filing->list, err);
}

static const char *lab_of(const struct filing *filing)
{
	return config_lab_names[filing->workbench->lab_kind];
}

static int is_finding(const struct comparison *comparison)
{
	if (comparison->verdict != VERDICT_REGRESSION)
		return 0;
	return comparison->role != ROLE_BASELINE ||
	       comparison_has(comparison, REASON_GRADUAL);
}

static int has_scenario(const struct finding_record *finding, const char *scenario)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (!strcmp(finding->cases[i].scenario, scenario))
			return 1;
	return 0;
}

static int has_case(const struct finding_record *finding, const struct series_name *name)
{
	return finding_has_case(finding, name->scenario, name->case_label, name->metric);
}

/* --- what is known already */

/* Steps in common, the culprit (where one was named) among them. */
static int is_same_change(const struct extent_context *context,
			  const struct finding_record *finding,
			  const struct extent *extent)
{
	const struct extent own = extent_of_finding(context, finding);
	const struct finding_event *recovery = finding_last(finding, "recovered");

	if (!extent_overlaps(context, &own, extent))
		return 0;
	if (*finding_culprit(finding) &&
	    !extent_may_hold(context, extent, finding_culprit(finding)))
		return 0;
	if (finding_standing(finding) != FINDING_RECOVERED)
		return 1;
	/* What is bad again in a version that had it back to normal is another one. */
	return extent_ends_before(context, extent, recovery->version, recovery->commit);
}

/* The finding that a comparison belongs to; NULL: none. *ret_new_case: it has no such. */
static const struct finding_record *find_known(const struct filing *filing,
					       const struct comparison *comparison,
					       int *ret_new_case)
{
	const struct extent_context context = {filing->workbench, filing->options};
	const struct extent extent = extent_of_comparison(&context, comparison);
	const struct finding_record *same_range = NULL;

	for (size_t i = 0; i < filing->list.count; i++) {
		const struct finding_record *finding = &filing->list.items[i];
		const struct extent own = extent_of_finding(&context, finding);

		if (strcmp(finding->lab, lab_of(filing)) != 0)
			continue;
		*ret_new_case = 0;
		if (has_case(finding, &comparison->name) &&
		    is_same_change(&context, finding, &extent))
			return finding;
		if (finding_standing(finding) == FINDING_OPEN &&
		    extent_is_same(&own, &extent))
			same_range = finding;
	}
	*ret_new_case = 1;
	return same_range;
}

static int open_one(struct filing *filing, const struct comparison *comparison,
		    const struct finding_case *item, struct error *err)
{
	const struct judge_options *options = filing->options;
	struct finding_record finding = {
		.session = filing->workbench->session,
		.lab = lab_of(filing),
		.good_version = judge_version(options, comparison->a_version),
		.bad_version = judge_version(options, comparison->b_version),
		.bad = comparison->b_version,
		.cases = item,
		.case_count = 1,
	};
	int64_t id;

	return store_add_finding(filing->workbench->store, &finding, &id, err);
}

static int file(struct filing *filing, const struct comparison *comparison,
		size_t *opened, struct error *err)
{
	struct finding_case item = {
		.scenario = comparison->name.scenario,
		.case_label = comparison->name.case_label,
		.metric = comparison->name.metric,
	};
	int new_case;
	const struct finding_record *known = find_known(filing, comparison, &new_case);

	if (known && !new_case)
		return 0;
	if (known ? store_add_finding_case(filing->workbench->store, known->id, &item,
					   err)
		  : open_one(filing, comparison, &item, err))
		return -1;
	*opened += !known;
	return reload(filing, err);
}

static int file_all(struct filing *filing, const struct comparisons *comparisons,
		    size_t *opened, struct error *err)
{
	if (reload(filing, err))
		return -1;
	for (size_t i = 0; i < comparisons->count; i++)
		if (is_finding(&comparisons->items[i]) &&
		    file(filing, &comparisons->items[i], opened, err))
			return -1;
	return 0;
}

int filing_open(struct workbench *workbench, const struct judge_options *options,
		const struct comparisons *comparisons, size_t *ret_opened,
		struct error *err)
{
	struct filing filing = {.workbench = workbench, .options = options};
	size_t opened = 0;
	int failed = file_all(&filing, comparisons, &opened, err);

	finding_list_finish(&filing.list);
	*ret_opened = opened;
	return failed;
}

/* --- searches */

static int names_commit(struct workbench *workbench, const char *name, const char *commit,
			const struct commit_id *id)
{
	struct commit_id found;
	struct error ignored;

	if (!strcmp(commit, id->hex))
		return 1;
	return !*commit &&
	       !repository_resolve(workbench->repository, name, &found, &ignored) &&
	       !strcmp(found.hex, id->hex);
}

static int is_about(struct workbench *workbench, const struct finding_record *finding,
		    const char *scenario, const struct search_request *request)
{
	return has_scenario(finding, scenario) &&
	       names_commit(workbench, finding->good, finding->good_commit,
			    &request->good) &&
	       names_commit(workbench, finding->bad, finding->bad_commit, &request->bad);
}

static int has_only(const struct finding_record *finding, const char *scenario)
{
	for (size_t i = 0; i < finding->case_count; i++)
		if (strcmp(finding->cases[i].scenario, scenario) != 0)
			return 0;
	return 1;
}

static int note(struct workbench *workbench, const struct finding_record *finding,
		const char *scenario, const struct search_run *run, struct error *err)
{
	int confirmed = run->end.status == SEARCH_CONFIRMED;
	const char *culprit = confirmed ? run->graph.ids[run->end.node].hex : "";
	const char *known = finding_culprit(finding);
	struct finding_event event = {
		.session = workbench->session,
		.kind = confirmed        ? "bisected"
			: run->is_paused ? "searching"
					 : "searched",
		.commit = culprit,
		.text = confirmed || run->is_paused ? "" : run->end.reason,
		.search = run->id,
	};
	int64_t id = finding->id;

	/* The same search asked again is no news. */
	for (size_t i = 0; i < finding->event_count; i++)
		if (finding->events[i].search == run->id &&
		    !strcmp(finding->events[i].kind, event.kind) &&
		    !strcmp(finding->events[i].commit, culprit))
			return 0;
	if (confirmed && *known && strcmp(known, culprit) != 0 &&
	    !has_only(finding, scenario) &&
	    store_split_finding(workbench->store, finding, scenario, workbench->session,
				"another commit changed it", &id, err))
		return -1;
	return store_add_finding_event(workbench->store, id, &event, err);
}

int filing_note_search(struct workbench *workbench, const char *scenario,
		       const struct search_run *run, struct error *err)
{
	CLEANUP(finding_list_finish) struct finding_list list = {0};

	if (store_load_findings(workbench->store, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (is_about(workbench, &list.items[i], scenario, run->request) &&
		    note(workbench, &list.items[i], scenario, run, err))
			return -1;
	return 0;
}
