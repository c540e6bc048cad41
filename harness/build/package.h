/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that others built: Debian packages and plain images, into the kernel store.
 */
#ifndef BUILD_PACKAGE_H
#define BUILD_PACKAGE_H

#include "build/kernel.h"

/*
 * name is a .deb file, or a package that "apt-get download" fetches into the folder
 * downloads (a package that is there already is used again). The package must hold
 * boot/vmlinuz-*. One that only depends on the real one (linux-image-amd64) is followed.
 */
int package_kernel(const char *store, const char *downloads, const char *name,
		   struct kernel *ret_kernel, struct error *err);

/*
 * A bzImage, or an ELF vmlinux with a PVH entry; modules is NULL or a folder that holds
 * lib/modules/RELEASE (or is it).
 */
int image_kernel(const char *store, const char *image, const char *modules,
		 struct kernel *ret_kernel, struct error *err);

#endif
