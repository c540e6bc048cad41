/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of disk.h: how each is set, and how it is read back. */
#include "guest/agent/disk.h"
#include "guest/agent/null_blk.h"
#include "guest/agent/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SECTORS_PER_PAGE = 8, PATH_SIZE = 256 };

static const char *const cache_words[] = {
	[WRITE_CACHE_KEEP] = "",
	[WRITE_CACHE_ON] = "write back",
	[WRITE_CACHE_OFF] = "write through",
};

static int set_path(const struct disk *disk, const char *path, const char *name,
		    const char *value, struct failure *failure)
{
	if (!sysfs_write(path, value))
		return 0;
	failure_system(failure, "write", disk->job->name, 0);
	snprintf(failure->text, sizeof(failure->text), "%s of %s cannot be set to %s: %s",
		 name, disk->job->name, value, strerror(failure->error_number));
	return -1;
}

static int set_attribute(const struct disk *disk, const char *name, const char *value,
			 struct failure *failure)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->device, name);
	return set_path(disk, path, name, value, failure);
}

static int refuse_number(const struct disk *disk, const char *name, uint64_t wanted,
			 uint64_t is, struct failure *failure)
{
	return failure_set(failure, disk->job->name,
			   "%s of %s was set to %llu but is %llu: the disk or its driver "
			   "cannot have it",
			   name, disk->job->name, (unsigned long long)wanted,
			   (unsigned long long)is);
}

static int refuse_word(const struct disk *disk, const char *name, const char *wanted,
		       const char *is, struct failure *failure)
{
	return failure_set(failure, disk->job->name,
			   "%s of %s was set to %s but is %s: the disk or its driver "
			   "cannot have it",
			   name, disk->job->name, wanted, *is ? is : "unknown");
}

/* --- readahead */

static uint64_t read_readahead(const struct disk *disk)
{
	return 2 * disk_number(disk, "queue/read_ahead_kb");
}

/* The kernel keeps whole pages. */
static int set_readahead(const struct disk *disk, uint64_t sectors,
			 struct failure *failure)
{
	int fd = open(disk->path, O_RDONLY | O_CLOEXEC), failed;
	uint64_t whole = sectors / SECTORS_PER_PAGE * SECTORS_PER_PAGE;

	if (fd < 0)
		return failure_system(failure, "open", disk->path, 0);
	failed = ioctl(fd, BLKRASET, (unsigned long)sectors);
	if (failed)
		failure_system(failure, "BLKRASET", disk->job->name, 0);
	close(fd);
	if (failed)
		return -1;
	if (read_readahead(disk) != whole)
		return refuse_number(disk, "readahead", sectors, read_readahead(disk),
				     failure);
	return 0;
}

/* --- queue depth: of a SCSI disk it belongs to the device, of others to the queue */

static uint64_t read_queue_depth(const struct disk *disk)
{
	uint64_t depth = disk_number(disk, "device/queue_depth");

	if (!depth && disk->job->kind == JOB_DISK_NULL)
		depth = null_blk_queue_depth(disk->device);
	return depth ? depth : disk_number(disk, "queue/nr_requests");
}

static int write_queue_depth(const struct disk *disk, uint64_t depth,
			     struct failure *failure)
{
	char value[24];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)depth);
	if (disk_number(disk, "device/queue_depth"))
		return set_attribute(disk, "device/queue_depth", value, failure);
	if (disk->job->kind == JOB_DISK_NULL)
		return 0; /* made with it */
	return set_attribute(disk, "queue/nr_requests", value, failure);
}

static int set_queue_depth(const struct disk *disk, uint64_t depth,
			   struct failure *failure)
{
	if (write_queue_depth(disk, depth, failure))
		return -1;
	if (read_queue_depth(disk) != depth)
		return refuse_number(disk, "queue_depth", depth, read_queue_depth(disk),
				     failure);
	return 0;
}

/* --- scheduler: "mq-deadline kyber [none]" is none */

