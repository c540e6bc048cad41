/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of one case, put together. Only for collect.c.
 */
#ifndef LAB_COLLECT_CASE_H
#define LAB_COLLECT_CASE_H

#include "guest/result.h"
#include "lab/collect_output.h"
#include "lab/collect_windows.h"
#include "lab/evidence.h"

enum {
	COLLECT_RUNS_MAX = 1000,
	COLLECT_POINTS_MAX = 1000000, /* of one series */
	COLLECT_DISKS_MAX = 64,
};

struct collected_case {
	struct text *output;     /* what a command printed, by run - 1 */
	struct own_metrics *own; /* what it said, by run - 1 */
	struct collected_run {
		struct metric_values values;
		int seen;
	} * runs;               /* by run - 1 */
	uint64_t running;       /* the run of the last record; 0: between runs */
	int ended;              /* its end was told */
	struct evidence pieces; /* series and settings without labels */
};

/* A case on its way into evidence. */
struct collected_output {
	const char *label;
	uint64_t runs;      /* how many it should have */
	enum run_end end;   /* of the run that was on */
	double drift_floor; /* ns an operation */
};

/* runs: how many the case has, here and below. */
void collected_case_finish(struct collected_case *collected, uint64_t runs);

/* 0, or -1 where the record makes no sense here. */
int collected_case_take(struct collected_case *collected, const struct result *result,
			uint64_t runs);

/*
 * Reads what the command of a run printed; nothing where the scenario runs none. The
 * run's numbers must have come.
 */
int collected_case_read(struct collected_case *collected, uint64_t run,
			const struct scenario *scenario, size_t case_index,
			struct error *err);

/* Adds samples, series, settings and remarks under the label to evidence. */
void collected_case_write(struct collected_case *collected,
			  const struct collected_output *output,
			  struct evidence *evidence);

#endif
