/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tail probabilities of the F test for steps in a level, as natural logarithms, so that
 * very sure ones can still be told apart.
 */
#ifndef STATS_TAILS_H
#define STATS_TAILS_H

/*
 * log P that "steps" extra levels at fixed places leave so small a share ("ratio", 0..1)
 * of the squares in normal noise with "freedom" degrees left: the regularised incomplete
 * beta function I_ratio(freedom / 2, steps / 2), by its continued fraction (Lentz).
 */
double tails_log_steps(double ratio, double freedom, double steps);

/* Exact two-sided sign test: P(a split of n at least as uneven as k to n - k). */
double tails_sign(unsigned k, unsigned n);

#endif
