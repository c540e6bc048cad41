/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why one version is slower than another: two stored profiles set against each other, in
 * words, tables and JSON.
 *
 *	CLEANUP(explanation_finish) struct explanation explanation = {0};
 *	if (explanation_load(store, &record, FOLD_FUNCTION, &explanation, err))
 *		return -1;
 *	explanation_sentence(&explanation, &text);
 */
#ifndef REPORT_EXPLANATION_H
#define REPORT_EXPLANATION_H

#include "profile/difference.h"
#include "report/table.h"
#include "store/profiles.h"

struct explanation {
	char *scenario, *case_label;
	char *a, *b; /* versions */
	struct profile a_profile, b_profile;
	struct difference functions;
	enum difference_fold fold;
	struct difference folded; /* empty where fold is FOLD_FUNCTION */
};

/*
 * record: its profiles, scenario, case, texts of the versions and changed code are read.
 */
int explanation_load(struct store *store, const struct explanation_record *record,
		     enum difference_fold fold, struct explanation *ret_explanation,
		     struct error *err);
void explanation_finish(struct explanation *explanation);

/* The rows whose code was marked as another are put first; sentence and tables say it. */
void explanation_put_causes_first(struct explanation *explanation);

/* The difference that is shown: by function, or folded. */
const struct difference *explanation_shown(const struct explanation *explanation);

/*
 * One sentence without a full stop: "+2.1 commits of the journal per operation:
 * jbd2_log_wait_commit +4,120 instructions, 2.0 more flushes, 412 us more waiting".
 */
void explanation_sentence(const struct explanation *explanation, struct text *out);

/* What an operation costs on both sides: instructions, waiting, requests. */
void explanation_costs(const struct explanation *explanation, struct table *table);

/*
 * The largest changes, at most so many, and remarks on what was renamed, moved, left out
 * or not known. No rows where nothing changed.
 */
void explanation_changes(const struct explanation *explanation, size_t most,
			 struct table *table);

/* For a terminal of 80 columns. */
void explanation_print(const struct explanation *explanation, size_t most,
		       struct text *out);

/* One object; every row that changed or has another name. */
void explanation_json(const struct explanation *explanation, struct text *out);

/* "+4,120", "-0.25", "0"; without sign "4,120". */
void explanation_amount(double value, int with_sign, struct text *out);

#endif
