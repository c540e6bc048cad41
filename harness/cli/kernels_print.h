/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel store for "kregress kernels": what lies there and what became of it.
 */
#ifndef CLI_KERNELS_PRINT_H
#define CLI_KERNELS_PRINT_H

#include "base/text.h"
#include "build/kernel.h"

#include <stdint.h>

struct shelf_item {
	struct kernel kernel;
	uint64_t bytes;
	int64_t used;
	int is_held;    /* by a running command */
	int is_chosen;  /* it meets a criterion of prune */
	int is_removed; /* or would be, in a dry run */
};

struct shelf {
	const char *store;
	struct shelf_item *items; /* the longest unused first */
	size_t count;
	uint64_t bytes; /* of what is there */
	struct text_list held;
};

void kernels_print(const struct shelf *shelf, int json);
void kernels_print_one(const struct shelf_item *item, int json);
void kernels_print_pruned(const struct shelf *shelf, int is_dry, int json);

#endif
