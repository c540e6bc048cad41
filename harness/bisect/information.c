/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/information.h"

#include <math.h>

enum { POINTS = 48, SOURCE_POINTS = 64 };

double information_entropy(double p)
{
	if (!(p > 0) || !(p < 1))
		return 0;
	return -p * log2(p) - (1 - p) * log2(1 - p);
}

double information_normal(double p, double separation)
{
	double from = -5, to = separation + 5, step = (to - from) / POINTS;
	double missing = 0;

	if (!(p > 0) || !(p < 1))
		return 0;
	/* What is still open once the value is known, averaged over the values. */
	for (int i = 0; i <= POINTS; i++) {
		double y = from + i * step;
		double no = (1 - p) * exp(-0.5 * y * y);
		double yes = p * exp(-0.5 * (y - separation) * (y - separation));

		if (no + yes > 0)
			missing += (no + yes) * information_entropy(yes / (no + yes));
	}
	missing *= step / sqrt(2 * M_PI);
	return fmax(0, information_entropy(p) - missing);
}

double information_sources(const struct model_source *sources, size_t count)
{
	double low = INFINITY, high = -INFINITY, step, mixed = 0, within = 0;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, sources[i].level - 4 * sources[i].width);
		high = fmax(high, sources[i].level + 4 * sources[i].width);
		/* Entropy of a normal distribution, less a constant that cancels out. */
		within += sources[i].weight * log2(sources[i].width);
	}
	step = (high - low) / SOURCE_POINTS;
	for (int k = 0; k <= SOURCE_POINTS; k++) {
		double y = low + k * step, density = 0;

		for (size_t i = 0; i < count; i++) {
			double z = (y - sources[i].level) / sources[i].width;

			density +=
				sources[i].weight * exp(-0.5 * z * z) / sources[i].width;
		}
		if (density > 0)
			mixed -= density * log2(density);
	}
	/* density lacks 1/sqrt(2 pi); its share of the entropy and the rest cancel. */
	mixed *= step / sqrt(2 * M_PI);
	return fmax(0, mixed - within - 0.5 * M_LOG2E);
}

/* The chance of k events in n tries. */
static double binomial(unsigned k, unsigned n, double rate)
{
	double bounded = fmin(fmax(rate, 1e-12), 1 - 1e-12);

	return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) +
		   k * log(bounded) + (n - k) * log1p(-bounded));
}

double information_rates(double p, double rate_no, double rate_yes, unsigned tries)
{
	double missing = 0;

	for (unsigned k = 0; k <= tries; k++) {
		double no = (1 - p) * binomial(k, tries, rate_no);
		double yes = p * binomial(k, tries, rate_yes);

		if (no + yes > 0)
			missing += (no + yes) * information_entropy(yes / (no + yes));
	}
	return fmax(0, information_entropy(p) - missing);
}
