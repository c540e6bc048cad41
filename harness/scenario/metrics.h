/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judged metrics of a scenario while it is read. Used inside this folder alone.
 */
#ifndef SCENARIO_METRICS_H
#define SCENARIO_METRICS_H

#include "scenario/document.h"
#include "scenario/scenario.h"

/* Replaces the scenario's list by what the node says; workload must be known. */
int scenario_take_metrics(const struct document *document, const struct node *node,
			  struct scenario *scenario, struct error *err);
/* elapsed alone. */
void scenario_default_metrics(struct scenario *scenario);
void scenario_finish_metrics(struct scenario *scenario);

#endif
