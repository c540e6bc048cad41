/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sampling plan of the disk lab: looks at 5, 8 and 12 boots a side.
 *
 * A look may decide at its own nominal level, so that all three together find something
 * in pure noise in at most 5 % of the cases. The first two levels are chosen (0.01,
 * 0.02), the last is what simulation leaves; "make bench-verdicts" computes it again.
 */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include <stddef.h>

enum { SEQUENTIAL_LOOKS = 3 };

struct look {
	size_t boots; /* a side */
	double level; /* q at most this decides */
};

extern const struct look sequential_plan[SEQUENTIAL_LOOKS];

/* The first look with more boots than so many; NULL after the last. */
const struct look *sequential_next(size_t boots);

/* The last look with at most so many boots; NULL before the first. */
const struct look *sequential_reached(size_t boots);

#endif
