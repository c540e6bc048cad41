/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/rate.h"

#include <math.h>
#include <string.h>

static const uint64_t second = 1000000000;

void rate_coarsen(struct rate *rate, uint64_t period)
{
	const size_t half = RATE_SLOTS / 2;

	while (rate->period < period) {
		for (size_t i = 0; i < half; i++)
			rate->bytes[i] = rate->bytes[2 * i] + rate->bytes[2 * i + 1];
		memset(rate->bytes + half, 0, half * sizeof(rate->bytes[0]));
		rate->period *= 2;
	}
}

void rate_add(struct rate *rate, uint64_t time, uint64_t bytes)
{
	while (time / rate->period >= RATE_SLOTS)
		rate_coarsen(rate, 2 * rate->period);
	rate->bytes[time / rate->period] += bytes;
}

void rate_merge(struct rate *rate, struct rate *other)
{
	rate_coarsen(rate, other->period);
	rate_coarsen(other, rate->period);
	for (size_t i = 0; i < RATE_SLOTS; i++)
		rate->bytes[i] += other->bytes[i];
}

size_t rate_finish(struct rate *rate, uint64_t elapsed)
{
	uint64_t period = second, count;

	while (period > RATE_FIRST_PERIOD && elapsed / period < RATE_POINTS_MIN)
		period /= 2;
	rate_coarsen(rate, period);
	count = elapsed / rate->period;
	return count < RATE_SLOTS ? count : RATE_SLOTS;
}

double rate_variation(const struct rate *rate, size_t count)
{
	double mean = 0, squares = 0, difference;

	for (size_t i = 0; i < count; i++)
		mean += (double)rate->bytes[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		difference = (double)rate->bytes[i] - mean;
		squares += difference * difference;
	}
	return mean > 0 ? 100 * sqrt(squares / (double)count) / mean : 0;
}
