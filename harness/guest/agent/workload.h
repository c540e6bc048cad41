/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload is one file with one row: what it does before a run, and the run itself. A
 * run opens what it needs, calls measure_begin(), does its system calls and checks every
 * one of them, calls measure_end().
 */
#ifndef AGENT_WORKLOAD_H
#define AGENT_WORKLOAD_H

#include "guest/agent/disk.h"
#include "guest/agent/failure.h"
#include "guest/agent/measure.h"
#include "guest/job.h"

/* One run of a case, as a workload sees it. */
struct run {
	const struct job_case *job_case;
	const struct disk *disks;
	size_t disk_count;
	uint64_t number; /* from 1 */
	struct report *report;
	struct measure *measure;
	/* What a workload measures for each disk by itself; disk_count of them. */
	struct metric_values *disk_values;
};

struct workload {
	const char *name;
	int cold; /* each run starts with cold caches and a fresh mount */
	int (*prepare)(const struct run *run, struct failure *failure);
	int (*run)(struct run *run, struct failure *failure);
};

extern const struct workload sync_loop_workload;
extern const struct workload read_workload;
extern const struct workload parallel_writers_workload;
extern const struct workload exec_workload;

/* NULL where there is none. */
const struct workload *workload_find(const char *name);

/* A parameter of the case or its default. */
uint64_t run_number(const struct run *run, const char *name);
const char *run_text(const struct run *run, const char *name);

enum { RUN_PATH_SIZE = 128 };

/* Where a workload with the parameter `target` works on that disk. */
int run_path(const struct run *run, size_t disk, char path[RUN_PATH_SIZE],
	     struct failure *failure);

/* Open flags that `direct`, `sync` (where it is there) and the target ask for. */
int run_open_flags(const struct run *run);

/*
 * A buffer of block_size bytes for direct I/O, in touched memory, filled with bytes that
 * do not compress to nothing. NULL with the failure set.
 */
char *run_buffer(uint64_t size, struct failure *failure);
void run_free_buffer(char *buffer, uint64_t size);

/* write() or pwrite() of all; a disk that takes less than all ends in its errno. */
int run_write(int fd, const char *buffer, uint64_t size, uint64_t offset,
	      enum sync_call call, const char *name, struct failure *failure);

/* The sync that a parameter asks for; the O_ ones and none do nothing here. */
int run_sync(int fd, enum sync_kind kind, uint64_t offset, uint64_t size,
	     const char *name, struct failure *failure);

/* Writes a file or disk from its start and syncs it, untimed. */
int run_fill(const char *path, uint64_t size, const char *name, struct failure *failure);

#endif
