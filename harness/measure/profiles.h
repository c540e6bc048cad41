/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a boot counted to the profiles of its cases in the database.
 */
#ifndef MEASURE_PROFILES_H
#define MEASURE_PROFILES_H

#include "measure/workbench.h"
#include "scenario/scenario.h"

/*
 * Adds a profile for each label under which the boot's samples stand. boot counted
 * blocks, is over and ended well; id is its row. ERROR_MEASUREMENT where what was counted
 * is not of these runs. A kernel without symbols is one row of each profile.
 */
int profiles_add(struct workbench *workbench, const struct kernel *kernel,
		 const struct scenario *scenario, const struct lab_boot *boot, int64_t id,
		 struct error *err);

#endif
