/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * null_blk devices through configfs: memory-backed, one queue, each request completed by
 * a timer, with a volatile cache where flushes are to cost something.
 */
#ifndef AGENT_NULL_BLK_H
#define AGENT_NULL_BLK_H

#include "guest/agent/failure.h"
#include "guest/job.h"

#include <stddef.h>

/* queue_depth overrides the job's where it is not 0. */
int null_blk_create(const struct job_disk *job, size_t index, uint64_t queue_depth,
		    char *ret_device, size_t size, struct failure *failure);
int null_blk_destroy(const char *device, struct failure *failure);
uint64_t null_blk_queue_depth(const char *device);

#endif
