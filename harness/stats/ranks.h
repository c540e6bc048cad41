/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mann-Whitney's test of two samples, two-sided, with ties.
 *
 * u counts the pairs in which b exceeds a, ties half; superiority is u / (m n).
 * p is the probability, given the values and any assignment of them to the sides, of a u
 * at least as far from m n / 2 as the one seen. Three ways, chosen by size alone:
 *   exact        the whole distribution by counting: without ties the coefficients of the
 *                Gaussian binomial (Mann and Whitney 1947), with ties midranks by dynamic
 *                programming over the groups of equal values;
 *   normal       both sides large: tie-corrected variance, continuity correction;
 *   permutation  in between (one side small, the other huge): 100,000 random assignments
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

/* Working memory and the last null distribution. Start from {0}; fields are private. */
struct ranks {
	double *lower; /* lower[u] = P(U <= u) for u <= m n / 2, without ties */
	size_t m, n;   /* which one; m <= n */
	double *ways;  /* for ties */
	size_t ways_capacity;
	double *a, *b;  /* sorted copies */
	size_t *groups; /* sizes of the groups of equal values, ascending */
	size_t group_count;
	size_t capacity;
};

void ranks_finish(struct ranks *ranks);

/* m and n at least 1; no value is NAN. */
struct ranks_result ranks_test(struct ranks *ranks, const double *a, size_t m,
			       const double *b, size_t n);

/*
 * The largest c with P(U < c) <= tail for samples without ties, so that the c-th smallest
 * and c-th largest pairwise difference bound the shift; 0 where there is none.
 */
size_t ranks_critical(struct ranks *ranks, size_t m, size_t n, double tail);

/* Two-sided probability of a normal value at least so far from its mean. */
double ranks_normal_p(double z);

/* The least p that sides of these sizes can give. */
double ranks_least_p(size_t m, size_t n);

#endif
