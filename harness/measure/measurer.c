/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/measurer.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "measure/fixups.h"
#include "measure/schedule.h"

#include <stdio.h>
#include <string.h>

static int find_value(const struct scenario_measurer *measurer,
		      const struct boot_record *boot, double *ret_value)
{
	for (size_t i = 0; i < boot->sample_count; i++) {
		const struct sample_record *sample = &boot->samples[i];

		if (strcmp(sample->case_label, measurer->case_label) ||
		    strcmp(sample->metric, measurer->metric))
			continue;
		*ret_value = sample->value;
		return 0;
	}
	return -1;
}

/* The newest boot answers: a fresh one where that was asked for. */
static void take_value(const struct scenario_measurer *measurer,
		       const struct measurement *measurement, struct trial *trial)
{
	const struct boot_list *found = &measurement->found;

	if (found->count &&
	    !find_value(measurer, &found->items[found->count - 1], &trial->value)) {
		trial->boot = found->items[found->count - 1].id;
		return;
	}
	trial->outcome = outcome_name(OUTCOME_WORKLOAD_FAILED);
	text_format(&trial->detail, "the boot has no %s for case %s", measurer->metric,
		    measurer->case_label);
}

/* Of a build the first error alone: where its log is differs from commit to commit. */
static const char *cause_of(const struct measurement *measurement)
{
	const struct kernel *kernel = &measurement->subject->kernel;

	return measurement->outcome == OUTCOME_BUILD_FAILED && kernel->failure
		       ? kernel->failure
		       : measurement->detail;
}

static int measure_subject(const struct scenario_measurer *measurer,
			   struct subject *subject, int fresh, struct trial *trial,
			   struct error *err)
{
	CLEANUP(measurement_finish)
	struct measurement measurement = {
		.subject = subject,
		.scenario = measurer->scenario,
		.fresh = fresh ? 1 : 0,
		.purpose = fresh ? "confirm" : NULL,
	};

	if (measure_all(measurer->workbench, &measurement, 1, err))
		return -1;
	trial->outcome = outcome_name(
		outcome_is_good(measurement.outcome) ? OUTCOME_OK : measurement.outcome);
	trial->built = measurement.build_seconds > 0;
	trial->build_seconds = measurement.build_seconds;
	trial->seconds = measurement.boot_seconds;
	if (measurement.detail)
		text_add(&trial->detail, cause_of(&measurement));
	if (outcome_is_good(measurement.outcome))
		take_value(measurer, &measurement, trial);
	return 0;
}

static const char *edits_of(const struct scenario_measurer *measurer)
{
	return measurer->edits ? measurer->edits : "";
}

/* A commit with the fixups that it needs and the edits of the search. */
static int open_commit(const struct scenario_measurer *measurer, const char *commit,
		       struct subject *ret_subject, struct error *err)
{
	struct workbench *workbench = measurer->workbench;
	CLEANUP(text_finish) struct text version = {0};
	CLEANUP(cleanup_free) char *name = NULL;
	CLEANUP(cleanup_free) char *shown = NULL;
	struct commit_id id;

	text_add(&version, commit);
	if (workbench_open_repository(workbench, err) ||
	    repository_resolve(workbench->repository, commit, &id, err) ||
	    repository_describe(workbench->repository, &id, &name, err) ||
	    fixups_add_edits(&workbench->config, workbench->repository, &id, &version,
			     err))
		return -1;
	text_add(&version, edits_of(measurer));
	shown = memory_format("%s%s", name, edits_of(measurer));
	return subject_open(workbench, text_string(&version), shown, ret_subject, err);
}

/* A commit that an edit does not fit is left out like one that does not build. */
static int leave_out(const struct scenario_measurer *measurer, struct trial *trial,
		     const struct error *err)
{
	if (err->kind != ERROR_USAGE ||
	    !(*edits_of(measurer) || measurer->workbench->config.fixups.count))
		return -1;
	trial->outcome = outcome_name(OUTCOME_BUILD_FAILED);
	text_add(&trial->detail, err->text);
	return 0;
}

static int measure(void *state, const char *commit, int fresh, struct trial *ret_trial,
		   struct error *err)
{
	const struct scenario_measurer *measurer = state;
	CLEANUP(subject_finish) struct subject subject = {0};
	struct trial trial = {.started = clock_now()};
	int failed;

	if (open_commit(measurer, commit, &subject, err))
		failed = leave_out(measurer, &trial, err);
	else
		failed = measure_subject(measurer, &subject, fresh, &trial, err);
	if (failed) {
		trial_finish(&trial);
		return -1;
	}
	*ret_trial = trial;
	return 0;
}

static int measure_version(void *state, const char *version, struct trial *ret_trial,
			   struct error *err)
{
	const struct scenario_measurer *measurer = state;
	CLEANUP(subject_finish) struct subject subject = {0};
	CLEANUP(cleanup_free)
	char *text = memory_format("%s%s", version, edits_of(measurer));
	struct trial trial = {.started = clock_now()};

	if (subject_open(measurer->workbench, text, NULL, &subject, err)) {
		if (err->kind != ERROR_USAGE)
			return -1;
		trial.outcome = "conflict";
		text_add(&trial.detail, err->text);
		*ret_trial = trial;
		return 0;
	}
	if (measure_subject(measurer, &subject, 0, &trial, err)) {
		trial_finish(&trial);
		return -1;
	}
	*ret_trial = trial;
	return 0;
}

/* "" where the kernel is not there. */
static int find_image(const struct scenario_measurer *measurer, const char *commit,
		      char digest[HASH_HEX_SIZE], struct error *err)
{
	CLEANUP(subject_finish) struct subject subject = {0};

	digest[0] = '\0';
	if (open_commit(measurer, commit, &subject, err) ||
	    subject_find_kernel(measurer->workbench, &subject, err))
		return -1;
	if (subject.state == SUBJECT_READY && subject.kernel.image_digest)
		snprintf(digest, HASH_HEX_SIZE, "%s", subject.kernel.image_digest);
	return 0;
}

static int same_image(void *state, const char *a, const char *b, int *ret_same,
		      struct error *err)
{
	const struct scenario_measurer *measurer = state;
	char first[HASH_HEX_SIZE], second[HASH_HEX_SIZE];

	if (find_image(measurer, a, first, err) || find_image(measurer, b, second, err))
		return -1;
	*ret_same = *first && !strcmp(first, second);
	return 0;
}

const struct measurer_ops scenario_measurer_ops = {
	.kind = "scenario",
	.measure = measure,
	.measure_version = measure_version,
	.same_image = same_image,
};
