/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a Debian package of a kernel. Paths in the package cannot lead outside. */
#ifndef BUILD_DEB_FILE_H
#define BUILD_DEB_FILE_H

#include "base/error.h"

/*
 * Writes boot/vmlinuz-* as "image", boot/config-* as "config", a full boot/System.map-*
 * as "System.map" and lib/modules as "modules/lib/modules". What is missing is missing.
 */
int deb_unpack_kernel(const char *path, const char *folder, struct error *err);

/*
 * The kernel package that a package without a kernel depends on
 * ("linux-image-6.1.0-49-cloud-amd64" of "linux-image-cloud-amd64"); NULL where the
 * package has a kernel or depends on none. The caller frees.
 */
int deb_kernel_dependency(const char *path, char **ret_name, struct error *err);

#endif
