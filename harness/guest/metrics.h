/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of a run: the one table of their names, units and senses.
 *
 * Every value belongs to one run of one case in one boot. Counters of disks exist for
 * the run as a whole (summed over its disks) and for each disk. An `exec` workload
 * brings metrics of its own besides these, named by the user's command. The agent
 * measures them all but drift and stalls, which the host finds in the windows.
 */
#ifndef GUEST_METRICS_H
#define GUEST_METRICS_H

#include <stddef.h>
#include <stdint.h>

enum metric_better { METRIC_LOWER, METRIC_HIGHER, METRIC_NEITHER };

enum metric_id {
	METRIC_ELAPSED,
	METRIC_USER,
	METRIC_SYSTEM,
	METRIC_CPU_PERCENT,
	METRIC_MINOR_FAULTS,
	METRIC_MAJOR_FAULTS,
	METRIC_VOLUNTARY_SWITCHES,
	METRIC_INVOLUNTARY_SWITCHES,
	METRIC_OPERATIONS,
	METRIC_OPS_PER_SECOND,
	METRIC_MEAN_OP,
	METRIC_LATENCY_P50,
	METRIC_LATENCY_P90,
	METRIC_LATENCY_P99,
	METRIC_LATENCY_P999,
	METRIC_LATENCY_MAX,
	METRIC_BYTES,
	METRIC_THROUGHPUT,
	METRIC_THROUGHPUT_CV,
	METRIC_READ_REQUESTS,
	METRIC_READ_MERGES,
	METRIC_READ_SECTORS,
	METRIC_WRITE_REQUESTS,
	METRIC_WRITE_MERGES,
	METRIC_WRITE_SECTORS,
	METRIC_FLUSH_REQUESTS,
	METRIC_IN_FLIGHT_TIME,
	METRIC_BUSY_TIME,
	METRIC_READS_PER_OP,
	METRIC_WRITES_PER_OP,
	METRIC_FLUSHES_PER_OP,
	METRIC_DRIFT,
	METRIC_STALLS,
	METRIC_COUNT
};

struct metric {
	const char *name;
	const char *unit; /* "ns", "count", "bytes/s", ... */
	enum metric_better better;
	const char *description;
	/* In the unit: a smaller change counts as none, whatever its percentage. */
	double min_change;
};

extern const struct metric metric_table[METRIC_COUNT];

/* METRIC_COUNT where there is none of that name. */
enum metric_id metric_find(const char *name);

/* "lower", "higher" or "none". */
const char *metric_better_name(enum metric_better better);

/* Some metrics with their values: those of `present`, bit (1 << enum metric_id). */
struct metric_values {
	uint64_t present;
	double value[METRIC_COUNT];
};

void metric_values_set(struct metric_values *values, enum metric_id id, double value);
void metric_values_clear(struct metric_values *values, enum metric_id id);
int metric_values_has(const struct metric_values *values, enum metric_id id);

/*
 * What follows from the others: ops_per_second, mean_op, throughput, cpu_percent and the
 * figures per operation. Only where what they follow from is present and not zero.
 */
void metric_values_derive(struct metric_values *values);

#endif
