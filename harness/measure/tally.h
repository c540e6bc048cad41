/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many boots a measurement has and still wants: pure, so that it can be tested
 * without a guest.
 */
#ifndef MEASURE_TALLY_H
#define MEASURE_TALLY_H

#include "lab/evidence.h"

#include <stddef.h>

enum { TALLY_ATTEMPTS = 3 }; /* of one boot that fails for reasons of the host */

struct tally {
	unsigned wanted; /* good boots, stored ones counted; 0: 1 */
	unsigned fresh;  /* at least so many of them new */
	size_t found;    /* good boots, stored and new */
	unsigned good;   /* new ones that are good */
	unsigned lost;   /* to the host, since the last good one */
};

/* A boot that failed is neither found nor fresh, whatever the database holds. */
int tally_is_full(const struct tally *tally);

/*
 * Counts a new boot. 1 where its outcome is that of the whole measurement: what a kernel
 * or a guest does is an answer, what the host does is tried again.
 */
int tally_take(struct tally *tally, enum outcome outcome);

#endif
