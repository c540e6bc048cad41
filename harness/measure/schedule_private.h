/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of work in progress: only for schedule.c and schedule_build.c.
 */
#ifndef MEASURE_SCHEDULE_PRIVATE_H
#define MEASURE_SCHEDULE_PRIVATE_H

#include "measure/rows.h"
#include "measure/sampling.h"
#include "measure/schedule.h"
#include "measure/tally.h"

enum item_state { ITEM_WAITING, ITEM_RUNNING, ITEM_DONE };

/* A measurement and how far it is. */
struct item {
	struct measurement *measurement;
	enum item_state state;
	int placed; /* place is filled in, stored boots were looked up */
	struct rows_place place;
	struct tally tally;
	struct lab_boot *boot;
};

struct schedule {
	struct workbench *workbench;
	struct item *items;
	size_t count;
	struct subject *building; /* NULL: no build runs */
	struct subject_build build;
	double build_started;
	size_t done, running;
	unsigned parallel;
	double told; /* when others could last read how far it is */
	int exact;   /* the order of boots does not matter, stored results are results */
	struct sampling_item *order; /* as items; where it does matter */
};

void schedule_finish_item(struct schedule *schedule, struct item *item,
			  enum outcome outcome, const char *detail);

/* The budget is spent: the item ends with what it has. */
void schedule_leave_out(struct schedule *schedule, struct item *item);
int schedule_is_spent(const struct schedule *schedule);

/* Where its results belong, and the boots that are there already. */
int schedule_place_item(struct schedule *schedule, struct item *item, struct error *err);
/* A boot left something out: so does the measurement then. */
void schedule_note_partial(struct measurement *measurement, const char *detail);

/* Kernels: starts the next build, looks after the one that runs. */
int schedule_build(struct schedule *schedule, struct error *err);
/* Whether a kernel is still to come. */
int schedule_any_unbuilt(const struct schedule *schedule);

#endif
