/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the running system does with block devices: mounts in every mount namespace,
 * swap, and processes that have a device or a file open.
 */
#ifndef DISKS_USAGE_H
#define DISKS_USAGE_H

#include "base/error.h"
#include "disks/block.h"

#include <sys/types.h>

struct disk_mount {
	char *device; /* the kernel's name */
	char *target;
	int own; /* seen by init or by us: "/" there is the running system */
};

struct disk_mounts {
	struct disk_mount *items;
	size_t count, capacity;
};

void disk_mounts_finish(struct disk_mounts *mounts);

/*
 * Mounts of the named devices, in all mount namespaces that /proc shows. A file system
 * that hides its device's number (btrfs) is known by its source.
 */
int disk_mounts_read(const struct disk_roots *roots, const struct text_list *devices,
		     struct disk_mounts *mounts, struct error *err);

/* The names of devices and paths of files that are swapped to. */
int disk_swaps_read(const struct disk_roots *roots, struct text_list *swaps,
		    struct error *err);

/* What is looked for among open descriptors: a device or a file. */
struct disk_node {
	dev_t device;      /* of a block or character device; 0: a file */
	dev_t file_system; /* of a file */
	ino_t inode;
};

struct disk_holder {
	pid_t pid;
	int writes;
	char *name; /* "guest kregress-1 of qemu-system-x86", "dd" */
};

struct disk_holders {
	struct disk_holder *items;
	size_t count, capacity;
};

void disk_holders_finish(struct disk_holders *holders);

/* Processes but this one that have any of the nodes open; those that /proc hides are not
 * seen. */
void disk_holders_find(const struct disk_roots *roots, const struct disk_node *nodes,
		       size_t count, struct disk_holders *holders);

#endif
