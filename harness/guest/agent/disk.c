/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/disk.h"

#include "guest/agent/clock.h"
#include "guest/agent/null_blk.h"
#include "guest/agent/serial.h"
#include "guest/agent/sysfs.h"
#include "guest/extents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

static const uint64_t serial_wait = 10000000000, serial_pause = 100000000;

static int find_by_serial(struct disk *disk, struct failure *failure)
{
	const char *serial = disk->job->name;
	uint64_t start = clock_now();
	unsigned found;

	while (!(found = serial_find(serial, disk->device, sizeof(disk->device)))) {
		if (clock_now() - start > serial_wait)
			return failure_set(failure, serial, "no disk has the serial %s",
					   serial);
		clock_sleep(serial_pause);
	}
	if (found > 1)
		return failure_set(failure, serial, "%u disks have the serial %s", found,
				   serial);
	return 0;
}

uint64_t disk_number(const struct disk *disk, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->device, name);
	return sysfs_read_number(path);
}

int disk_check_direct(const struct disk *disk, uint64_t block_size,
		      struct failure *failure)
{
	uint64_t sector = disk_number(disk, "queue/logical_block_size");

	if (!sector || block_size % sector == 0)
		return 0;
	return failure_set(failure, disk->job->name,
			   "block_size %llu is no multiple of its sectors of %llu bytes, "
			   "which direct I/O needs",
			   (unsigned long long)block_size, (unsigned long long)sector);
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
	disk->size = disk_number(disk, "size") * SECTOR;
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
