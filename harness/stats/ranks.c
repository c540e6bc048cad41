/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/ranks.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/random.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	PLAIN_COST = 200000, /* steps of the exact count without ties: 50 against 50 */
	TIED_COST = 1500000, /* and with ties: 20 against 20 */
	NORMAL_SIDE = 10,    /* the normal form needs so many on the smaller side */
	DRAWS = 100000,
	SEED = 5,
};

void ranks_finish(struct ranks *ranks)
{
	free(ranks->lower);
	free(ranks->ways);
	free(ranks->a);
	free(ranks->b);
	free(ranks->groups);
	*ranks = (struct ranks){0};
}

static void reserve(struct ranks *ranks, size_t count)
{
	if (count <= ranks->capacity)
		return;
	ranks->a = memory_resize(ranks->a, count, sizeof(*ranks->a));
	ranks->b = memory_resize(ranks->b, count, sizeof(*ranks->b));
	ranks->groups = memory_resize(ranks->groups, count, sizeof(*ranks->groups));
	ranks->capacity = count;
}

/* a and b sorted: counts pairs with ties half, doubled so that it is whole. */
static double doubled_u(struct ranks *ranks, size_t m, size_t n)
{
	size_t i = 0, j = 0;
	double u = 0;

	ranks->group_count = 0;
	while (i < m || j < n) {
		double value = j == n || (i < m && ranks->a[i] < ranks->b[j])
				       ? ranks->a[i]
				       : ranks->b[j];
		size_t below = i, from_b = j;

		while (i < m && ranks->a[i] == value)
			i++;
		while (j < n && ranks->b[j] == value)
			j++;
		u += (double)(j - from_b) * (double)(below + i);
		ranks->groups[ranks->group_count++] = i - below + j - from_b;
	}
	return u;
}

/*
 * The coefficients of the Gaussian binomial: from [m - 1 + n over m - 1] to [m + n over
 * m] by a factor (1 - q^(n+i)) and a divisor (1 - q^i). Only the lower half is needed.
 */
static void fill_table(struct ranks *ranks, size_t m, size_t n)
{
	size_t half = m * n / 2;
	double *count = memory_resize(ranks->lower, half + 1, sizeof(*count));
	double total = 1, sum = 0;

	memset(count, 0, (half + 1) * sizeof(*count));
	count[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t u = half; u >= n + i; u--)
			count[u] -= count[u - n - i];
		for (size_t u = i; u <= half; u++)
			count[u] += count[u - i];
		total *= (double)(n + i) / (double)i;
	}
	for (size_t u = 0; u <= half; u++) {
		sum += count[u];
		count[u] = sum / total;
	}
	ranks->lower = count;
	ranks->m = m;
	ranks->n = n;
}

/* The table of P(U <= u); NULL where it would cost too much. */
static const double *table(struct ranks *ranks, size_t m, size_t n)
{
	size_t small = m < n ? m : n, large = m < n ? n : m;

	if (large > PLAIN_COST || small * small * large > PLAIN_COST)
		return NULL;
	if (!ranks->lower || ranks->m != small || ranks->n != large)
		fill_table(ranks, small, large);
	return ranks->lower;
}

/* ways[j * width + s]: choices of j values with doubled rank sum s. */
static void add_group(double *ways, size_t width, size_t side, size_t size, size_t rank2)
{
	for (size_t j = side; j; j--) {
		size_t most = size < j ? size : j;
		double choices = 1;

		for (size_t i = 1; i <= most; i++) {
			double *to = ways + j * width;
			const double *from = ways + (j - i) * width;

			choices *= (double)(size - i + 1) / (double)i;
			for (size_t s = i * rank2; s < width; s++)
				to[s] += choices * from[s - i * rank2];
		}
	}
}

/*
 * The exact p with ties by the rank sum of the smaller side, whose null distribution is
 * that of a choice of "side" out of all values; distance: of the doubled u from m n.
 */
static double tied_p(struct ranks *ranks, size_t side, size_t total, double distance)
{
	size_t width = side * (2 * total - side + 1) + 1, rank = 0;
	size_t size = (side + 1) * width;
	double centre = (double)(side * (total + 1)), hits = 0, all = 0, *last;

	if (size > ranks->ways_capacity) {
		ranks->ways = memory_resize(ranks->ways, size, sizeof(*ranks->ways));
		ranks->ways_capacity = size;
	}
	memset(ranks->ways, 0, size * sizeof(*ranks->ways));
	ranks->ways[0] = 1;
	for (size_t g = 0; g < ranks->group_count; g++) {
		/* Ranks rank+1 .. rank+t share their mean; doubled it is whole. */
		add_group(ranks->ways, width, side, ranks->groups[g],
			  2 * rank + ranks->groups[g] + 1);
		rank += ranks->groups[g];
	}
	last = ranks->ways + side * width;
	for (size_t s = 0; s < width; s++) {
		all += last[s];
		if (fabs((double)s - centre) >= distance)
			hits += last[s];
	}
	return fmin(1, hits / all);
}

