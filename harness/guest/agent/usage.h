/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel accounts to a process, as numbers that can be subtracted. */
#ifndef AGENT_USAGE_H
#define AGENT_USAGE_H

#include "guest/metrics.h"

#include <stdint.h>
#include <sys/resource.h>

struct usage {
	uint64_t user, system; /* ns */
	uint64_t minor_faults, major_faults;
	uint64_t voluntary, involuntary; /* context switches */
};

struct usage usage_from(const struct rusage *rusage);
struct usage usage_now(void); /* of this process */
struct usage usage_plus(struct usage a, struct usage b);
struct usage usage_minus(struct usage a, struct usage b);
void usage_store(const struct usage *usage, struct metric_values *values);

#endif
