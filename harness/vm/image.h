/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Initramfs writer: a newc cpio archive, made in the order and with the numbers that
 * the content alone decides, so that the same content gives the same bytes (owner 0:0,
 * time 0, inodes counted, entries sorted by name).
 *
 * Names are relative ("lib/modules/x.ko"), without "." or ".." parts; folders above
 * are added by themselves. The same name twice is an error, but a folder may be named
 * again (its last mode wins).
 */
#ifndef VM_IMAGE_H
#define VM_IMAGE_H

#include "base/error.h"

#include <stddef.h>
#include <sys/types.h>

struct image;

struct image *image_create(void);
void image_destroy(struct image *image); /* takes NULL */

int image_add_folder(struct image *image, const char *name, mode_t mode,
		     struct error *err);
/* The bytes are copied. */
int image_add_bytes(struct image *image, const char *name, mode_t mode, const void *bytes,
		    size_t length, struct error *err);
/* The content of a file now; mode 0 takes the file's own permission bits. */
int image_add_file(struct image *image, const char *name, mode_t mode, const char *source,
		   struct error *err);
int image_add_link(struct image *image, const char *name, const char *target,
		   struct error *err);
/* A device node: mode with S_IFCHR or S_IFBLK. */
int image_add_node(struct image *image, const char *name, mode_t mode, unsigned major,
		   unsigned minor, struct error *err);

/* /dev with console and null, /proc, /sys, /tmp, /run: what PID 1 wants to find. */
int image_add_base(struct image *image, struct error *err);

/* All or nothing, like file_write(). */
int image_write(const struct image *image, const char *path, struct error *err);

#endif
