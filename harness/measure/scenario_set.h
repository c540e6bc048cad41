/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scenarios that a command works with.
 */
#ifndef MEASURE_SCENARIO_SET_H
#define MEASURE_SCENARIO_SET_H

#include "measure/workbench.h"

struct scenario_set {
	struct scenario *items;
	size_t count;
};

/*
 * Those that are named, else those of the configuration, else all there are; at least
 * one. overrides: --param.
 */
int scenario_set_load(const struct workbench *workbench, const struct text_list *names,
		      const struct text_list *overrides, struct scenario_set *ret_set,
		      struct error *err);
void scenario_set_finish(struct scenario_set *set);

#endif
