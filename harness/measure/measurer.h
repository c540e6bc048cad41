/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search's measurer (lab/measurer.h) by a scenario in the lab of a workbench: one
 * number of one case.
 */
#ifndef MEASURE_MEASURER_H
#define MEASURE_MEASURER_H

#include "lab/measurer.h"
#include "measure/workbench.h"
#include "scenario/scenario.h"

/* All borrowed. */
struct scenario_measurer {
	struct workbench *workbench;
	const struct scenario *scenario;
	const char *case_label, *metric;
	const char *edits; /* made to every commit, as in a version; "" or NULL: none */
};

/* The state is a struct scenario_measurer; a session has begun. */
extern const struct measurer_ops scenario_measurer_ops;

#endif
