/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/explain.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "measure/rows.h"
#include "measure/schedule.h"
#include "store/profiles.h"
#include "store/sessions.h"

#include <stdlib.h>
#include <string.h>

/* QEMU's clock may jump, in long boots on a busy host more often: so many are tried. */
enum { COUNTED_BOOTS_MAX = 5 };

enum { PLAIN_A, PLAIN_B, COUNTED_A, COUNTED_B, MEASUREMENTS };

struct explaining {
	struct workbench *workbench;
	const struct explain_request *request;
	struct measurement work[MEASUREMENTS];
	int64_t boots[2]; /* that were chosen */
};

static void finish_work(struct explaining *explaining)
{
	for (size_t i = 0; i < MEASUREMENTS; i++)
		measurement_finish(&explaining->work[i]);
}

void explain_pairs_finish(struct explain_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		free(pairs->items[i].case_label);
	free(pairs->items);
	*pairs = (struct explain_pairs){0};
}

/* --- labels */

static int is_wanted(const struct explain_request *request, const char *case_label,
		     const char *label)
{
	return !request->case_label || !strcmp(request->case_label, label) ||
	       !strcmp(request->case_label, case_label);
}

static void choose_labels(const struct explain_request *request,
			  struct explain_pairs *pairs, struct text *all)
{
	const struct scenario *scenario = request->scenario;

	for (size_t i = 0; i < scenario->cases.count; i++)
		for (uint64_t run = 1; run <= 2 && run <= scenario->runs; run++) {
			const char *case_label = scenario->cases.items[i].label;
			CLEANUP(cleanup_free)
			char *label = evidence_run_label(case_label, scenario->runs, run);

			text_format(all, "\n  %s", label);
			if (!is_wanted(request, case_label, label))
				continue;
			pairs->items =
				memory_grow(pairs->items, pairs->count, &pairs->capacity,
					    sizeof(*pairs->items));
			pairs->items[pairs->count++] =
				(struct explain_pair){.case_label = TAKE(label)};
		}
}

static int find_labels(const struct explain_request *request, struct explain_pairs *pairs,
		       struct error *err)
{
	CLEANUP(text_finish) struct text all = {0};

	choose_labels(request, pairs, &all);
	if (pairs->count)
		return 0;
	return error_set(err, ERROR_USAGE, "scenario %s has no case %s; it has%.1000s",
			 request->scenario->name, request->case_label, text_string(&all));
}

/* --- boots */

static void plan(struct explaining *explaining)
{
	const struct explain_request *request = explaining->request;

	for (size_t i = 0; i < MEASUREMENTS; i++)
		explaining->work[i] = (struct measurement){
			.subject = i % 2 ? request->b : request->a,
			.scenario = request->scenario,
			.count_blocks = i >= COUNTED_A,
			.purpose = i >= COUNTED_A ? "explain" : NULL,
		};
}

static int check_measured(const struct explaining *explaining, struct error *err)
{
	for (size_t i = 0; i < MEASUREMENTS; i++) {
		const struct measurement *work = &explaining->work[i];

		if (!outcome_is_good(work->outcome))
			return error_set(err, ERROR_MEASUREMENT,
					 "%s cannot be measured: %s: %s",
					 work->subject->name, outcome_name(work->outcome),
					 work->detail ? work->detail : "");
	}
	return 0;
}

/* Whether a counted boot has the numbers of some boot that was not counted. */
static int is_like_plain(const struct measurement *plain, const struct boot_record *boot)
{
	for (size_t i = 0; i < plain->found.count; i++) {
		CLEANUP(cleanup_free) char *first = NULL;

		if (rows_same_samples(&plain->found.items[i], boot, &first))
			return 1;
	}
	return 0;
}

/*
 * Of several the first for A and the last for B, so that a kernel set against itself is
 * two boots. NULL: none is like the plain ones.
 */
static const struct boot_record *choose_boot(const struct explaining *explaining,
					     int side)
{
	const struct measurement *counted = &explaining->work[COUNTED_A + side];
	const struct boot_record *chosen = NULL;

	for (size_t i = 0; i < counted->found.count; i++) {
		const struct boot_record *boot = &counted->found.items[i];

		if (boot->id != explaining->boots[0] &&
		    is_like_plain(&explaining->work[side], boot) && (side || !chosen))
			chosen = boot;
	}
	return chosen;
}

