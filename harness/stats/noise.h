/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a lab's noise hides, from boots of one kernel (A/A): how far numbers scatter, how
 * often the judgement calls that a change, and which changes so many boots would show.
 *
 * Two sides of the same kernel are made in two ways:
 *   - in the order of time, as a session would have made them: stretches of five boots a
 *     side in random blocks of two. They count the real false alarms, with whatever
 *     drifts and waves the host has; there are few of them, so they have an interval;
 *   - by drawing from all boots (Efron 1979), for the size of what chance shows (the
 *     floor) and for the smallest change that would be found in 8 of 10 sessions.
 */
#ifndef STATS_NOISE_H
#define STATS_NOISE_H

#include "stats/sequential.h"
#include "stats/tails.h"
#include "stats/verdict.h"

#include <stddef.h>
#include <stdint.h>

enum { NOISE_BOOTS = 10 }; /* fewer say nothing of the noise */

struct noise {
	size_t boots;
	double median;
	double spread_percent; /* robust deviation against the median */
	/*
	 * What chance alone shows at the last look of the plan in 1 of 20 comparisons: no
	 * minimum effect may be smaller. NAN for a median of 0.
	 */
	double floor_percent;
	/* By look of the plan; NAN: not even 100 %. */
	double finds_percent[SEQUENTIAL_LOOKS];
	unsigned trials, alarms;
};

/* boots[count] in the order of time, at least NOISE_BOOTS; name and policy as judged. */
struct noise noise_measure(const struct series_name *name, const double *boots,
			   size_t count, const struct verdict_policy *policy,
			   uint64_t seed);

/* Exact lab: how many of the boots agree to the last bit, and how far the others stray.
 */
struct noise_identity {
	size_t boots, agreeing;
	double stray_percent; /* of the farthest; 0 where all agree, NAN from 0 */
};

struct noise_identity noise_identity(const double *boots, size_t count);

#endif
