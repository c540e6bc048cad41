/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/null_blk.h"

#include "guest/agent/sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = "/sys/kernel/config/nullb";

enum { MIB_SHIFT = 20, MODE_TIMER = 2, QUEUE_MULTI = 2 };

struct attribute {
	const char *name;
	uint64_t value;
};

static int set(const char *device, const struct attribute *attribute,
	       struct failure *failure)
{
	char path[128], value[24];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, device, attribute->name);
	snprintf(value, sizeof(value), "%llu", (unsigned long long)attribute->value);
	if (!sysfs_write(path, value))
		return 0;
	failure_system(failure, "write", device, 0);
	snprintf(failure->text, sizeof(failure->text),
		 "null_blk: %s of %s cannot be %s: %s", attribute->name, device, value,
		 strerror(failure->error_number));
	return -1;
}

static int configure(const struct job_disk *job, const char *device, uint64_t queue_depth,
		     struct failure *failure)
{
	const struct attribute attributes[] = {
		{"size", job->size >> MIB_SHIFT},
		{"blocksize", job->block_size},
		{"queue_mode", QUEUE_MULTI},
		{"submit_queues", 1},
		{"hw_queue_depth", queue_depth ? queue_depth : job->queue_depth},
		/* Mode 0 completes at once: a timer of 0 ns would still be a timer. */
		{"irqmode", job->completion_time ? MODE_TIMER : 0},
		{"completion_nsec", job->completion_time},
		{"memory_backed", 1},
		{"cache_size", job->cache_size >> MIB_SHIFT},
		{"mbps", job->bandwidth >> MIB_SHIFT},
		{"power", 1},
	};

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (set(device, &attributes[i], failure))
			return -1;
	return 0;
}

/* Before 6.0 the disk has the name nullbINDEX, whatever the folder is called. */
static void find_name(const char *device, char *ret_device, size_t size)
{
	char path[128], index[24];

	snprintf(ret_device, size, "%s", device);
	snprintf(path, sizeof(path), "/sys/block/%s", device);
	if (!access(path, F_OK))
		return;
	snprintf(path, sizeof(path), "%s/%s/index", folder, device);
	if (!sysfs_read(path, index, sizeof(index)))
		snprintf(ret_device, size, "nullb%.8s", index);
}

int null_blk_create(const struct job_disk *job, size_t index, uint64_t queue_depth,
		    char *ret_device, size_t size, struct failure *failure)
{
	char device[24], path[128];

	snprintf(device, sizeof(device), "nullb%zu", index);
	snprintf(path, sizeof(path), "%s/%s", folder, device);
	if (mkdir(path, 0755))
		return failure_set(failure, job->name,
				   "no null_blk device can be made (is it in the kernel, "
				   "with configfs?): %s",
				   strerror(errno));
	if (configure(job, device, queue_depth, failure)) {
		rmdir(path);
		return -1;
	}
	find_name(device, ret_device, size);
	return 0;
}

int null_blk_destroy(const char *device, struct failure *failure)
{
	static const struct attribute off = {"power", 0};
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, device);
	if (set(device, &off, failure))
		return -1;
	return rmdir(path) ? failure_system(failure, "rmdir", path, 0) : 0;
}

uint64_t null_blk_queue_depth(const char *device)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s/hw_queue_depth", folder, device);
	return sysfs_read_number(path);
}