/* A boot of our own again, for a side that has none that is like the plain ones. */
static int measure_again(struct explaining *explaining, int side, struct error *err)
{
	struct measurement *work = &explaining->work[COUNTED_A + side];
	const struct measurement again = {
		.subject = work->subject,
		.scenario = work->scenario,
		.count_blocks = 1,
		.purpose = "explain",
		.fresh = 1,
	};

	measurement_finish(work);
	*work = again;
	if (measure_all(explaining->workbench, work, 1, err))
		return -1;
	return check_measured(explaining, err);
}

static int note_unlike(struct explaining *explaining, int side, struct error *err)
{
	const struct measurement *counted = &explaining->work[COUNTED_A + side];
	const struct boot_record *boot = &counted->found.items[counted->found.count - 1];
	CLEANUP(cleanup_free) char *first = NULL;
	CLEANUP(cleanup_free) char *text = NULL;
	struct note_record note = {
		.session = explaining->workbench->session,
		.kind = "explain-differs",
		.version = counted->subject->name,
		.scenario = counted->scenario->name,
	};

	rows_same_samples(&explaining->work[side].found.items[0], boot, &first);
	text = memory_format("boot %lld, which counted blocks, measured another %s than "
			     "boots that do not count",
			     (long long)boot->id, first ? first : "sample");
	note.text = text;
	log_warning("%s, %s: %s", note.version, note.scenario, text);
	explaining->boots[side] = boot->id;
	return store_add_note(explaining->workbench->store, &note, err);
}

static int settle_side(struct explaining *explaining, int side, struct error *err)
{
	for (int tries = 0; tries < COUNTED_BOOTS_MAX; tries++) {
		const struct boot_record *boot = choose_boot(explaining, side);

		if (boot) {
			explaining->boots[side] = boot->id;
			return 0;
		}
		if (tries + 1 < COUNTED_BOOTS_MAX && measure_again(explaining, side, err))
			return -1;
	}
	return note_unlike(explaining, side, err);
}

/* The plain ones first: then it is known whether both are one kernel. */
static int measure(struct explaining *explaining, struct error *err)
{
	struct measurement *work = explaining->work;

	plan(explaining);
	if (measure_all(explaining->workbench, work, COUNTED_A, err))
		return -1;
	if (!strcmp(work[PLAIN_A].subject->kernel.key, work[PLAIN_B].subject->kernel.key))
		work[COUNTED_B].boots = 2;
	if (measure_all(explaining->workbench, work + COUNTED_A, MEASUREMENTS - COUNTED_A,
			err) ||
	    check_measured(explaining, err))
		return -1;
	return settle_side(explaining, 0, err) || settle_side(explaining, 1, err) ? -1
										  : 0;
}

static int find_profiles(const struct explaining *explaining, struct explain_pairs *pairs,
			 struct error *err)
{
	struct store *store = explaining->workbench->store;

	for (size_t i = 0; i < pairs->count; i++) {
		struct explain_pair *pair = &pairs->items[i];

		if (store_find_profile(store, explaining->boots[0], pair->case_label,
				       &pair->a, err) ||
		    store_find_profile(store, explaining->boots[1], pair->case_label,
				       &pair->b, err))
			return -1;
		if (!pair->a || !pair->b)
			return error_set(err, ERROR_MEASUREMENT,
					 "boot %lld has no profile of case %s",
					 (long long)explaining->boots[pair->a ? 1 : 0],
					 pair->case_label);
	}
	return 0;
}

int explain_measure(struct workbench *workbench, const struct explain_request *request,
		    struct explain_pairs *ret_pairs, struct error *err)
{
	CLEANUP(finish_work)
	struct explaining explaining = {.workbench = workbench, .request = request};
	CLEANUP(explain_pairs_finish) struct explain_pairs pairs = {0};

	if (find_labels(request, &pairs, err) || workbench_open_lab(workbench, err) ||
	    lab_check_counting(workbench->lab, err) || measure(&explaining, err) ||
	    find_profiles(&explaining, &pairs, err))
		return -1;
	*ret_pairs = pairs;
	pairs = (struct explain_pairs){0};
	return 0;
}
