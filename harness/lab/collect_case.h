/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of one case, put together. Only for collect.c.
 */
#ifndef LAB_COLLECT_CASE_H
#define LAB_COLLECT_CASE_H

#include "guest/result.h"
#include "lab/evidence.h"

enum {
	COLLECT_RUNS_MAX = 1000,
	COLLECT_POINTS_MAX = 1000000, /* of one series */
	COLLECT_DISKS_MAX = 64,
};

struct collected_case {
	struct collected_run {
		struct metric_values values;
		int seen;
	} * runs; /* by run - 1 */
	size_t run_capacity;
	struct evidence pieces; /* series and settings without labels */
};

void collected_case_finish(struct collected_case *collected);

/* 0, or -1 where the record makes no sense here. runs: how many the case has. */
int collected_case_take(struct collected_case *collected, const struct result *result,
			uint64_t runs);

/* Adds samples, series and settings under the label to evidence. */
void collected_case_write(const struct collected_case *collected, const char *label,
			  uint64_t runs, struct evidence *evidence);

#endif
