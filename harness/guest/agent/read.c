/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read: a file or disk from end to end, or its blocks in a fixed random order. */
#include "guest/agent/clock.h"
#include "guest/agent/workload.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct reading {
	int fd;
	char *buffer;
	const char *name;
	uint64_t block_size, size;
};

static int prepare(const struct run *run, struct failure *failure)
{
	uint64_t size = run_number(run, "size");
	char path[RUN_PATH_SIZE];
	struct stat status;

	if (run_path(run, 0, path, failure))
		return -1;
	if (run_number(run, "target") == TARGET_DEVICE)
		return size <= run->disks[0].size
			       ? 0
			       : failure_set(failure, run->disks[0].job->name,
					     "size is %llu, but the disk has %llu bytes",
					     (unsigned long long)size,
					     (unsigned long long)run->disks[0].size);
	if (!stat(path, &status) && (uint64_t)status.st_size >= size)
		return 0;
	return run_fill(path, size, run->disks[0].job->name, failure);
}

static int read_block(const struct reading *reading, uint64_t offset, uint64_t size,
		      int random, struct failure *failure)
{
	ssize_t done = random ? pread(reading->fd, reading->buffer, size, (off_t)offset)
			      : read(reading->fd, reading->buffer, size);

	if (done < 0)
		return failure_system(failure, random ? "pread" : "read", reading->name,
				      offset);
	if ((uint64_t)done != size)
		return failure_set(failure, reading->name,
				   "%lld bytes instead of %llu were read at byte %llu",
				   (long long)done, (unsigned long long)size,
				   (unsigned long long)offset);
	return 0;
}

static int read_sequential(const struct reading *reading, struct measure *measure,
			   struct failure *failure)
{
	uint64_t size, start;

	for (uint64_t offset = 0; offset < reading->size; offset += size) {
		size = reading->size - offset < reading->block_size
			       ? reading->size - offset
			       : reading->block_size;
		start = clock_now();
		if (read_block(reading, offset, size, 0, failure))
			return -1;
		measure_operation(measure, start, clock_now(), size);
	}
	return 0;
}

/* As many reads as there are blocks; the order is the same at every boot. */
static int read_random(const struct reading *reading, struct measure *measure,
		       struct failure *failure)
{
	uint64_t blocks = reading->size / reading->block_size, random = 1, start, offset;

	for (uint64_t i = 0; i < blocks; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		offset = (random >> 33) % blocks * reading->block_size;
		start = clock_now();
		if (read_block(reading, offset, reading->block_size, 1, failure))
			return -1;
		measure_operation(measure, start, clock_now(), reading->block_size);
	}
	return 0;
}

static int run_opened(struct run *run, struct reading *reading, struct failure *failure)
{
	int random = run_number(run, "pattern") == PATTERN_RANDOM, result;

	reading->buffer = run_buffer(reading->block_size, failure);
	if (!reading->buffer)
		return -1;
	measure_begin(run->measure);
	result = (random ? read_random : read_sequential)(reading, run->measure, failure);
	measure_end(run->measure);
	run_free_buffer(reading->buffer, reading->block_size);
	return result;
}

static int run(struct run *run, struct failure *failure)
{
	char path[RUN_PATH_SIZE];
	struct reading reading = {
		.block_size = run_number(run, "block_size"),
		.size = run_number(run, "size"),
	};
	int result;

	if (run_path(run, 0, path, failure))
		return -1;
	reading.name = run->disks[0].job->name;
	reading.fd = open(path, O_RDONLY | (run_open_flags(run) & ~O_CREAT));
	if (reading.fd < 0)
		return failure_system(failure, "open", path, 0);
	result = run_opened(run, &reading, failure);
	if (close(reading.fd) && !result)
		result = failure_system(failure, "close", reading.name, 0);
	return result;
}

const struct workload read_workload = {
	.name = "read",
	.cold = 1,
	.prepare = prepare,
	.run = run,
};
