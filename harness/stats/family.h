/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The questions that are asked of measurements, judged together: ask as many as are
 * printed together, then settle them all at once, since what is significant depends on
 * how many they are.
 *
 *	compare_all(&measurements, &policy, &list);
 *	comparisons_settle(&list);
 *
 *   pair       the two versions named;
 *   neighbour  each version against the one before it that the series has;
 *   baseline   each version against the best-known earlier one, where that is not its
 *              neighbour: small losses add up, and this is where they show.
 * The best-known version is the earlier one whose worst plausible boot is best, so that
 * luck in one boot makes no baseline; its p counts once for each candidate. Where the
 * user named a baseline, and a series has it earlier, that is taken instead.
 *
 * A loss (or gain) over several versions of which no single step reaches the minimum
 * effect carries the reason "gradual".
 */
#ifndef STATS_FAMILY_H
#define STATS_FAMILY_H

#include "stats/series.h"
#include "stats/verdict.h"

#include <stddef.h>

struct comparisons {
	struct comparison *items;
	size_t count;
	size_t capacity;
};

void comparisons_finish(struct comparisons *comparisons);

/* Versions by index; series that neither has are left out. Appends. */
void compare_pair(const struct measurements *measurements, size_t a, size_t b,
		  const struct verdict_policy *policy, struct comparisons *comparisons);

/* Neighbours in order, then baselines, series by series. Appends. */
void compare_all(const struct measurements *measurements,
		 const struct verdict_policy *policy, struct comparisons *comparisons);

/* Every verdict, by a look of fixed size (0.05). Once, when all are there. */
void comparisons_settle(struct comparisons *comparisons);

/*
 * For the virtual lab: marks the levels of every series in which boots of one version do
 * not agree to the last bit. Such a series is not exact anywhere.
 */
void measurements_check_identity(struct measurements *measurements);

/* Whether any verdict is a regression. */
int comparisons_regressed(const struct comparisons *comparisons);

#endif
