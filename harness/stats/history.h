/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levels of a long series: where it changed for good, which points are outliers, and
 * whether the newest level drifts.
 *
 * A change is accepted on one of two grounds (see split.h for sources):
 *   ranks   the largest standardised difference of mean ranks over intervals of many
 *           lengths exceeds what noise of any distribution shows in 1 of 500 series;
 *   levels  one or two steps explain the squares (F test, corrected for all places they
 *           could be) and the levels do not overlap: this finds two new points at the
 * end. Both sides have two points at least; the medians differ by the minimum effect at
 * least. Single spikes are outliers, never changes.
 */
#ifndef STATS_HISTORY_H
#define STATS_HISTORY_H

#include "stats/series.h"

#include <stddef.h>

struct change_point {
	size_t index;  /* first point of the new level */
	double before; /* medians of the levels on both sides */
	double after;
	double change_percent; /* NAN for a zero before */
	int worse;             /* a regression, else an improvement */
	int acknowledged;      /* the user takes the new level for the right one */
};

/* Points first .. the first of the next level stand around value. */
struct history_level {
	size_t first;
	double value;
	size_t segment;
};

struct trend {
	size_t points; /* of the newest level that were used; 0: too few to tell */
	double p;      /* sign test of Cox and Stuart, two-sided, exact */
	double change_percent; /* between the halves; NAN where it has none */
	int worse;
	int found; /* p at most 0.01 */
};

struct history {
	struct change_point *changes;
	size_t change_count;
	size_t *outliers;
	size_t outlier_count;
	struct history_level *levels;
	size_t level_count;
	struct trend trend;
	/*
	 * The last level is worse than the best earlier one by the minimum effect, those
	 * before an acknowledged change left aside.
	 */
	int regressed;
};

void history_finish(struct history *history);

/*
 * values[count] in order. segments[i] (may be NULL) numbers the environment of point i:
 * levels of different environments are never compared. minimum_effect as in verdict.h.
 */
void history_find(const double *values, const size_t *segments, size_t count,
		  enum better better, double minimum_effect, struct history *ret_history);

/*
 * The user accepted what this point shows, however bad: the change that led there is
 * acknowledged, and no level before it counts any more.
 */
void history_accept(struct history *history, size_t point, enum better better,
		    double minimum_effect);

#endif
