/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far b is shifted against a: the median of all pairwise differences b - a (Hodges
 * and Lehmann 1963), and an interval between two of them whose ranks come from the null
 * distribution of Mann-Whitney's U: at least the stated coverage for continuous data,
 * more with ties.
 *
 * Selection works on sorted sides without making the m n differences, so it stays cheap
 * for many boots.
 */
#ifndef STATS_SHIFT_H
#define STATS_SHIFT_H

#include <stddef.h>

struct shift {
	double median; /* the estimate */
	double low;    /* the interval; NAN where critical was 0 */
	double high;
};

/*
 * a[m] and b[n] ascending; critical from ranks_critical(): the interval goes from the
 * critical-th smallest to the critical-th largest difference.
 */
struct shift shift_estimate(const double *a, size_t m, const double *b, size_t n,
			    size_t critical);

/* The k-th smallest (from 1) of b[j] - a[i]; both ascending. */
double shift_select(const double *a, size_t m, const double *b, size_t n, size_t k);

#endif
