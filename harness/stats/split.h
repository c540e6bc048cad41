/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a stretch of points is surely more than one level. Used by history.c, which
 * splits again what is left on both sides.
 *
 * Ranks: the differences of mean ranks at all places of seeded intervals (Kovacs, Li,
 * Buehlmann and Munk 2023), standardised. Their largest value in noise depends on the
 * number of points alone, not on the distribution; the bound is exceeded by 1 in 500
 * noise series ("make bench-verdicts" measures it).
 *
 * Levels: one step, or two around a short block, that leave so few of the squares that
 * noise would at none of the places (F test with Bonferroni's correction), and levels
 * that do not overlap in a single point. The last condition is what makes this hold for
 * heavy tails and two modes as well.
 */
#ifndef STATS_SPLIT_H
#define STATS_SPLIT_H

#include <stddef.h>

enum { SPLIT_SIDE = 2, SPLIT_MOST = 2 };

/*
 * Places (first points of new levels) in values[count], at most two; returns how many.
 * spikes[i] marks points that the comparison of levels passes over.
 */
size_t split_find(const double *values, const unsigned char *spikes, size_t count,
		  size_t places[SPLIT_MOST]);

/* The largest rank statistic and its place, for calibration; 0 for too few points. */
double split_rank_statistic(const double *values, size_t count, size_t *ret_place);

/* What noise does not exceed. */
double split_rank_bound(size_t count);

#endif
