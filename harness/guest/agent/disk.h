/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The disks of a case: null_blk devices that are made for it, or devices of the VM that
 * are found by their serial, never by their name.
 */
#ifndef AGENT_DISK_H
#define AGENT_DISK_H

#include "guest/agent/failure.h"
#include "guest/job.h"
#include "guest/metrics.h"
#include "guest/result.h"

enum { DISK_DEVICE_SIZE = 32, DISK_PATH_SIZE = 64 };

struct disk {
	const struct job_disk *job;
	char device[DISK_DEVICE_SIZE]; /* "nullb0" */
	char path[DISK_PATH_SIZE];     /* "/dev/nullb0" */
	char mount[DISK_PATH_SIZE];    /* where it is mounted; "" where it is not */
	uint64_t size;                 /* bytes */
};

/* What a case wants of each of its disks; 0 and "" leave a setting alone. */
struct disk_settings {
	uint64_t readahead_sectors;
	uint64_t queue_depth;
	const char *scheduler;
	enum write_cache write_cache;
};

/*
 * Makes the null_blk device number `index` (counting the case's null disks), or finds
 * the device by serial, waiting some seconds for it to appear.
 */
int disk_open(struct disk *disk, const struct job_disk *job, size_t index,
	      const struct disk_settings *settings, struct failure *failure);

/* Takes a null_blk device away again. */
int disk_close(struct disk *disk, struct failure *failure);

/* Writes the file-system image of the job, if there is one, and syncs. */
int disk_write_image(const struct disk *disk, struct failure *failure);

/*
 * Sets what is wanted and reads it back: a disk or driver that takes another value than
 * it was given is a failure, else results would carry a wrong label.
 */
int disk_apply_settings(const struct disk *disk, const struct disk_settings *settings,
			struct failure *failure);

/* What the kernel says about the disk now. */
void disk_read_back(const struct disk *disk, struct result_readback *ret_readback);

/* A number below the disk's folder in sysfs; 0 where there is none. */
uint64_t disk_number(const struct disk *disk, const char *name);

/* Whether blocks of that size can be read and written past the page cache. */
int disk_check_direct(const struct disk *disk, uint64_t block_size,
		      struct failure *failure);

/* Block counters since the disk came up. */
struct disk_counters {
	int count; /* how many of them the kernel has: 11, 15 or 17 */
	uint64_t value[17];
};

int disk_read_counters(const struct disk *disk, struct disk_counters *ret_counters,
		       struct failure *failure);

/* What went by in between, added to the metrics. */
void disk_add_counters(const struct disk_counters *before,
		       const struct disk_counters *after, struct metric_values *values);

#endif
