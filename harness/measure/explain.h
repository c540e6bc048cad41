/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two versions with their blocks counted, in the virtual lab: the profiles to set against
 * each other. Stored ones are taken again. Each version is measured without counting as
 * well, and the numbers of both boots must agree to the last bit: else the counted boot
 * is not the one that was judged, which is noted.
 */
#ifndef MEASURE_EXPLAIN_H
#define MEASURE_EXPLAIN_H

#include "measure/subject.h"
#include "scenario/scenario.h"

struct explain_request {
	struct subject *a, *b; /* may be one kernel: then two boots of it */
	const struct scenario *scenario;
	/* As samples have it, or without ",run=...": each of its kinds of run; NULL: all.
	 */
	const char *case_label;
};

/* The profiles (rows of the database) of one label. */
struct explain_pair {
	char *case_label;
	int64_t a, b;
};

struct explain_pairs {
	struct explain_pair *items;
	size_t count, capacity;
};

void explain_pairs_finish(struct explain_pairs *pairs);

/*
 * A session has begun. ERROR_USAGE where the scenario has no such case or the lab cannot
 * count, ERROR_HOST where the plugin or QEMU cannot, ERROR_MEASUREMENT where a version
 * cannot be measured.
 */
int explain_measure(struct workbench *workbench, const struct explain_request *request,
		    struct explain_pairs *ret_pairs, struct error *err);

#endif
