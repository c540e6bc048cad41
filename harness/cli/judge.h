/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stored results to verdicts: loads what the versions have, keeps the metrics that are
 * judged, asks stats/family.h, and can store what it said.
 */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "exchange/dataset.h"
#include "measure/schedule.h"
#include "measure/workbench.h"
#include "scenario/scenario.h"
#include "stats/family.h"

struct judge_options {
	const int64_t *versions;  /* ids, in order */
	const char *const *names; /* of the versions */
	/* Of the versions, "" where it is no git revision; NULL: not known of any. */
	const char *const *commits;
	size_t version_count;
	const struct scenario *scenarios; /* their metrics are judged */
	size_t scenario_count;
	const int64_t *environments; /* only results of these; count 0: of any */
	size_t environment_count;
	double min_effect; /* percent; negative: the lab's */
	int sequential;    /* boots came by the plan: stats/verdict.h */
};

/*
 * Options that ask about what was measured: versions in their order of appearance,
 * environments, scenarios (borrowed; those of the list must be among them).
 */
void judge_options_init(struct judge_options *options, const struct measurement *list,
			size_t count);
void judge_options_finish(struct judge_options *options);

struct judgement {
	struct dataset data; /* comparisons borrow from it */
	struct comparisons comparisons;
	struct verdict_policy policy;
};

/*
 * Neighbours and baseline. In a noisy lab only boots of this session count: those of
 * another one were not interleaved with them.
 */
int judge_all(struct workbench *workbench, const struct judge_options *options,
	      struct judgement *ret_judgement, struct error *err);
void judgement_finish(struct judgement *judgement);

/*
 * Of measurements of another kind: leaves those that the scenarios judge, with the
 * minimum effects that hold for them.
 */
void judge_keep_judged(const struct judge_options *options,
		       struct measurements *measurements);

/* The place of a version in the list by its id or its name; -1: not one of them. */
long judge_place(const struct judge_options *options, int64_t version, const char *name);

/* The id of a version by its name; 0: not one of them. */
int64_t judge_version(const struct judge_options *options, const char *name);

/* As rows of the session of the workbench. */
int judge_store(struct workbench *workbench, const struct judge_options *options,
		const struct judgement *judgement, struct error *err);

#endif
