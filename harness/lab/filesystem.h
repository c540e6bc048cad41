/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Empty file systems for the guest's disks, made on the host so that every kernel of a
 * range mounts the very same bytes: fixed UUID, hash seed and times, inode tables
 * complete (no lazy work in the guest), and for ext4 the features that kernels mount
 * since 3.18, whatever the host's mke2fs.conf says.
 *
 * An image is in extents format (guest/extents.h) and is kept in a cache folder under
 * a name that says all of what it is made from.
 */
#ifndef LAB_FILESYSTEM_H
#define LAB_FILESYSTEM_H

#include "base/error.h"
#include "base/hash.h"

#include <stdint.h>

/*
 * The image of an empty file system ("ext2", "ext4" or "xfs") for a disk of that size in
 * bytes; made where the cache folder does not have it. The caller frees *ret_path.
 * ERROR_HOST where the tool is missing (with its package), ERROR_USAGE where the size is
 * too small.
 *
 * mkfs.xfs takes no fixed times: images of xfs differ between hosts in the root folder's
 * time stamps, which no workload sees.
 */
int filesystem_image(const char *cache_folder, const char *filesystem, uint64_t size,
		     char **ret_path, struct error *err);

/* The smallest disk in bytes that it can be made on; 0 for "none". */
uint64_t filesystem_minimum(const char *filesystem);

/* Removes what a killed program was making there; for the only user of the folder. */
void filesystem_sweep(const char *cache_folder);

/* A digest of the tool's version and of the options it gets; no tool is no error. */
int filesystem_identity(const char *filesystem, char key[HASH_HEX_SIZE],
			struct error *err);

#endif
