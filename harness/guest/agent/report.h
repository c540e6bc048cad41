/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends result records of the case and run that are on.
 */
#ifndef AGENT_REPORT_H
#define AGENT_REPORT_H

#include "guest/agent/channel.h"
#include "guest/agent/failure.h"
#include "guest/result.h"

struct report {
	const struct channel *channel; /* NULL: records are dropped */
	int handle;
	uint16_t sequence;
	uint64_t case_index, run;
	char buffer[FRAME_SIZE_MAX];
};

/* Fills in case and run, frames, sends. Allocates nothing. */
void report_send(struct report *report, struct result *result);

void report_failure(struct report *report, const struct failure *failure);
void report_progress(struct report *report, const char *phase, uint64_t operations);

#endif
