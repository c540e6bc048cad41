/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/disk.h"

#include "guest/agent/clock.h"
#include "guest/agent/null_blk.h"
#include "guest/agent/serial.h"
#include "guest/agent/sysfs.h"
#include "guest/extents.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SECTOR = 512 };

static const uint64_t serial_wait = 10000000000, serial_pause = 100000000;

static int find_by_serial(struct disk *disk, struct failure *failure)
{
	uint64_t start = clock_now();

	while (serial_find(disk->job->name, disk->device, sizeof(disk->device))) {
		if (clock_now() - start > serial_wait)
			return failure_set(failure, disk->job->name,
					   "no disk has the serial %s", disk->job->name);
		clock_sleep(serial_pause);
	}
	return 0;
}

static uint64_t queue_number(const struct disk *disk, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->device, name);
	return sysfs_read_number(path);
}

int disk_open(struct disk *disk, const struct job_disk *job, size_t index,
	      const struct disk_settings *settings, struct failure *failure)
{
	*disk = (struct disk){.job = job};
	if (job->kind == JOB_DISK_NULL
		    ? null_blk_create(job, index, settings->queue_depth, disk->device,
				      sizeof(disk->device), failure)
		    : find_by_serial(disk, failure))
		return -1;
	snprintf(disk->path, sizeof(disk->path), "/dev/%s", disk->device);
	disk->size = queue_number(disk, "size") * SECTOR;
	return 0;
}

int disk_close(struct disk *disk, struct failure *failure)
{
	if (!disk->device[0] || disk->job->kind != JOB_DISK_NULL)
		return 0;
	return null_blk_destroy(disk->device, failure);
}

static int copy_image(FILE *image, int fd, const struct disk *disk,
		      struct failure *failure)
{
	int zero_rest = disk->job->kind != JOB_DISK_NULL;
	struct problem problem;
	uint64_t size;

	if (extents_size(image, &size, &problem))
		return failure_set(failure, disk->job->name, "%s", problem.text);
	if (size > disk->size)
		return failure_set(failure, disk->job->name,
				   "the image of %llu bytes does not fit",
				   (unsigned long long)size);
	if (extents_apply(image, fd, zero_rest, &problem))
		return failure_set(failure, disk->job->name, "%s", problem.text);
	return fsync(fd) ? failure_system(failure, "fsync", disk->job->name, 0) : 0;
}

int disk_write_image(const struct disk *disk, struct failure *failure)
{
	FILE *image;
	int fd, result;

	if (!disk->job->image[0])
		return 0;
	image = fopen(disk->job->image, "re");
	if (!image)
		return failure_system(failure, "open", disk->job->image, 0);
	fd = open(disk->path, O_WRONLY | O_EXCL | O_CLOEXEC);
	if (fd < 0) {
		failure_system(failure, "open", disk->path, 0);
		fclose(image);
		return -1;
	}
	result = copy_image(image, fd, disk, failure);
	close(fd);
	fclose(image);
	return result;
}

static int set_readahead(const struct disk *disk, uint64_t sectors,
			 struct failure *failure)
{
	int fd = open(disk->path, O_RDONLY | O_CLOEXEC), failed;

	if (fd < 0)
		return failure_system(failure, "open", disk->path, 0);
	failed = ioctl(fd, BLKRASET, (unsigned long)sectors);
	if (failed)
		failure_system(failure, "BLKRASET", disk->job->name, 0);
	close(fd);
	return failed ? -1 : 0;
}

static int set_attribute(const struct disk *disk, const char *name, const char *value,
			 struct failure *failure)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->device, name);
	if (!sysfs_write(path, value))
		return 0;
	failure_system(failure, "write", disk->job->name, 0);
	snprintf(failure->text, sizeof(failure->text), "%s of %s cannot be set to %s: %s",
		 name, disk->job->name, value, strerror(failure->error_number));
	return -1;
}

/* The depth of a SCSI disk belongs to the device, that of others to the queue. */
static int set_queue_depth(const struct disk *disk, uint64_t depth,
			   struct failure *failure)
{
	char value[24];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)depth);
	if (queue_number(disk, "device/queue_depth"))
		return set_attribute(disk, "device/queue_depth", value, failure);
	if (disk->job->kind == JOB_DISK_NULL)
		return 0; /* made with it */
	return set_attribute(disk, "queue/nr_requests", value, failure);
}

