/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder that the embedded QEMU driver lives in.
 */
#ifndef VM_ROOT_H
#define VM_ROOT_H

#include "base/error.h"

/*
 * Makes the folder, resolves its name and locks it for this process. A folder that
 * another process holds is an ERROR_HOST that names it.
 */
int root_open(const char *path, char **ret_root, int *ret_lock_fd, struct error *err);

/*
 * Writes the driver's configuration and finds a name for root that libvirt can use:
 * short enough for UNIX sockets and plain enough for a URI. Where root is not that
 * itself, a link in a temporary folder is made (else *ret_folder is NULL).
 */
int root_prepare(const char *root, char **ret_alias, char **ret_folder,
		 struct error *err);

/* Removes the link, gives the lock back. NULL and -1 are nothing. */
void root_close(const char *alias, const char *folder, int lock_fd);

#endif
