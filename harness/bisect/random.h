/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers for simulations: a 64-bit counter mixed by two multiplications
 * (splitmix64). Not for secrets. The same seed gives the same numbers everywhere.
 */
#ifndef BISECT_RANDOM_H
#define BISECT_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
	uint64_t mixed = dice->state += 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
	return mixed ^ (mixed >> 31);
}

/* Strictly between 0 and 1. */
static inline double dice_uniform(struct dice *dice)
{
	return ((double)(dice_next(dice) >> 11) + 0.5) / 9007199254740992.0;
}

static inline size_t dice_below(struct dice *dice, size_t limit)
{
	size_t value = (size_t)(dice_uniform(dice) * (double)limit);

	return value < limit ? value : limit - 1;
}

static inline double dice_normal(struct dice *dice)
{
	double radius = sqrt(-2 * log(dice_uniform(dice)));

	return radius * cos(2 * M_PI * dice_uniform(dice));
}

static inline double dice_exponential(struct dice *dice, double mean)
{
	return -mean * log(dice_uniform(dice));
}

#endif
