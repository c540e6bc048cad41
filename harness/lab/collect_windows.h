/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judgement of one run by its windows (stats/windows.h) as metrics and remarks: the
 * means of N operations where the workload has them, else the throughput of each full
 * second. In the throughput only stalls that end are believed: it rises and falls at the
 * edges of any run. Only for collect_case.c.
 */
#ifndef LAB_COLLECT_WINDOWS_H
#define LAB_COLLECT_WINDOWS_H

#include "guest/metrics.h"
#include "lab/evidence.h"

enum run_end {
	RUN_COMPLETE,
	RUN_BROKEN,    /* it failed, or the guest died */
	RUN_TIMED_OUT, /* the guest was ended by its time limit in this run */
	RUN_SILENT,    /* the guest was ended because nothing came any more */
};

struct run_windows {
	const struct evidence *pieces; /* series without labels */
	int run;
	enum run_end end;
	double drift_floor; /* ns an operation */
};

/*
 * Sets METRIC_DRIFT and METRIC_STALLS where windows were there to judge, and adds the
 * remarks under the label to evidence. values may be NULL.
 */
void collect_judge_run(const struct run_windows *windows, const char *label,
		       struct metric_values *values, struct evidence *evidence);

#endif
