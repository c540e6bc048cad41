/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small kernel files in sysfs, configfs and procfs. On failure errno tells why.
 */
#ifndef AGENT_SYSFS_H
#define AGENT_SYSFS_H

#include <stddef.h>
#include <stdint.h>

/* The first line without its end; cut to size. */
int sysfs_read(const char *path, char *out, size_t size);
/* A whole number; 0 where there is none to read. */
uint64_t sysfs_read_number(const char *path);
int sysfs_write(const char *path, const char *value);

#endif
