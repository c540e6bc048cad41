/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measures of one run, taken in fixed memory:
 *
 *	measure_begin(m);
 *	for each operation:
 *		start = clock_now(); ...the system calls...
 *		measure_operation(m, start, clock_now(), bytes);
 *	measure_end(m);
 *	measure_send(m, ...);
 *
 * Windows leave the guest between operations, almost as soon as they are full, so that a
 * run that never ends has told them all; a sign of life leaves each second. That time
 * and its processor time are taken off the run.
 * Begin, end and these pauses are marked (guest/mark.h).
 */
#ifndef AGENT_MEASURE_H
#define AGENT_MEASURE_H

#include "guest/agent/rate.h"
#include "guest/agent/report.h"
#include "guest/agent/usage.h"
#include "guest/histogram.h"

enum {
	MEASURE_REPORT_INTERVAL = 1000000000,
	MEASURE_WINDOW_INTERVAL = 10000000, /* no window waits longer for the next one */
};

struct measure {
	struct report *report;
	uint64_t window; /* operations of a window; 0 for none */
	int part;        /* of a run that another one measures whole: sets no marks */

	uint64_t begin, elapsed, paused; /* ns; elapsed is net */
	struct usage usage_begin, usage, usage_paused;
	uint64_t operations, bytes;
	uint64_t next_report, next_windows;

	uint64_t window_operations, window_time; /* of the window that is open */
	uint64_t windows_sent;
	size_t pending;
	double windows[RESULT_POINTS_MAX];

	struct histogram histogram;
	struct rate rate;
};

/* Fresh, with the memory touched so that the run takes no page faults for it. */
void measure_init(struct measure *measure, struct report *report, uint64_t window);

void measure_begin(struct measure *measure);
void measure_operation(struct measure *measure, uint64_t start, uint64_t end,
		       uint64_t bytes);
void measure_end(struct measure *measure);

/* Sends what a run that failed leaves: the windows until then. */
void measure_send_windows(struct measure *measure);

/*
 * Sends histogram and rate and fills in every metric that follows from the run; the
 * counters of disks are the caller's.
 */
void measure_finish(struct measure *measure, struct metric_values *values);

#endif
