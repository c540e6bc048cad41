/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judgement within one run: what its windows (the mean of every N operations, or the
 * throughput of every second) say besides their median.
 *
 *   warm-up   the first few windows are slower, then it is flat;
 *   drift     it gets slower (or faster) steadily: the slope is sure (Kendall's test, 1
 * in 1000), the quarters of the run go on in one direction, and the change over the run
 * is a tenth of the median and above an absolute floor; stall     a few windows in a row
 * are at least five times slower than the median (below 20 % of the throughput), once or
 * twice in a run; it recovers or not; hang the run was cut while nothing came out any
 * more. Irregular spikes and cycles are none of these.
 */
#ifndef STATS_WINDOWS_H
#define STATS_WINDOWS_H

#include <stddef.h>

enum { WINDOWS_STALLS = 8 };

struct windows_input {
	const double *values;
	size_t count;
	int throughput;    /* values are rates (more is better), else times */
	size_t operations; /* in a window; 0: unknown, the floor is not applied */
	double floor;      /* drift below so much an operation over the run is nothing */
	int complete;      /* 0: the run was cut by its limit */
	double silent;     /* seconds without a new window when it was cut, else 0 */
	double silent_limit; /* so long is a hang; 0: 30 s */
};

struct stall {
	size_t start; /* window */
	size_t length;
	double factor; /* worst window against the median: 5 is five times slower */
	int recovered;
};

struct windows_judgement {
	double median;  /* of the windows after warm-up and outside stalls */
	size_t warm_up; /* windows; 0: none */
	double warm_up_factor;
	int drifts;
	int drift_worse;
	double slope;         /* Theil-Sen, a window; 0 where it cannot be computed */
	double slope_ci[2];   /* 95 % by Kendall's statistic */
	double drift_percent; /* over the run against its fitted beginning; NAN: from zero
			       */
	double drift_total;   /* over the run, in the unit of the values */
	struct stall stalls[WINDOWS_STALLS];
	size_t stall_count;
	int hung;
	/* Coefficient of variation of all windows: smoothness; NAN for fewer than two. */
	double variation;
};

struct windows_judgement windows_judge(const struct windows_input *input);

#endif
