/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/multiple.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct entry {
	double p;
	size_t index;
};

static int by_p(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* The tests in ascending order of p; the caller frees. */
static struct entry *sorted(const double *p, size_t count, size_t *ret_tests)
{
	struct entry *entries = memory_new(count, sizeof(*entries));
	size_t tests = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			entries[tests++] = (struct entry){p[i], i};
	qsort(entries, tests, sizeof(*entries), by_p);
	*ret_tests = tests;
	return entries;
}

void multiple_benjamini_hochberg(const double *p, size_t count, double *ret_q)
{
	size_t tests;
	CLEANUP(cleanup_free) struct entry *entries = sorted(p, count, &tests);
	double least = 1;

	for (size_t i = 0; i < count; i++)
		ret_q[i] = NAN;
	for (size_t rank = tests; rank; rank--) {
		double q = entries[rank - 1].p * (double)tests / (double)rank;

		least = fmin(least, q);
		/* Rounding must not put it below p. */
		ret_q[entries[rank - 1].index] = fmax(least, entries[rank - 1].p);
	}
}

void multiple_holm(const double *p, size_t count, double *ret_adjusted)
{
	size_t tests;
	CLEANUP(cleanup_free) struct entry *entries = sorted(p, count, &tests);
	double most = 0;

	for (size_t i = 0; i < count; i++)
		ret_adjusted[i] = NAN;
	for (size_t i = 0; i < tests; i++) {
		most = fmax(most, fmin(1, entries[i].p * (double)(tests - i)));
		ret_adjusted[entries[i].index] = most;
	}
}
