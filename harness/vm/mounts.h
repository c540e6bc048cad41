/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that this process and its children shall see otherwise than the host: bind
 * mounts in a mount namespace of our own. The host sees nothing of it, and it ends
 * with the processes.
 */
#ifndef VM_MOUNTS_H
#define VM_MOUNTS_H

#include "base/error.h"

/*
 * Puts the file cover over path, read-only. Without the right to mount, an ordinary
 * user gets a user namespace of its own as well, in which all ids stay as they are.
 * Needs a process with one thread, for only threads made later see the covers.
 */
int mounts_cover(const char *path, const char *cover, struct error *err);

#endif
