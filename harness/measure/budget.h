/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a piece of work may cost. Work that finds its budget spent is left out, with that
 * as the reason, and the next call of the same command goes on with it.
 */
#ifndef MEASURE_BUDGET_H
#define MEASURE_BUDGET_H

struct budget {
	unsigned max_boots; /* 0: any number */
	double max_seconds; /* 0: any time */
	double started;     /* process_now() */
	unsigned boots;     /* started so far */
	unsigned reserved;  /* of max_boots: kept for later */
};

static inline int budget_is_spent(const struct budget *budget, double now)
{
	if (budget->max_boots && budget->boots + budget->reserved >= budget->max_boots)
		return 1;
	return budget->max_seconds > 0 && now - budget->started >= budget->max_seconds;
}

#endif
