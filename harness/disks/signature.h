/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is on a disk: every signature that libblkid knows, at all places where one may
 * be. Opens for reading only.
 */
#ifndef DISKS_SIGNATURE_H
#define DISKS_SIGNATURE_H

#include "base/error.h"

#include <stddef.h>

/* Of every file system that we make: what carries it is nobody's data. */
#define DISK_OWN_UUID "6b726567-7265-5373-8000-000000000001"

struct disk_signature {
	char *device; /* the kernel's name, or the path of a file */
	char *type;   /* "ext4", "swap", "LVM2_member", "gpt" */
	char *usage;  /* "filesystem", "raid", "crypto", "other", "partition table" */
	char *uuid;   /* "" for none */
};

struct disk_signatures {
	struct disk_signature *items;
	size_t count, capacity;
};

void disk_signatures_finish(struct disk_signatures *signatures);

/* Adds those of the device or file at path; name is how they call it. */
int disk_signatures_read(const char *path, const char *name,
			 struct disk_signatures *signatures, struct error *err);

#endif
