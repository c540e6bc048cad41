/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tail probabilities by the regularised incomplete beta function, which is computed by
 * its continued fraction (Lentz): the F test for steps in a level, as natural logarithms,
 * so that very sure ones can still be told apart, and shares with their intervals.
 */
#ifndef STATS_TAILS_H
#define STATS_TAILS_H

/*
 * log P that "steps" extra levels at fixed places leave so small a share ("ratio", 0..1)
 * of the squares in normal noise with "freedom" degrees left:
 * I_ratio(freedom / 2, steps / 2).
 */
double tails_log_steps(double ratio, double freedom, double steps);

/* Exact two-sided sign test: P(a split of n at least as uneven as k to n - k). */
double tails_sign(unsigned k, unsigned n);

struct share_interval {
	double low, high;
};

/*
 * What the true share may be where k of n were counted, by Clopper and Pearson (1934): at
 * least the stated confidence, whatever the share. n at least 1.
 */
struct share_interval tails_share_interval(unsigned k, unsigned n, double confidence);

#endif
