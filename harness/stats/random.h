/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudo-random numbers that are the same on every machine: for random assignments and
 * for simulations, never for secrets. Generator: xoshiro256** of Blackman and Vigna
 * (2018), started from one number by splitmix64.
 */
#ifndef STATS_RANDOM_H
#define STATS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state[4];
};

void random_init(struct random *random, uint64_t seed);
uint64_t random_bits(struct random *random);
double random_uniform(struct random *random); /* in [0, 1), 53 bits */
/* In [0, limit) without bias; limit at least 1. */
uint64_t random_below(struct random *random, uint64_t limit);
double random_normal(struct random *random); /* mean 0, variance 1 */

#endif
