/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/workload.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct workload *const workloads[] = {
	&sync_loop_workload,
	&read_workload,
	&parallel_writers_workload,
	&exec_workload,
};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}

uint64_t run_number(const struct run *run, const char *name)
{
	return parameters_number(run->job_case->workload, run->job_case->parameters,
				 run->job_case->parameter_count, name);
}

const char *run_text(const struct run *run, const char *name)
{
	return parameters_text(run->job_case->workload, run->job_case->parameters,
			       run->job_case->parameter_count, name);
}

int run_path(const struct run *run, size_t disk, char path[RUN_PATH_SIZE],
	     struct failure *failure)
{
	int length;

	if (disk >= run->disk_count)
		return failure_set(failure, "", "the case has no disk");
	if (run_number(run, "target") == TARGET_DEVICE)
		length = snprintf(path, RUN_PATH_SIZE, "%s", run->disks[disk].path);
	else if (run->disks[disk].mount[0])
		length = snprintf(path, RUN_PATH_SIZE, "%s/data", run->disks[disk].mount);
	else
		return failure_set(failure, run->disks[disk].job->name,
				   "the target is a file, but no file system is mounted");
	return length < RUN_PATH_SIZE ? 0 : failure_set(failure, path, "too long a path");
}

int run_open_flags(const struct run *run)
{
	static const int sync_flags[] = {
		[SYNC_O_SYNC] = O_SYNC, [SYNC_O_DSYNC] = O_DSYNC, [SYNC_NONE] = 0};
	int flags = O_CLOEXEC;

	if (run_number(run, "target") == TARGET_FILE)
		flags |= O_CREAT;
	if (run_number(run, "direct"))
		flags |= O_DIRECT;
	if (parameter_find(run->job_case->workload, "sync"))
		flags |= sync_flags[run_number(run, "sync")];
	return flags;
}

char *run_buffer(uint64_t size, struct failure *failure)
{
	uint32_t random = 1;
	char *buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buffer == MAP_FAILED) {
		failure_system(failure, "mmap", "memory", 0);
		return NULL;
	}
	for (uint64_t i = 0; i < size; i++) {
		random = random * 1664525 + 1013904223;
		buffer[i] = (char)(random >> 24);
	}
	return buffer;
}

void run_free_buffer(char *buffer, uint64_t size)
{
	if (buffer)
		munmap(buffer, size);
}

int run_write(int fd, const char *buffer, uint64_t size, uint64_t offset,
	      enum sync_call call, const char *name, struct failure *failure)
{
	static const char *const names[] = {"write", "pwrite"};
	ssize_t done;

	for (; size; size -= (uint64_t)done, buffer += done, offset += (uint64_t)done) {
		done = call == CALL_WRITE ? write(fd, buffer, size)
					  : pwrite(fd, buffer, size, (off_t)offset);
		if (done < 0)
			return failure_system(failure, names[call], name, offset);
		if (!done)
			return failure_set(failure, name, "%s wrote nothing at byte %llu",
					   names[call], (unsigned long long)offset);
	}
	return 0;
}

static int sync_range(int fd, uint64_t offset, uint64_t size)
{
	return sync_file_range(fd, (off_t)offset, (off_t)size,
			       SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				       SYNC_FILE_RANGE_WAIT_AFTER);
}

int run_sync(int fd, enum sync_kind kind, uint64_t offset, uint64_t size,
	     const char *name, struct failure *failure)
{
	switch (kind) {
	case SYNC_FSYNC:
		return fsync(fd) ? failure_system(failure, "fsync", name, offset) : 0;
	case SYNC_FDATASYNC:
		return fdatasync(fd) ? failure_system(failure, "fdatasync", name, offset)
				     : 0;
	case SYNC_FILE_RANGE:
		return sync_range(fd, offset, size)
			       ? failure_system(failure, "sync_file_range", name, offset)
			       : 0;
	case SYNC_O_SYNC:
	case SYNC_O_DSYNC:
	case SYNC_NONE:
		break;
	}
	return 0;
}

static int fill(int fd, uint64_t size, const char *name, struct failure *failure)
{
	enum { CHUNK = 1 << 20 };
	char *buffer = run_buffer(CHUNK, failure);
	uint64_t part;
	int result = buffer ? 0 : -1;

	for (uint64_t offset = 0; !result && offset < size; offset += part) {
		part = size - offset < CHUNK ? size - offset : CHUNK;
		result = run_write(fd, buffer, part, offset, CALL_PWRITE, name, failure);
	}
	run_free_buffer(buffer, CHUNK);
	if (!result && fsync(fd))
		result = failure_system(failure, "fsync", name, 0);
	return result;
}

int run_fill(const char *path, uint64_t size, const char *name, struct failure *failure)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644), result;

	if (fd < 0)
		return failure_system(failure, "open", path, 0);
	result = fill(fd, size, name, failure);
	if (close(fd) && !result)
		result = failure_system(failure, "close", path, 0);
	return result;
}
