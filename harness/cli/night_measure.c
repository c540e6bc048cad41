/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measuring what a night wants: declared in night.h. */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/identity_notes.h"
#include "cli/sampled.h"

#include <stdlib.h>
#include <string.h>

struct batch {
	struct measurement *items;
	size_t *work; /* which work each is */
	size_t count;
};

static void finish_batch(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		measurement_finish(&batch->items[i]);
	free(batch->items);
	free(batch->work);
}

/* A version that cannot be opened is told and left alone. */
static int open_subject(struct night *night, size_t place, int *ret_open,
			struct error *err)
{
	struct night_point *point = &night->points[place];
	struct error why = {0};

	if (!point->is_open && subject_open(night->bench, point->commit.hex, point->name,
					    &point->subject, &why)) {
		if (why.kind == ERROR_INTERRUPTED) {
			*err = why;
			return -1;
		}
		*ret_open = 0;
		return night_note(night, "not-measured", point->name, why.text, err);
	}
	point->is_open = *ret_open = 1;
	return 0;
}

static int fill_batch(struct night *night, struct batch *batch, struct error *err)
{
	batch->items = memory_new(night->work_count, sizeof(*batch->items));
	batch->work = memory_new(night->work_count, sizeof(*batch->work));
	for (size_t i = 0; i < night->work_count; i++) {
		struct night_work *work = &night->work[i];
		int is_open;

		if (work->is_done)
			continue;
		if (open_subject(night, work->point, &is_open, err))
			return -1;
		work->is_done = !is_open;
		if (!is_open)
			continue;
		batch->work[batch->count] = i;
		batch->items[batch->count++] = (struct measurement){
			.subject = &night->points[work->point].subject,
			.scenario = &night->scenarios.items[work->scenario],
			.boots = work->boots,
		};
	}
	return 0;
}

/* One that the budget left is not done; one of the host's failures is tried again. */
static void take_result(struct night *night, const struct measurement *item,
			struct night_work *work)
{
	night->boots += item->made;
	work->is_done = 1;
	switch (item->outcome) {
	case OUTCOME_OK:
		night->measured++;
		night->points[work->point].version = item->subject->version_id;
		return;
	case OUTCOME_SKIPPED:
		night->is_cut = 1;
		work->is_done = 0;
		return;
	case OUTCOME_INFRASTRUCTURE:
		work->is_done = 0;
		work->reason = "the host failed";
		night->failed++;
		return;
	default:
		night->failed++;
	}
}

/* So much of what is left of the budget is kept for later. */
static struct budget share_of(const struct budget *whole, double reserved)
{
	struct budget budget = *whole;
	double now = process_now();
	double seconds = whole->max_seconds - (now - whole->started);
	unsigned boots =
		whole->max_boots > whole->boots ? whole->max_boots - whole->boots : 0;

	if (whole->max_seconds > 0)
		budget.max_seconds -= reserved * (seconds > 0 ? seconds : 0);
	budget.reserved = (unsigned)(reserved * boots);
	return budget;
}

/* The baseline stands for the host at both ends, else the first that is measured. */
static int open_reference(struct night *night, const struct batch *batch,
			  struct subject **ret_reference, struct error *err)
{
	*ret_reference = batch->items[0].subject;
	for (size_t i = 0; i < night->point_count; i++) {
		int is_open;

		if (night->points[i].kind != NIGHT_BASELINE)
			continue;
		if (open_subject(night, i, &is_open, err))
			return -1;
		if (is_open)
			*ret_reference = &night->points[i].subject;
		return 0;
	}
	return 0;
}

static int measure_noisily(struct night *night, const struct batch *batch,
			   struct error *err)
{
	struct sampled sampled = {
		.bench = night->bench,
		.list = batch->items,
		.count = batch->count,
		.judging = {.scenarios = night->scenarios.items,
			    .scenario_count = night->scenarios.count,
			    .min_effect = -1,
			    .sequential = 1},
	};

	return open_reference(night, batch, &sampled.reference, err) ||
			       sampled_measure(&sampled, err)
		       ? -1
		       : 0;
}

int night_measure(struct night *night, double reserved_share, struct error *err)
{
	CLEANUP(finish_batch) struct batch batch = {0};
	struct workbench *bench = night->bench;
	int failed;

	if (fill_batch(night, &batch, err))
		return -1;
	if (!batch.count)
		return 0;
	log_info("%zu to measure, %s lab", batch.count, lab_name(bench->lab));
	bench->budget = share_of(&night->budget, reserved_share);
	failed = night_is_noisy(night)
			 ? measure_noisily(night, &batch, err)
			 : measure_all(bench, batch.items, batch.count, err);
	night->budget.boots = bench->budget.boots;
	bench->budget = (struct budget){0};
	if (failed)
		return -1;
	for (size_t i = 0; i < batch.count; i++)
		take_result(night, &batch.items[i], &night->work[batch.work[i]]);
	return identity_notes_add(bench, batch.items, batch.count, err);
}
