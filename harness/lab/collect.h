/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the bytes of the result channel to evidence. The bytes were written by a guest
 * that may be broken or hostile: records of cases that the scenario does not have, runs
 * out of order, doubled values are dropped and counted, never believed.
 *
 *	collect_feed() any number of times; collect_end() once.
 */
#ifndef LAB_COLLECT_H
#define LAB_COLLECT_H

#include "lab/collect_windows.h"
#include "lab/evidence.h"
#include "scenario/scenario.h"

struct collector;

/* scenario must outlive the collector. */
struct collector *collector_create(const struct scenario *scenario);
void collector_destroy(struct collector *collector); /* takes NULL */

void collector_feed(struct collector *collector, const void *bytes, size_t length);

struct collector_state {
	int hello;              /* the agent is there */
	int done;               /* it said that it is through */
	int failed_cases;       /* FAILURE records */
	uint64_t records;       /* good ones so far: any new one is a sign of life */
	uint64_t refused;       /* records that made no sense */
	uint64_t runs_missing;  /* of all cases: runs whose numbers did not come yet */
	size_t case_index;      /* the one that runs */
	uint64_t operations;    /* of the run, from the last PROGRESS */
	const char *guest_says; /* first failure as one sentence; NULL: none */
	const char *left_out;   /* which disks and why, of the first such case; NULL */
	size_t left_out_cases;  /* in how many cases */
};

struct collector_state collector_state(const struct collector *collector);

/*
 * Writes samples, series, settings, remarks and what the guest is into evidence. end says
 * what became of the run that was on, where the guest did not come to its end.
 */
void collector_end(struct collector *collector, enum run_end end,
		   struct evidence *evidence);

#endif