static double tied_variance(const struct ranks *ranks, double m, double n)
{
	double total = m + n, ties = 0;

	for (size_t g = 0; g < ranks->group_count; g++) {
		double t = (double)ranks->groups[g];

		ties += t * t * t - t;
	}
	return m * n / 12 * (total + 1 - ties / (total * (total - 1)));
}

double ranks_normal_p(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

static double normal_p(const struct ranks *ranks, size_t m, size_t n, double distance)
{
	double variance = tied_variance(ranks, (double)m, (double)n);

	if (variance <= 0)
		return 1;
	return ranks_normal_p(fmax(0, distance / 2 - 0.5) / sqrt(variance));
}

static void fill_doubled_ranks(const struct ranks *ranks, size_t *doubled)
{
	size_t rank = 0;

	for (size_t g = 0; g < ranks->group_count; g++) {
		size_t size = ranks->groups[g];

		for (size_t i = 0; i < size; i++)
			doubled[rank + i] = 2 * rank + size + 1;
		rank += size;
	}
}

static double permutation_p(const struct ranks *ranks, size_t side, size_t total,
			    double distance)
{
	CLEANUP(cleanup_free) size_t *doubled = memory_new(total, sizeof(*doubled));
	double centre = (double)(side * (total + 1));
	struct random random;
	size_t hits = 0;

	random_init(&random, SEED);
	fill_doubled_ranks(ranks, doubled);
	for (int draw = 0; draw < DRAWS; draw++) {
		double sum = 0;

		for (size_t i = 0; i < side; i++) {
			size_t j = i + random_below(&random, total - i);
			size_t kept = doubled[i];

			doubled[i] = doubled[j];
			doubled[j] = kept;
			sum += (double)doubled[i];
		}
		hits += fabs(sum - centre) >= distance;
	}
	return (1 + (double)hits) / (1 + DRAWS);
}

static int affordable(size_t side, size_t total)
{
	double cost = 2.0 * (double)side * (double)side * (double)total * (double)total;

	return cost <= TIED_COST;
}

static double find_p(struct ranks *ranks, size_t m, size_t n, double u2,
		     enum ranks_method *method)
{
	size_t side = m < n ? m : n, total = m + n;
	double distance = fabs(u2 - (double)m * (double)n);
	int ties = ranks->group_count < total;
	const double *lower = ties ? NULL : table(ranks, m, n);

	*method = RANKS_EXACT;
	if (lower)
		return fmin(1,
			    2 * lower[(size_t)(((double)m * (double)n - distance) / 2)]);
	if (ties && affordable(side, total))
		return tied_p(ranks, side, total, distance);
	*method = side >= NORMAL_SIDE ? RANKS_NORMAL : RANKS_PERMUTATION;
	return side >= NORMAL_SIDE ? normal_p(ranks, m, n, distance)
				   : permutation_p(ranks, side, total, distance);
}

struct ranks_result ranks_test(struct ranks *ranks, const double *a, size_t m,
			       const double *b, size_t n)
{
	struct ranks_result result;
	double u2;

	reserve(ranks, m + n);
	memcpy(ranks->a, a, m * sizeof(*a));
	memcpy(ranks->b, b, n * sizeof(*b));
	summary_sort(ranks->a, m);
	summary_sort(ranks->b, n);
	u2 = doubled_u(ranks, m, n);
	result.u = u2 / 2;
	result.superiority = result.u / ((double)m * (double)n);
	result.p = find_p(ranks, m, n, u2, &result.method);
	return result;
}

/* The z with P(Z > z) = tail, by halving. */
static double normal_quantile(double tail)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (ranks_normal_p(middle) / 2 > tail)
			low = middle;
		else
			high = middle;
	}
	return low;
}

size_t ranks_critical(struct ranks *ranks, size_t m, size_t n, double tail)
{
	double mean = (double)m * (double)n / 2;
	const double *lower = table(ranks, m, n);
	double spread, bound;
	size_t c = 0;

	if (lower) {
		while (c <= m * n / 2 && lower[c] <= tail)
			c++;
		return c;
	}
	spread = sqrt(mean / 6 * (double)(m + n + 1));
	bound = floor(mean - normal_quantile(tail) * spread);
	return bound > 0 ? (size_t)bound : 0;
}

double ranks_least_p(size_t m, size_t n)
{
	double least = 2;

	for (size_t i = 1; i <= m && least > 1e-300; i++)
		least *= (double)i / (double)(n + i);
	return fmin(1, least);
}
