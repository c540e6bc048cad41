/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sync-loop: write a block, make it durable, and again. */
#include "guest/agent/clock.h"
#include "guest/agent/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct loop {
	int fd;
	char *buffer;
	const char *name; /* of the disk, for failures */
	uint64_t block_size, count;
	uint64_t limit; /* where a device starts again at its beginning; 0: never */
	enum sync_call call;
	enum sync_kind sync;
};

static int remove_file(const char *path, struct failure *failure)
{
	if (unlink(path) && errno != ENOENT)
		return failure_system(failure, "unlink", path, 0);
	return 0;
}

static int preallocate(const char *path, uint64_t size, struct failure *failure)
{
	int fd, result = 0;

	if (remove_file(path, failure))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return failure_system(failure, "open", path, 0);
	if (fallocate(fd, 0, 0, (off_t)size))
		result = failure_system(failure, "fallocate", path, size);
	else if (fsync(fd))
		result = failure_system(failure, "fsync", path, 0);
	if (close(fd) && !result)
		result = failure_system(failure, "close", path, 0);
	return result;
}

/* A device has no size to grow: the modes are for files. */
static int prepare(const struct run *run, struct failure *failure)
{
	uint64_t size = run_number(run, "block_size") * run_number(run, "count");
	char path[RUN_PATH_SIZE];

	if (run_path(run, 0, path, failure))
		return -1;
	if (run_number(run, "target") == TARGET_DEVICE)
		return 0;
	switch ((enum sync_mode)run_number(run, "mode")) {
	case MODE_KEEP:
		break;
	case MODE_EXTEND:
		return remove_file(path, failure);
	case MODE_OVERWRITE:
		return run->number > 1
			       ? 0
			       : run_fill(path, size, run->disks[0].job->name, failure);
	case MODE_PREALLOCATED:
		return preallocate(path, size, failure);
	}
	return 0;
}

static int rewind_to(int fd, const char *name, struct failure *failure)
{
	return lseek(fd, 0, SEEK_SET) ? failure_system(failure, "lseek", name, 0) : 0;
}

static int loop_run(const struct loop *loop, struct measure *measure,
		    struct failure *failure)
{
	uint64_t offset = 0, start;

	for (uint64_t i = 0; i < loop->count; i++) {
		if (loop->limit && offset + loop->block_size > loop->limit) {
			offset = 0;
			if (rewind_to(loop->fd, loop->name, failure))
				return -1;
		}
		start = clock_now();
		if (run_write(loop->fd, loop->buffer, loop->block_size, offset,
			      loop->call, loop->name, failure) ||
		    run_sync(loop->fd, loop->sync, offset, loop->block_size, loop->name,
			     failure))
			return -1;
		measure_operation(measure, start, clock_now(), loop->block_size);
		offset += loop->block_size;
	}
	return 0;
}

static int run_opened(struct run *run, struct loop *loop, struct failure *failure)
{
	int result;

	if (run_number(run, "target") == TARGET_DEVICE) {
		loop->limit = run->disks[0].size;
		if (loop->limit < loop->block_size)
			return failure_set(failure, loop->name,
					   "the disk is smaller than a block");
	}
	loop->buffer = run_buffer(loop->block_size, failure);
	if (!loop->buffer)
		return -1;
	measure_begin(run->measure);
	result = loop_run(loop, run->measure, failure);
	measure_end(run->measure);
	run_free_buffer(loop->buffer, loop->block_size);
	return result;
}

static int run(struct run *run, struct failure *failure)
{
	char path[RUN_PATH_SIZE];
	struct loop loop = {
		.block_size = run_number(run, "block_size"),
		.count = run_number(run, "count"),
		.call = (enum sync_call)run_number(run, "call"),
		.sync = (enum sync_kind)run_number(run, "sync"),
	};
	int result;

	if (run_path(run, 0, path, failure))
		return -1;
	loop.name = run->disks[0].job->name;
	loop.fd = open(path, O_RDWR | run_open_flags(run), 0644);
	if (loop.fd < 0)
		return failure_system(failure, "open", path, 0);
	result = run_opened(run, &loop, failure);
	if (close(loop.fd) && !result)
		result = failure_system(failure, "close", loop.name, 0);
	return result;
}

const struct workload sync_loop_workload = {
	.name = "sync-loop",
	.prepare = prepare,
	.run = run,
};
