/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the agent itself adds to every operation that it times: two readings of the clock
 * and the bookkeeping between them. Prints the median of some rounds in ns; exit 1 where
 * that is over the limit.
 */
#include "guest/agent/clock.h"
#include "guest/agent/measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, OPERATIONS = 1000000, LIMIT = 200 };

static struct measure measure;
static struct report nowhere;

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* Of this process alone: other load on the host does not count. */
static uint64_t processor_time(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static double clock_cost(void)
{
	uint64_t start = processor_time();

	for (int i = 0; i < 2 * OPERATIONS; i++)
		clock_now();
	return (double)(processor_time() - start) / OPERATIONS;
}

static double operation_cost(void)
{
	uint64_t begin, start;

	measure_init(&measure, &nowhere, 100);
	measure_begin(&measure);
	begin = processor_time();
	for (int i = 0; i < OPERATIONS; i++) {
		start = clock_now();
		measure_operation(&measure, start, clock_now(), 4096);
	}
	measure_end(&measure);
	return (double)(processor_time() - begin) / OPERATIONS;
}

static double median(double (*cost)(void))
{
	double costs[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		costs[i] = cost();
	qsort(costs, ROUNDS, sizeof(costs[0]), compare);
	return costs[ROUNDS / 2];
}

int main(void)
{
	double clocks = median(clock_cost), whole = median(operation_cost);

	printf("%.0f ns an operation, %.0f ns of them for the clock\n", whole, clocks);
	return whole > LIMIT;
}
