/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command of the user's printed in one run, read by the parser that its scenario
 * names. Metrics of the table (guest/metrics.h) replace those that the agent measured, in
 * the table's unit; others are the command's own. Only for the files of collect.
 */
#ifndef LAB_COLLECT_OUTPUT_H
#define LAB_COLLECT_OUTPUT_H

#include "base/error.h"
#include "base/text.h"
#include "guest/metrics.h"
#include "guest/output.h"
#include "lab/evidence.h"
#include "scenario/scenario.h"

enum { COLLECT_OUTPUT_MAX = 8 << 20 }; /* bytes of a run; the agent sends less */

struct own_metric {
	char name[OUTPUT_NAME_SIZE];
	const char *unit;   /* the scenario's or static */
	const char *better; /* "lower", "higher", "none" */
	double value;
};

struct own_metrics {
	struct own_metric *items;
	size_t count, capacity;
};

void own_metrics_finish(struct own_metrics *metrics);

/*
 * Of some runs: the median of each metric as a sample, or the values of all runs as
 * series "runs.NAME".
 */
void own_metrics_write_medians(const struct own_metrics *runs, size_t count,
			       const char *label, struct evidence *evidence);
void own_metrics_write_runs(const struct own_metrics *runs, size_t count,
			    const char *label, struct evidence *evidence);

/* Unit and sense come from the scenario where it judges the metric. */
int collect_output(const struct scenario *scenario, enum output_parser parser,
		   const struct text *output, struct metric_values *values,
		   struct own_metrics *ret_metrics, struct error *err);

#endif
