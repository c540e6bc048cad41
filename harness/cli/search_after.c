/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_after.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values of one version where they are noisy. */
enum { NOISY_VALUES = 3 };

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The values that are there of a version, by one purpose. */
static size_t find_values(const struct search_run *run, const char *purpose,
			  const char *version, double values[NOISY_VALUES],
			  const char **ret_outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < run->after.step_count; i++) {
		const struct search_run_step *step = &run->after.steps[i];

		if (strcmp(step->purpose, purpose) || strcmp(step->version, version))
			continue;
		*ret_outcome = step->outcome;
		if (!strcmp(step->outcome, "ok") && count < NOISY_VALUES)
			values[count++] = step->value;
	}
	return count;
}

static int may_measure(const struct search_run *run)
{
	unsigned limit = run->options.max_boots;

	return !limit ||
	       search_boots(run->search) + run->after.step_count < (size_t)limit;
}

static int measure_once(struct search_run *run, const char *purpose, const char *version,
			struct error *err)
{
	const struct measurer *measurer = &run->request->measurer;
	CLEANUP(trial_finish) struct trial trial = {0};

	log_status("measuring %s (%s)", version, purpose);
	if (measurer->ops->measure_version(measurer->state, version, &trial, err) ||
	    search_run_keep_after(run, purpose, version, &trial, err))
		return -1;
	log_info("    %s %s: %s", purpose, version, trial.outcome);
	return 0;
}

/*
 * Where the values of a version lie. Nothing is measured twice, and what cannot be
 * measured is not tried again.
 */
static int find_side(struct search_run *run, const char *purpose, const char *version,
		     enum search_side *ret_side, struct error *err)
{
	size_t wanted = run->options.model->certain ? 1 : NOISY_VALUES, count;
	double values[NOISY_VALUES], middle;
	struct search_outlook outlook;
	const char *outcome = NULL;

	*ret_side = SIDE_UNKNOWN;
	while ((count = find_values(run, purpose, version, values, &outcome)) < wanted &&
	       (!outcome || !strcmp(outcome, "ok")) && may_measure(run))
		if (measure_once(run, purpose, version, err))
			return -1;
	if (outcome && !strcmp(outcome, "conflict"))
		*ret_side = SIDE_CONFLICT;
	if (count < wanted)
		return 0;
	qsort(values, count, sizeof(*values), ascending);
	middle = values[count / 2];
	search_look_ahead(run->search, &outlook);
	*ret_side = fabs(middle - outlook.good_level) < fabs(middle - outlook.bad_level)
			    ? SIDE_GOOD
			    : SIDE_BAD;
	return 0;
}

/* HEAD, where it holds the bad end and more; else nothing is asked. */
static int find_head(struct search_run *run, int *ret_found, struct error *err)
{
	const struct search_request *request = run->request;
	struct error ignored = {0};

	*ret_found = 0;
	if (repository_resolve(request->repository, "HEAD", &run->after.head, &ignored) ||
	    !strcmp(run->after.head.hex, request->bad.hex))
		return 0;
	return repository_is_ancestor(request->repository, &request->bad,
				      &run->after.head, ret_found, err);
}

int search_ask_after(struct search_run *run, struct error *err)
{
	const struct search_request *request = run->request;
	CLEANUP(cleanup_free) char *revert = NULL;
	int has_head;

	if (!request->measurer.ops->measure_version)
		return 0;
	revert = memory_format("%s+revert:%s", request->bad.hex,
			       run->graph.ids[run->end.node].hex);
	if (find_side(run, "revert", revert, &run->after.revert, err) ||
	    find_head(run, &has_head, err))
		return -1;
	run->after.asked = 1;
	run->after.has_head = has_head;
	return has_head ? find_side(run, "head", run->after.head.hex,
				    &run->after.head_side, err)
			: 0;
}
