/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/usage.h"

static uint64_t to_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

struct usage usage_from(const struct rusage *rusage)
{
	return (struct usage){
		.user = to_ns(rusage->ru_utime),
		.system = to_ns(rusage->ru_stime),
		.minor_faults = (uint64_t)rusage->ru_minflt,
		.major_faults = (uint64_t)rusage->ru_majflt,
		.voluntary = (uint64_t)rusage->ru_nvcsw,
		.involuntary = (uint64_t)rusage->ru_nivcsw,
	};
}

struct usage usage_now(void)
{
	struct rusage rusage;

	getrusage(RUSAGE_SELF, &rusage);
	return usage_from(&rusage);
}

struct usage usage_plus(struct usage a, struct usage b)
{
	return (struct usage){
		a.user + b.user,
		a.system + b.system,
		a.minor_faults + b.minor_faults,
		a.major_faults + b.major_faults,
		a.voluntary + b.voluntary,
		a.involuntary + b.involuntary,
	};
}

struct usage usage_minus(struct usage a, struct usage b)
{
	return (struct usage){
		a.user - b.user,
		a.system - b.system,
		a.minor_faults - b.minor_faults,
		a.major_faults - b.major_faults,
		a.voluntary - b.voluntary,
		a.involuntary - b.involuntary,
	};
}

void usage_store(const struct usage *usage, struct metric_values *values)
{
	metric_values_set(values, METRIC_USER, (double)usage->user);
	metric_values_set(values, METRIC_SYSTEM, (double)usage->system);
	metric_values_set(values, METRIC_MINOR_FAULTS, (double)usage->minor_faults);
	metric_values_set(values, METRIC_MAJOR_FAULTS, (double)usage->major_faults);
	metric_values_set(values, METRIC_VOLUNTARY_SWITCHES, (double)usage->voluntary);
	metric_values_set(values, METRIC_INVOLUNTARY_SWITCHES,
			  (double)usage->involuntary);
}
