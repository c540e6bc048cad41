/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The job: everything that the agent is to do in one boot. The host writes it as plain
 * text into the guest image (/job), the agent reads it; nothing is sent to a running
 * guest.
 *
 * One "key value" a line; "case LABEL" opens a case, "disk NAME" a disk of that case, and
 * the keys behind belong to it:
 *
 *	kregress-job 1
 *	channel port
 *	settle_seconds 30
 *	symbols 0
 *	case block_size=4096
 *	workload sync-loop
 *	runs 3
 *	filesystem ext4
 *	parameter block_size 4096
 *	disk nullb0
 *	kind null
 *	size 268435456
 *	image /images/ext4
 *	end
 *
 * job_parse() takes exactly this; an unknown key, a value out of range, a key at the
 * wrong place, a missing "end" are refused with the line number.
 */
#ifndef GUEST_JOB_H
#define GUEST_JOB_H

#include "guest/parameters.h"
#include "guest/problem.h"

#include <stdio.h>

enum {
	JOB_NAME_SIZE = 128, /* with the terminator, like the next */
	JOB_LABEL_SIZE = 256,
	JOB_CASES_MAX = 4096,
	JOB_DISKS_MAX = 64,      /* of a case */
	JOB_PARAMETERS_MAX = 32, /* of a case */
	JOB_LINE_MAX = 4096,
};

/* Where results go; the first of the table that works for JOB_CHANNEL_AUTO. */
enum job_channel {
	JOB_CHANNEL_AUTO,
	JOB_CHANNEL_PORT, /* virtio-serial port org.kregress.results */
	JOB_CHANNEL_COM2, /* second serial port by port I/O: costs no interrupts */
	JOB_CHANNEL_TTY,  /* /dev/ttyS1 */
};

enum job_filesystem { JOB_FS_NONE, JOB_FS_EXT2, JOB_FS_EXT4, JOB_FS_XFS, JOB_FS_COUNT };

enum job_disk_kind {
	JOB_DISK_NULL,   /* a null_blk device that the agent makes for the case */
	JOB_DISK_SERIAL, /* a device of the VM, found by its serial */
};

/*
 * Which symbols of its kernel the agent sends behind all measuring. A number of one
 * digit in the job, so that the guest is the same to the byte until then.
 */
enum job_symbols {
	JOB_SYMBOLS_NONE,
	JOB_SYMBOLS_MODULES, /* functions of modules alone */
	JOB_SYMBOLS_ALL,     /* every function */
	JOB_SYMBOLS_LAST = JOB_SYMBOLS_ALL
};

struct job_disk {
	char name[JOB_NAME_SIZE]; /* in results; for JOB_DISK_SERIAL the serial */
	enum job_disk_kind kind;
	/* File-system image in extents format, written to the disk first; "" for none. */
	char image[JOB_NAME_SIZE];
	/* The rest is for JOB_DISK_NULL. */
	uint64_t size;            /* bytes, a multiple of 1 MiB */
	uint64_t block_size;      /* 512, 1024, 2048 or 4096; 512 where not given */
	uint64_t completion_time; /* ns until a request or flush completes; 0: at once */
	uint64_t cache_size;      /* bytes of volatile cache, MiB steps; 0: no flushes */
	uint64_t bandwidth;       /* bytes a second, MiB steps; 0: no limit */
	uint64_t queue_depth;     /* hardware queue; 64 where not given */
};

struct job_case {
	char label[JOB_LABEL_SIZE];
	const struct workload_kind *workload;
	uint64_t runs;
	enum job_filesystem filesystem; /* the first disk's; parallel-writers: each */
	char mount_options[JOB_LABEL_SIZE];
	struct parameter_value *parameters; /* as given; see parameters_number() */
	size_t parameter_count;
	struct job_disk *disks;
	size_t disk_count;
};

/* Start from {0}, end with job_finish(). */
struct job {
	enum job_channel channel;
	uint64_t settle_seconds; /* of guest time before the first case */
	uint64_t symbols;        /* enum job_symbols */
	struct job_case *cases;
	size_t case_count;
};

void job_finish(struct job *job);

/*
 * For the host: each returns the new, zeroed item (runs 1, block_size 512, queue_depth
 * 64), valid until the next one of its list is added; NULL where the limit is reached or
 * a string is too long.
 */
struct job_case *job_add_case(struct job *job, const char *label);
struct job_disk *job_case_add_disk(struct job_case *job_case, const char *name);
int job_case_set_parameter(struct job_case *job_case, const char *name,
			   const char *value);

/* Checks the whole: what job_parse() would refuse. */
int job_check(const struct job *job, struct problem *problem);

/* Checks, then writes; -1 with the reason, also where the stream fails. */
int job_write(const struct job *job, FILE *out, struct problem *problem);

/* Reads a whole job; on failure *ret_job is left as it was. */
int job_parse(const char *text, struct job *ret_job, struct problem *problem);

/* "none", "ext2", "ext4", "xfs"; job_filesystem_find() gives JOB_FS_COUNT for others. */
const char *job_filesystem_name(enum job_filesystem filesystem);
enum job_filesystem job_filesystem_find(const char *name);

#endif
