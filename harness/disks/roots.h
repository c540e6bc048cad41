/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel tells of its disks: the real file systems, or a test's copies.
 */
#ifndef DISKS_ROOTS_H
#define DISKS_ROOTS_H

struct disk_roots {
	const char *sys, *proc, *dev;
};

extern const struct disk_roots disk_roots_host; /* /sys, /proc, /dev */

#endif
