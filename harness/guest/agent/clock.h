/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in ns. */
#ifndef AGENT_CLOCK_H
#define AGENT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* For measuring: CLOCK_MONOTONIC. */
static inline uint64_t clock_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Since the kernel started. */
static inline uint64_t clock_uptime(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

static inline void clock_sleep(uint64_t ns)
{
	struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
				.tv_nsec = (long)(ns % 1000000000)};

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time))
		;
}

#endif
