/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block devices of the host as sysfs describes them: what each is, and which belong
 * together. Nothing here opens a device.
 */
#ifndef DISKS_BLOCK_H
#define DISKS_BLOCK_H

#include "base/error.h"
#include "base/text.h"
#include "disks/roots.h"

#include <stdint.h>
#include <sys/types.h>

struct block {
	char *name;  /* the kernel's: "sda", "sda1", "loop3" */
	char *whole; /* of a partition: its disk; else NULL */
	dev_t number;
	uint64_t size; /* bytes */
	int read_only, rotational;
	uint64_t logical_block, physical_block; /* bytes */
	uint64_t queue_depth;
	/* "" where the device does not tell. */
	char *model, *firmware, *serial, *transport, *scheduler, *write_cache;
	char *backing; /* of a loop device: the file behind it; else NULL */
};

void block_finish(struct block *block);

/* The name of the whole disk. */
static inline const char *block_disk(const struct block *block)
{
	return block->whole ? block->whole : block->name;
}

/* ERROR_HOST where sysfs has no device of that name. */
int block_read(const struct disk_roots *roots, const char *name, struct block *ret_block,
	       struct error *err);

/* The name of a device number; NULL where there is none. The caller frees. */
char *block_find(const struct disk_roots *roots, dev_t number);

/* Names of all disks, in order, each followed by its partitions. Empty drives are left
 * out: a loop device without a file, a drive without a medium. */
int block_list(const struct disk_roots *roots, struct text_list *names,
	       struct error *err);

/*
 * Everything that shares the fate of a device: its whole disk, all partitions of that,
 * what is built on any of them (holders, loop devices), what they are built on (slaves),
 * and so on. The device itself comes first.
 */
int block_family(const struct disk_roots *roots, const char *name,
		 struct text_list *names, struct error *err);

/* What builds on other devices is one of these. */
enum block_stack { BLOCK_PLAIN, BLOCK_LVM, BLOCK_DM, BLOCK_MD, BLOCK_BCACHE };

enum block_stack block_stack(const struct disk_roots *roots, const char *name);

#endif