static void read_scheduler(const struct disk *disk, char *out, size_t size)
{
	char path[PATH_SIZE], line[256], *start, *end;

	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", disk->device);
	if (sysfs_read(path, line, sizeof(line)))
		line[0] = '\0';
	start = strchr(line, '[');
	end = start ? strchr(start, ']') : NULL;
	if (end)
		*end = '\0';
	snprintf(out, size, "%s", end ? start + 1 : line);
}

static int set_scheduler(const struct disk *disk, const char *scheduler,
			 struct failure *failure)
{
	char is[64];

	if (set_attribute(disk, "queue/scheduler", scheduler, failure))
		return -1;
	read_scheduler(disk, is, sizeof(is));
	if (strcmp(is, scheduler))
		return refuse_word(disk, "scheduler", scheduler, is, failure);
	return 0;
}

/* --- write cache */

static void read_write_cache(const struct disk *disk, char *out, size_t size)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "/sys/block/%s/queue/write_cache", disk->device);
	if (sysfs_read(path, out, size))
		out[0] = '\0';
}

/*
 * The disk itself is told where its driver can: SCSI and ATA by a mode page, virtio by
 * its configuration. Else only the kernel's view changes: whether it flushes.
 */
static void find_cache_attribute(const struct disk *disk, char path[PATH_SIZE])
{
	static const char *const places[] = {"device/scsi_disk/*/cache_type",
					     "cache_type", "queue/write_cache"};
	glob_t found = {0};

	path[0] = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !path[0]; i++) {
		char pattern[PATH_SIZE];

		snprintf(pattern, sizeof(pattern), "/sys/block/%s/%s", disk->device,
			 places[i]);
		if (!glob(pattern, 0, NULL, &found) && !access(found.gl_pathv[0], W_OK))
			snprintf(path, PATH_SIZE, "%s", found.gl_pathv[0]);
		globfree(&found);
	}
}

static int set_write_cache(const struct disk *disk, enum write_cache wanted,
			   struct failure *failure)
{
	const char *value = cache_words[wanted];
	char path[PATH_SIZE], is[64];

	read_write_cache(disk, is, sizeof(is));
	if (!strcmp(is, value))
		return 0;
	find_cache_attribute(disk, path);
	if (set_path(disk, path, "write_cache", value, failure))
		return -1;
	read_write_cache(disk, is, sizeof(is));
	if (strcmp(is, value))
		return refuse_word(disk, "write_cache", value, is, failure);
	return 0;
}

int disk_apply_settings(const struct disk *disk, const struct disk_settings *settings,
			struct failure *failure)
{
	if (*settings->scheduler && set_scheduler(disk, settings->scheduler, failure))
		return -1;
	if (settings->queue_depth &&
	    set_queue_depth(disk, settings->queue_depth, failure))
		return -1;
	if (settings->write_cache != WRITE_CACHE_KEEP &&
	    set_write_cache(disk, settings->write_cache, failure))
		return -1;
	if (settings->readahead_sectors &&
	    set_readahead(disk, settings->readahead_sectors, failure))
		return -1;
	return 0;
}

void disk_read_back(const struct disk *disk, struct result_readback *ret_readback)
{
	snprintf(ret_readback->disk, sizeof(ret_readback->disk), "%s", disk->job->name);
	snprintf(ret_readback->device, sizeof(ret_readback->device), "%s", disk->device);
	read_scheduler(disk, ret_readback->scheduler, sizeof(ret_readback->scheduler));
	read_write_cache(disk, ret_readback->write_cache,
			 sizeof(ret_readback->write_cache));
	ret_readback->readahead_sectors = read_readahead(disk);
	ret_readback->queue_depth = read_queue_depth(disk);
	ret_readback->size = disk->size;
	ret_readback->logical_block_size = disk_number(disk, "queue/logical_block_size");
	ret_readback->rotational = disk_number(disk, "queue/rotational");
	ret_readback->fua = disk_number(disk, "queue/fua");
}
