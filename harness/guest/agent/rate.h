/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes over time in equal periods, in a fixed table: it starts with periods of 1/512 s
 * and doubles them whenever the table is full, so that short and long runs both get a
 * usable series. Periods are 2^n seconds.
 */
#ifndef AGENT_RATE_H
#define AGENT_RATE_H

#include <stddef.h>
#include <stdint.h>

enum { RATE_SLOTS = 1024, RATE_FIRST_PERIOD = 1953125, RATE_POINTS_MIN = 8 };

/* Start from {.period = RATE_FIRST_PERIOD}. */
struct rate {
	uint64_t period; /* ns */
	uint64_t bytes[RATE_SLOTS];
};

/* Bytes that were done at that time after the start. */
void rate_add(struct rate *rate, uint64_t time, uint64_t bytes);

/* Makes the periods at least that long. */
void rate_coarsen(struct rate *rate, uint64_t period);

/* Adds what another one counted over the same time. */
void rate_merge(struct rate *rate, struct rate *other);

/*
 * Chooses the period for a run that took `elapsed`: a second where that gives
 * RATE_POINTS_MIN full periods, else less. Returns the number of full periods.
 */
size_t rate_finish(struct rate *rate, uint64_t elapsed);

/*
 * Standard deviation over mean of the first `count` periods in percent; 0 where nothing
 * was done.
 */
double rate_variation(const struct rate *rate, size_t count);

#endif