int disk_apply_settings(const struct disk *disk, const struct disk_settings *settings,
			struct failure *failure)
{
	if (*settings->scheduler &&
	    set_attribute(disk, "queue/scheduler", settings->scheduler, failure))
		return -1;
	if (settings->queue_depth &&
	    set_queue_depth(disk, settings->queue_depth, failure))
		return -1;
	if (settings->readahead_sectors &&
	    set_readahead(disk, settings->readahead_sectors, failure))
		return -1;
	return 0;
}

/* "mq-deadline kyber [none]" is none. */
static void read_scheduler(const struct disk *disk, char *out, size_t size)
{
	char path[128], line[256], *start, *end;

	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", disk->device);
	if (sysfs_read(path, line, sizeof(line)))
		return;
	start = strchr(line, '[');
	end = start ? strchr(start, ']') : NULL;
	if (end)
		*end = '\0';
	snprintf(out, size, "%s", end ? start + 1 : line);
}

static uint64_t read_queue_depth(const struct disk *disk)
{
	uint64_t depth = queue_number(disk, "device/queue_depth");

	if (!depth && disk->job->kind == JOB_DISK_NULL)
		depth = null_blk_queue_depth(disk->device);
	return depth ? depth : queue_number(disk, "queue/nr_requests");
}

void disk_read_back(const struct disk *disk, struct result_readback *ret_readback)
{
	char path[128];

	snprintf(ret_readback->disk, sizeof(ret_readback->disk), "%s", disk->job->name);
	snprintf(ret_readback->device, sizeof(ret_readback->device), "%s", disk->device);
	read_scheduler(disk, ret_readback->scheduler, sizeof(ret_readback->scheduler));
	snprintf(path, sizeof(path), "/sys/block/%s/queue/write_cache", disk->device);
	if (sysfs_read(path, ret_readback->write_cache,
		       sizeof(ret_readback->write_cache)))
		ret_readback->write_cache[0] = '\0';
	ret_readback->readahead_sectors = 2 * queue_number(disk, "queue/read_ahead_kb");
	ret_readback->queue_depth = read_queue_depth(disk);
	ret_readback->size = disk->size;
	ret_readback->logical_block_size = queue_number(disk, "queue/logical_block_size");
	ret_readback->rotational = queue_number(disk, "queue/rotational");
	ret_readback->fua = queue_number(disk, "queue/fua");
}

int disk_read_counters(const struct disk *disk, struct disk_counters *ret_counters,
		       struct failure *failure)
{
	char path[128], line[512], *at = line, *end;

	snprintf(path, sizeof(path), "/sys/block/%s/stat", disk->device);
	if (sysfs_read(path, line, sizeof(line)))
		return failure_system(failure, "read", path, 0);
	*ret_counters = (struct disk_counters){0};
	while (ret_counters->count < 17) {
		ret_counters->value[ret_counters->count] = strtoull(at, &end, 10);
		if (end == at)
			break;
		at = end;
		ret_counters->count++;
	}
	return 0;
}

void disk_add_counters(const struct disk_counters *before,
		       const struct disk_counters *after, struct metric_values *values)
{
	static const struct {
		enum metric_id id;
		int place; /* in the stat file, see Documentation/block/stat.rst */
		double factor;
	} places[] = {
		{METRIC_READ_REQUESTS, 0, 1},   {METRIC_READ_MERGES, 1, 1},
		{METRIC_READ_SECTORS, 2, 1},    {METRIC_WRITE_REQUESTS, 4, 1},
		{METRIC_WRITE_MERGES, 5, 1},    {METRIC_WRITE_SECTORS, 6, 1},
		{METRIC_BUSY_TIME, 9, 1e6},     {METRIC_IN_FLIGHT_TIME, 10, 1e6},
		{METRIC_FLUSH_REQUESTS, 15, 1},
	};
	double passed;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i].place >= after->count)
			continue;
		passed = (double)(after->value[places[i].place] -
				  before->value[places[i].place]);
		metric_values_set(values, places[i].id,
				  values->value[places[i].id] +
					  places[i].factor * passed);
	}
}
