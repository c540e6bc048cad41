/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether processes that the agent only waits for still get on. A kernel in which they
 * hang must look silent to the host, however well the agent itself still runs.
 */
#ifndef AGENT_LIFE_H
#define AGENT_LIFE_H

#include "guest/agent/disk.h"

#include <stddef.h>
#include <stdint.h>

/* Start from {0}. */
struct life {
	uint64_t requests, progress, user; /* when last looked at */
};

/*
 * Whether anything moved since the last look: the requests of the disks, the caller's own
 * count of progress, or, where neither did, the user time of any process but this one.
 */
int life_moved(struct life *life, const struct disk *disks, size_t count,
	       uint64_t progress);

#endif
