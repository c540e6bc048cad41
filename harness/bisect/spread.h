/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rough figures of values: how noisy they are, and where the two ends lie. */
#ifndef BISECT_SPREAD_H
#define BISECT_SPREAD_H

#include "bisect/values.h"

/* Noise below this share of the difference between the ends makes no difference. */
enum { SPREAD_FINEST = 24 };

/*
 * The usual distance of a value from its commit's median, as a standard deviation (from
 * the median absolute deviation); 0 where no commit has two values.
 */
double spread_noise(const struct values *values);

/* The levels of rows 0 and 1. */
struct spread_ends {
	double good;
	double bad; /* pulled down to the lowest step that a commit shows in between */
	size_t strange; /* commits that are for sure in between */
};

struct spread_ends spread_find_ends(const struct values *values);

#endif
