/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring in a noisy lab: measure/sampling.h with real boots and the real judgement.
 *
 * A reference kernel is measured at both ends of the session (cli/reference.h). If it
 * moved, a note of kind NOTE_REFERENCE_MOVED takes away the verdicts of the session;
 * another note keeps the seed of the order.
 */
#ifndef CLI_SAMPLED_H
#define CLI_SAMPLED_H

#include "cli/judge.h"
#include "measure/schedule.h"

struct sampled {
	struct workbench *bench; /* a session has begun */
	/* Boots wanted of each: 0 by the plan, else so many. Results are filled in. */
	struct measurement *list;
	size_t count;
	struct subject *reference;
	/* Scenarios, minimum effect, rule; what was measured is filled in here. */
	struct judge_options judging;
	uint64_t seed; /* of the order of boots; 0: one of chance */
};

/* ERROR_MEASUREMENT where the reference gives no numbers. */
int sampled_measure(struct sampled *sampled, struct error *err);

#endif
