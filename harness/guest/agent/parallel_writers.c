/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parallel-writers: one process for each disk writes and syncs, all at once.
 *
 * Each writer measures itself in memory that it shares with the agent. The agent watches
 * the disks' counters meanwhile, because what write() takes says little about what
 * reaches a disk: the throughput series is what the disks were sent.
 */
#include "guest/agent/child.h"
#include "guest/agent/clock.h"
#include "guest/agent/life.h"
#include "guest/agent/workload.h"
#include "guest/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECTOR = 512 };

/* One writer, in shared memory. */
struct writer {
	uint64_t end;
	int failed;
	struct failure failure;
	struct measure measure;
};

struct writers {
	struct run *run;
	struct writer *writer; /* one a disk */
	size_t started, ended;
	int ready[2], go[2]; /* pipes: writers are ready; nobody waits any more */
	uint64_t written;    /* bytes that the disks were sent when last looked at */
	uint64_t begin, next_life;
	struct life life;
};

/* A file is made afresh, so that each run allocates its blocks again. */
static int prepare(const struct run *run, struct failure *failure)
{
	char path[RUN_PATH_SIZE];

	if (!run->disk_count)
		return failure_set(failure, "", "the case has no disk");
	for (size_t i = 0; i < run->disk_count; i++) {
		if (run_path(run, i, path, failure))
			return -1;
		if (run_number(run, "target") == TARGET_DEVICE)
			continue;
		if (unlink(path) && errno != ENOENT)
			return failure_system(failure, "unlink", path, 0);
	}
	return 0;
}

static int write_all(const struct run *run, size_t disk, int fd, char *buffer,
		     struct writer *writer)
{
	const char *name = run->disks[disk].job->name;
	uint64_t size = run_number(run, "size"), block = run_number(run, "block_size");
	uint64_t part, start;

	measure_begin(&writer->measure);
	for (uint64_t offset = 0; offset < size; offset += part) {
		part = size - offset < block ? size - offset : block;
		start = clock_now();
		if (run_write(fd, buffer, part, offset, CALL_WRITE, name,
			      &writer->failure))
			return -1;
		measure_operation(&writer->measure, start, clock_now(), part);
	}
	return run_sync(fd, (enum sync_kind)run_number(run, "sync"), 0, size, name,
			&writer->failure);
}

/* In the child: everything is ready before the start, so that the run is writes alone. */
static int write_disk(const struct writers *writers, size_t disk, struct writer *writer)
{
	const struct run *run = writers->run;
	uint64_t block = run_number(run, "block_size");
	char path[RUN_PATH_SIZE], *buffer, byte = 0;
	int fd, result;

	if (run_path(run, disk, path, &writer->failure))
		return -1;
	buffer = run_buffer(block, &writer->failure);
	if (!buffer)
		return -1;
	fd = open(path, O_WRONLY | run_open_flags(run), 0644);
	if (fd < 0)
		return failure_system(&writer->failure, "open", path, 0);
	close(writers->go[1]);
	if (write(writers->ready[1], &byte, 1) != 1 ||
	    read(writers->go[0], &byte, 1) != 0)
		return failure_set(&writer->failure, path, "the start went wrong");
	result = write_all(run, disk, fd, buffer, writer);
	measure_end(&writer->measure);
	writer->end = clock_now();
	if (close(fd) && !result)
		result = failure_system(&writer->failure, "close", path, 0);
	return result;
}

static int start_writer(struct writers *writers, size_t disk, struct failure *failure)
{
	static struct report nowhere;
	struct writer *writer = &writers->writer[disk];
	pid_t pid;

	measure_init(&writer->measure, &nowhere, 0);
	writer->measure.part = 1;
	pid = fork();
	if (pid < 0)
		return failure_system(failure, "fork",
				      writers->run->disks[disk].job->name, 0);
	if (!pid) {
		char byte = 0;

		writer->failed = write_disk(writers, disk, writer) != 0;
		/* Nobody waits for one that failed on its way to the start. */
		if (writer->failed && write(writers->ready[1], &byte, 1) < 0)
			_exit(2);
		_exit(writer->failed);
	}
	writers->started++;
	return 0;
}

static void wait_until_ready(struct writers *writers)
{
	char byte;

	close(writers->ready[1]);
	writers->ready[1] = -1;
	for (size_t i = 0; i < writers->started; i++)
		if (read(writers->ready[0], &byte, 1) != 1)
			return;
}

static uint64_t bytes_written(const struct run *run)
{
	struct disk_counters counters;
	struct failure ignored;
	uint64_t sectors = 0;

	for (size_t i = 0; i < run->disk_count; i++)
		if (!disk_read_counters(&run->disks[i], &counters, &ignored))
			sectors += counters.value[6];
	return sectors * SECTOR;
}

