/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operation costs: the one list for tables and JSON. */
#ifndef REPORT_EXPLANATION_PRIVATE_H
#define REPORT_EXPLANATION_PRIVATE_H

#include "report/explanation.h"

enum { EXPLANATION_COSTS = 8 };

struct explanation_cost {
	const char *title, *key;
	size_t offset; /* of a double in struct difference_side */
	int is_time;   /* ns; else a number */
};

extern const struct explanation_cost explanation_cost_list[EXPLANATION_COSTS];

double explanation_cost_of(const struct difference_side *side,
			   const struct explanation_cost *cost);

#endif
