/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/shift.h"

#include "stats/summary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIRECT_LIMIT = 256 };

/* Doubles in their order as whole numbers, and back: halving needs no precision then. */
static uint64_t to_key(double value)
{
	uint64_t bits;

	value += 0.0; /* -0 becomes 0 */
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double from_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* How many differences are at most limit; i moves with j, since both ascend. */
static size_t count_up_to(const double *a, size_t m, const double *b, size_t n,
			  double limit)
{
	size_t i = 0, count = 0;

	for (size_t j = 0; j < n; j++) {
		while (i < m && b[j] - a[i] > limit)
			i++;
		count += m - i;
	}
	return count;
}

double shift_select(const double *a, size_t m, const double *b, size_t n, size_t k)
{
	uint64_t low = to_key(b[0] - a[m - 1]), high = to_key(b[n - 1] - a[0]);

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (count_up_to(a, m, b, n, from_key(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return from_key(low);
}

/* Few differences: all of them, sorted once. */
static struct shift estimate_directly(const double *a, size_t m, const double *b,
				      size_t n, size_t critical)
{
	double differences[DIRECT_LIMIT];
	size_t count = 0;

	for (size_t j = 0; j < n; j++)
		for (size_t i = m; i--;)
			differences[count++] = b[j] - a[i];
	summary_sort(differences, count);
	return (struct shift){
		.median = summary_median_sorted(differences, count),
		.low = critical ? differences[critical - 1] : NAN,
		.high = critical ? differences[count - critical] : NAN,
	};
}

struct shift shift_estimate(const double *a, size_t m, const double *b, size_t n,
			    size_t critical)
{
	size_t count = m * n;

	if (count <= DIRECT_LIMIT)
		return estimate_directly(a, m, b, n, critical);
	return (struct shift){
		.median = shift_select(a, m, b, n, (count + 1) / 2) / 2 +
			  shift_select(a, m, b, n, count / 2 + 1) / 2,
		.low = critical ? shift_select(a, m, b, n, critical) : NAN,
		.high = critical ? shift_select(a, m, b, n, count + 1 - critical) : NAN,
	};
}