static uint64_t count_operations(const struct writers *writers)
{
	uint64_t operations = 0;

	for (size_t i = 0; i < writers->started; i++)
		operations += writers->writer[i].measure.operations;
	return operations;
}

static void watch_disks(struct writers *writers)
{
	uint64_t now = clock_now(), written = bytes_written(writers->run);
	uint64_t operations;

	rate_add(&writers->run->measure->rate, now - writers->begin,
		 written - writers->written);
	writers->written = written;
	if (now < writers->next_life)
		return;
	operations = count_operations(writers);
	if (life_moved(&writers->life, writers->run->disks, writers->run->disk_count,
		       operations))
		report_progress(writers->run->report, "run", operations);
	writers->next_life = now + MEASURE_REPORT_INTERVAL;
}

/* Often enough for any period that the rate can get, and rarer the longer it takes. */
static uint64_t watch_interval(uint64_t elapsed)
{
	const uint64_t longest = 500000000;
	uint64_t interval = elapsed / 64;

	if (interval < RATE_FIRST_PERIOD)
		return RATE_FIRST_PERIOD;
	return interval < longest ? interval : longest;
}

static void wait_for_writers(struct writers *writers, struct failure *failure)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while (writers->ended < writers->started) {
		pid = child_wait(watch_interval(clock_now() - writers->begin), &status,
				 &usage);
		if (pid < 0) {
			failure_system(failure, "wait4", "", 0);
			break;
		}
		watch_disks(writers);
		if (!pid)
			continue;
		writers->ended++;
		if (WIFSIGNALED(status))
			failure_set(failure, "", "a writer was killed by signal %d",
				    WTERMSIG(status));
	}
}

/* Adds up what the writers measured; the first that failed tells why. */
static int collect(struct writers *writers, struct failure *failure)
{
	struct measure *total = writers->run->measure;
	int result = failure->text[0] ? -1 : 0;

	for (size_t i = 0; i < writers->started; i++) {
		struct writer *writer = &writers->writer[i];
		struct metric_values *values = &writers->run->disk_values[i];

		if (writer->failed && !result) {
			*failure = writer->failure;
			result = -1;
		}
		total->operations += writer->measure.operations;
		total->bytes += writer->measure.bytes;
		total->usage = usage_plus(total->usage, writer->measure.usage);
		histogram_merge(&total->histogram, &writer->measure.histogram);
		if (writer->end - writers->begin > total->elapsed && writer->end)
			total->elapsed = writer->end - writers->begin;
		metric_values_set(values, METRIC_ELAPSED,
				  (double)writer->measure.elapsed);
		metric_values_set(values, METRIC_BYTES, (double)writer->measure.bytes);
		usage_store(&writer->measure.usage, values);
		metric_values_derive(values);
	}
	return result;
}

static int run_writers(struct writers *writers, struct failure *failure)
{
	struct run *run = writers->run;
	int result = 0;

	failure->text[0] = '\0';
	for (size_t i = 0; i < run->disk_count && !result; i++)
		result = start_writer(writers, i, failure);
	wait_until_ready(writers);
	writers->written = bytes_written(run);
	MARK(MARK_BEGIN);
	writers->begin = clock_now();
	writers->next_life = writers->begin + MEASURE_REPORT_INTERVAL;
	close(writers->go[1]);
	writers->go[1] = -1;
	wait_for_writers(writers, failure);
	MARK(MARK_END);
	return collect(writers, failure) ? -1 : result;
}

static void close_pipe(int pipe[2])
{
	for (int i = 0; i < 2; i++)
		if (pipe[i] >= 0)
			close(pipe[i]);
}

static int run(struct run *run, struct failure *failure)
{
	struct writers writers = {.run = run, .ready = {-1, -1}, .go = {-1, -1}};
	size_t size = run->disk_count * sizeof(struct writer);
	int result;

	child_block_signal();
	writers.writer = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (writers.writer == MAP_FAILED)
		return failure_system(failure, "mmap", "memory", 0);
	if (pipe2(writers.ready, O_CLOEXEC) || pipe2(writers.go, O_CLOEXEC))
		result = failure_system(failure, "pipe", "memory", 0);
	else
		result = run_writers(&writers, failure);
	close_pipe(writers.ready);
	close_pipe(writers.go);
	munmap(writers.writer, size);
	return result;
}

const struct workload parallel_writers_workload = {
	.name = "parallel-writers",
	.prepare = prepare,
	.run = run,
};
