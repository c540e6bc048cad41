/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which disks of kregress.yaml a scenario runs on. A case names one disk, or a class of
 * which it takes as many as it wants, in the order of the file.
 */
#ifndef LAB_DISK_CHOICE_H
#define LAB_DISK_CHOICE_H

#include "base/error.h"
#include "scenario/config.h"
#include "scenario/scenario.h"

#include <stddef.h>

/* Borrows the disks of the configuration. */
struct disk_choice {
	const struct config_disk **items;
	size_t count, capacity;
};

void disk_choice_finish(struct disk_choice *choice);

/* ERROR_USAGE where there is no such disk or class, or too few of it. */
int disk_choice_of_case(const struct config *config,
			const struct scenario_case *scenario_case,
			struct disk_choice *choice, struct error *err);

/* Those of all its cases, each once. */
int disk_choice_of_scenario(const struct config *config, const struct scenario *scenario,
			    struct disk_choice *choice, struct error *err);

/*
 * Size of the file system that a case gets on each of its disks: room for twice what it
 * writes, at least its disk_size; the rest of a large disk is left alone, so that it is
 * quickly made anew.
 */
uint64_t disk_file_system_size(const struct scenario *scenario,
			       const struct scenario_case *scenario_case);

#endif
