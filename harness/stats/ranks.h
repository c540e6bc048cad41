/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mann-Whitney's test of two samples, two-sided, with ties.
 *
 * u counts the pairs in which b exceeds a, ties half; superiority is u / (m n).
 * p is the probability, given the values and any assignment of them to the sides, of a u
 * at least as far from m n / 2 as the one seen. Three ways, chosen by size alone:
 *   exact        the whole distribution by counting (Mann and Whitney 1947 without ties;
 *                midranks by dynamic programming with ties);
 *   normal       both sides large: tie-corrected variance, continuity correction;
 *   permutation  in between (one side small, very many ties): 100,000 random assignments
 *                from a fixed seed, p = (1 + hits) / (1 + draws).
 */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include <stddef.h>

enum ranks_method { RANKS_EXACT, RANKS_NORMAL, RANKS_PERMUTATION };

struct ranks_result {
	double u;
	double superiority; /* P(b > a) + P(b = a) / 2 */
	double p;
	enum ranks_method method;
};

/* Working memory and the last table of the null distribution. Start from {0}. */
struct ranks {
	double *lower; /* lower[u] = P(U <= u) without ties */
	size_t m, n;
	double *values;
	size_t *order;
	size_t capacity;
};

void ranks_finish(struct ranks *ranks);

/* m and n at least 1. */
struct ranks_result ranks_test(struct ranks *ranks, const double *a, size_t m,
			       const double *b, size_t n);

/*
 * The largest c with P(U < c) <= tail for samples without ties, so that the c-th smallest
 * and c-th largest pairwise difference bound the shift; 0 where there is none.
 */
size_t ranks_critical(struct ranks *ranks, size_t m, size_t n, double tail);

#endif
