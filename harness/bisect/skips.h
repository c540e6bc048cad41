/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How likely a commit is to be testable at all, from the commits that were and were not.
 * Broken stretches are short or long with equal chance on a logarithmic scale: between a
 * testable commit d steps away and an untestable one e steps away the chance is
 * log(1 + e) / (log(1 + d) + log(1 + e)); between two untestable ones it is small, and
 * the smaller the more were tried in vain.
 */
#ifndef BISECT_SKIPS_H
#define BISECT_SKIPS_H

#include "history/graph.h"

enum skip_state { SKIP_UNKNOWN, SKIP_TESTABLE, SKIP_BROKEN };

/*
 * state: of each node (graph->total); nodes outside the range count as testable unless
 * they are known not to be. ret[i] for i < graph->count: 1 or 0 where it is known.
 */
void skips_estimate(const struct graph *graph, const unsigned char *state, double *ret);

#endif
