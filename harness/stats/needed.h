/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many boots a side would settle an undecided comparison, if what was seen so far is
 * about right: a step of the sampling plan, or more where it takes more.
 *
 * A seen effect must become significant among "tests" comparisons: Noether's sample size
 * (1987) for the probability of superiority seen, power 0.9, and boots enough that so
 * small a p exists. A seen sameness needs an interval that fits into the minimum effect;
 * its width shrinks with the root of the boots.
 */
#ifndef STATS_NEEDED_H
#define STATS_NEEDED_H

#include "stats/verdict.h"

#include <stddef.h>

enum { BOOTS_NEEDED_MOST = 1000 };

size_t boots_needed(const struct comparison *comparison, size_t tests, double alpha);

#endif
