/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sampling in a lab whose numbers are noisy: which boots are made, and in which order.
 * Pure: it never measures, so that it can be tried without a guest.
 *
 * Order: in blocks. A block is one boot of every item of a group (the versions that are
 * compared in one scenario), so that all of them see the host as it is just then; within
 * a block, and among the blocks of a round, the order is random by a seed, so that no
 * version always comes first.
 *
 * Amount: the looks of stats/sequential.h. After each look only items that are still
 * undecided go on to the next. A reference is measured before the first boot and after
 * the last one.
 */
#ifndef MEASURE_SAMPLING_H
#define MEASURE_SAMPLING_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct sampling_item {
	size_t group;
	unsigned made, wanted; /* boots */
	int busy;              /* one runs just now, or none can be made */
};

/* The item whose boot comes next; count where there is none. */
size_t sampling_next(const struct sampling_item *items, size_t count, uint64_t seed);

/* What the looks need. -1 ends the sampling. */
struct sampling_ops {
	int (*reference)(void *state, struct error *err);
	/* Boots of each item until there are so many in all; 0: none more. */
	int (*measure)(void *state, const unsigned *wanted, struct error *err);
	/* Judges what is there: which items need more? All are 0 at first. */
	int (*judge)(void *state, unsigned char *undecided, struct error *err);
	int (*is_spent)(void *state); /* the budget */
};

/* fixed[i]: so many boots of item i in one look; 0: by the plan. */
int sampling_run(const struct sampling_ops *ops, void *state, size_t count,
		 const unsigned *fixed, struct error *err);

#endif
