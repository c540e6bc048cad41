/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/tails.h"

#include <math.h>

enum { FRACTION_STEPS = 300 };

/* Numerical Lentz: a zero denominator becomes a tiny one. */
static double not_zero(double value)
{
	return fabs(value) < 1e-300 ? 1e-300 : value;
}

/* The continued fraction of I_x(a, b), DLMF 8.17.22. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), result = d;

	for (int m = 1; m <= FRACTION_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		result *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		factor = d * c;
		result *= factor;
		if (fabs(factor - 1) < 1e-15)
			break;
	}
	return result;
}

static double log_beta(double x, double a, double b)
{
	return a * log(x) + b * log1p(-x) - log(a) + lgamma(a + b) - lgamma(a) -
	       lgamma(b) + log(fraction(x, a, b));
}

/* log I_x(a, b). */
static double log_regularised(double x, double a, double b)
{
	if (x <= 0)
		return -INFINITY;
	if (x >= 1)
		return 0;
	/* The fraction converges fast on this side only; beyond it I is near 1. */
	if (x < (a + 1) / (a + b + 2))
		return log_beta(x, a, b);
	return log1p(-exp(log_beta(1 - x, b, a)));
}

double tails_log_steps(double ratio, double freedom, double steps)
{
	return log_regularised(ratio, freedom / 2, steps / 2);
}

double tails_sign(unsigned k, unsigned n)
{
	unsigned few = k < n - k ? k : n - k;
	double sum = 0;

	for (unsigned i = 0; i <= few; i++)
		sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) -
			   n * 0.6931471805599453);
	return fmin(1, 2 * sum);
}

/* The x with I_x(a, b) = share, by halving. */
static double beta_quantile(double share, double a, double b)
{
	double low = 0, high = 1, wanted = log(share);

	for (int i = 0; i < 200; i++) {
		double middle = (low + high) / 2;

		if (log_regularised(middle, a, b) < wanted)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct share_interval tails_share_interval(unsigned k, unsigned n, double confidence)
{
	double tail = (1 - confidence) / 2;
	struct share_interval interval = {0, 1};

	if (k)
		interval.low = beta_quantile(tail, k, n - k + 1.0);
	if (k < n)
		interval.high = beta_quantile(1 - tail, k + 1.0, n - k);
	return interval;
}
