/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/metrics.h"

#include <string.h>

const struct metric metric_table[METRIC_COUNT] = {
	[METRIC_ELAPSED] = {"elapsed", "ns", METRIC_LOWER, "Time of the whole run"},
	[METRIC_USER] = {"user", "ns", METRIC_LOWER, "Processor time in user space"},
	[METRIC_SYSTEM] = {"system", "ns", METRIC_LOWER, "Processor time in the kernel"},
	[METRIC_CPU_PERCENT] = {"cpu_percent", "%", METRIC_NEITHER,
				"Processor time over elapsed time"},
	[METRIC_MINOR_FAULTS] = {"minor_faults", "count", METRIC_LOWER,
				 "Page faults without I/O"},
	[METRIC_MAJOR_FAULTS] = {"major_faults", "count", METRIC_LOWER,
				 "Page faults with I/O"},
	[METRIC_VOLUNTARY_SWITCHES] = {"voluntary_switches", "count", METRIC_LOWER,
				       "Context switches to wait"},
	[METRIC_INVOLUNTARY_SWITCHES] = {"involuntary_switches", "count", METRIC_LOWER,
					 "Context switches by preemption"},
	[METRIC_OPERATIONS] = {"operations", "count", METRIC_NEITHER,
			       "Operations of the run"},
	[METRIC_OPS_PER_SECOND] = {"ops_per_second", "1/s", METRIC_HIGHER,
				   "Operations a second"},
	[METRIC_MEAN_OP] = {"mean_op", "ns", METRIC_LOWER, "Mean time of an operation"},
	[METRIC_LATENCY_P50] = {"latency_p50", "ns", METRIC_LOWER,
				"Median time of an operation"},
	[METRIC_LATENCY_P90] = {"latency_p90", "ns", METRIC_LOWER,
				"Time that 90 % of the operations keep"},
	[METRIC_LATENCY_P99] = {"latency_p99", "ns", METRIC_LOWER,
				"Time that 99 % of the operations keep"},
	[METRIC_LATENCY_P999] = {"latency_p999", "ns", METRIC_LOWER,
				 "Time that 99.9 % of the operations keep"},
	[METRIC_LATENCY_MAX] = {"latency_max", "ns", METRIC_LOWER,
				"Time of the slowest operation"},
	[METRIC_BYTES] = {"bytes", "bytes", METRIC_NEITHER,
			  "Bytes read or written by the run"},
	[METRIC_THROUGHPUT] = {"throughput", "bytes/s", METRIC_HIGHER,
			       "Bytes read or written a second"},
	[METRIC_THROUGHPUT_CV] = {"throughput_cv", "%", METRIC_LOWER,
				  "Standard deviation over mean of the throughput of "
				  "each second: how smooth it was"},
	[METRIC_READ_REQUESTS] = {"read_requests", "count", METRIC_LOWER,
				  "Read requests of the disks"},
	[METRIC_READ_MERGES] = {"read_merges", "count", METRIC_NEITHER,
				"Read requests merged into others"},
	[METRIC_READ_SECTORS] = {"read_sectors", "sectors", METRIC_LOWER,
				 "Sectors of 512 bytes read"},
	[METRIC_WRITE_REQUESTS] = {"write_requests", "count", METRIC_LOWER,
				   "Write requests of the disks; newer kernels count "
				   "an empty flush as one"},
	[METRIC_WRITE_MERGES] = {"write_merges", "count", METRIC_NEITHER,
				 "Write requests merged into others"},
	[METRIC_WRITE_SECTORS] = {"write_sectors", "sectors", METRIC_LOWER,
				  "Sectors of 512 bytes written"},
	[METRIC_FLUSH_REQUESTS] = {"flush_requests", "count", METRIC_LOWER,
				   "Cache flushes of the disks (kernels from 5.5)"},
	[METRIC_IN_FLIGHT_TIME] = {"in_flight_time", "ns", METRIC_LOWER,
				   "Time in flight, summed over the requests"},
	[METRIC_BUSY_TIME] = {"busy_time", "ns", METRIC_LOWER,
			      "Time with any request in flight"},
	[METRIC_READS_PER_OP] = {"reads_per_op", "requests", METRIC_LOWER,
				 "Read requests an operation"},
	[METRIC_WRITES_PER_OP] = {"writes_per_op", "requests", METRIC_LOWER,
				  "Write requests an operation"},
	[METRIC_FLUSHES_PER_OP] = {"flushes_per_op", "requests", METRIC_LOWER,
				   "Cache flushes an operation"},
	/* Healthy kernels drift by 3 to 6 ns an operation. */
	[METRIC_DRIFT] =
		{"drift", "ns/op", METRIC_LOWER,
		 "How much longer each operation takes than the one before, where "
		 "the windows of a run drift; else 0",
		 10},
	[METRIC_STALLS] = {"stalls", "count", METRIC_LOWER,
			   "How often the windows of a run stall", 1},
};

enum metric_id metric_find(const char *name)
{
	enum metric_id id = 0;

	while (id < METRIC_COUNT && strcmp(metric_table[id].name, name))
		id++;
	return id;
}

const char *metric_better_name(enum metric_better better)
{
	static const char *const names[] = {"lower", "higher", "none"};

	return names[better];
}

void metric_values_set(struct metric_values *values, enum metric_id id, double value)
{
	values->present |= (uint64_t)1 << id;
	values->value[id] = value;
}

void metric_values_clear(struct metric_values *values, enum metric_id id)
{
	values->present &= ~((uint64_t)1 << id);
}

int metric_values_has(const struct metric_values *values, enum metric_id id)
{
	return values->present >> id & 1;
}

static void ratio(struct metric_values *values, enum metric_id result,
		  enum metric_id above, enum metric_id below, double factor)
{
	if (metric_values_has(values, above) && metric_values_has(values, below) &&
	    values->value[below] > 0)
		metric_values_set(values, result,
				  factor * values->value[above] / values->value[below]);
}

void metric_values_derive(struct metric_values *values)
{
	static const struct {
		enum metric_id result, above, below;
		double factor;
	} rules[] = {
		{METRIC_OPS_PER_SECOND, METRIC_OPERATIONS, METRIC_ELAPSED, 1e9},
		{METRIC_MEAN_OP, METRIC_ELAPSED, METRIC_OPERATIONS, 1},
		{METRIC_THROUGHPUT, METRIC_BYTES, METRIC_ELAPSED, 1e9},
		{METRIC_READS_PER_OP, METRIC_READ_REQUESTS, METRIC_OPERATIONS, 1},
		{METRIC_WRITES_PER_OP, METRIC_WRITE_REQUESTS, METRIC_OPERATIONS, 1},
		{METRIC_FLUSHES_PER_OP, METRIC_FLUSH_REQUESTS, METRIC_OPERATIONS, 1},
	};
	double processor = values->value[METRIC_USER] + values->value[METRIC_SYSTEM];

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		ratio(values, rules[i].result, rules[i].above, rules[i].below,
		      rules[i].factor);
	if (metric_values_has(values, METRIC_USER) &&
	    metric_values_has(values, METRIC_ELAPSED) &&
	    values->value[METRIC_ELAPSED] > 0)
		metric_values_set(values, METRIC_CPU_PERCENT,
				  100 * processor / values->value[METRIC_ELAPSED]);
}
