/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void random_init(struct random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = splitmix(&seed);
}

static uint64_t rotate(uint64_t value, int bits)
{
	return (value << bits) | (value >> (64 - bits));
}

uint64_t random_bits(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

double random_uniform(struct random *random)
{
	return (double)(random_bits(random) >> 11) * 0x1p-53;
}

uint64_t random_below(struct random *random, uint64_t limit)
{
	/* The first values would make the remainders unequal: drawn again. */
	uint64_t least = -limit % limit, bits;

	do
		bits = random_bits(random);
	while (bits < least);
	return bits % limit;
}

double random_normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_uniform(random)));

	return radius * cos(6.283185307179586 * random_uniform(random));
}
