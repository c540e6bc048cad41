/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/needed.h"

#include "stats/sequential.h"

#include <math.h>

static size_t smaller_side(const struct comparison *c)
{
	return c->a.boots < c->b.boots ? c->a.boots : c->b.boots;
}

/* The first n with two-sided 2 / C(2n, n) small enough. */
static size_t for_attainable_p(double wanted)
{
	size_t n = sequential_plan[0].boots;

	while (n < BOOTS_NEEDED_MOST && ranks_least_p(n, n) > wanted)
		n++;
	return n;
}

/* Of the standard normal distribution, for tails of 1e-9 to 0.5: halving. */
static double upper_quantile(double tail)
{
	double low = 0, high = 8;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (ranks_normal_p(middle) / 2 > tail)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double for_effect(const struct comparison *c, double wanted, double least)
{
	double advantage = fmax(fabs(c->superiority - 0.5), 0.05);
	double quantiles = upper_quantile(wanted / 2) + upper_quantile(0.1);

	/* Sides without overlap need no more than that the p exists. */
	if (c->superiority == 0 || c->superiority == 1)
		return least;
	return fmax(least, quantiles * quantiles / (6 * advantage * advantage));
}

static double for_sameness(const struct comparison *c, double least)
{
	double room = comparison_room(c) - fabs(c->shift);
	double width = (c->shift_ci[1] - c->shift_ci[0]) / 2;

	if (isnan(width))
		return least;
	if (room <= 0)
		return BOOTS_NEEDED_MOST;
	return (double)smaller_side(c) * (width / room) * (width / room);
}

static size_t step_of_plan(double wanted)
{
	for (size_t i = 0; i < SEQUENTIAL_LOOKS; i++)
		if (wanted <= (double)sequential_plan[i].boots)
			return sequential_plan[i].boots;
	return (size_t)fmin(ceil(wanted), BOOTS_NEEDED_MOST);
}

size_t boots_needed(const struct comparison *c, size_t tests, double alpha)
{
	double level = alpha / (double)(tests ? tests * c->candidates : 1);
	double least = (double)for_attainable_p(level), wanted = least;
	size_t have = smaller_side(c), needed;
	int small = comparison_has(c, REASON_EFFECT_BELOW_MINIMUM);

	/* One boot says nothing of the spread: the first look comes first. */
	if (have > 1)
		wanted = small && c->a.median != 0 ? for_sameness(c, least)
						   : for_effect(c, level, least);
	needed = step_of_plan(wanted);
	return needed > have ? needed : step_of_plan((double)have + 1);
}
