/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pid files that QEMU leaves in the root's folders, and whether their process is
 * still that QEMU.
 */
#ifndef VM_PIDFILE_H
#define VM_PIDFILE_H

#include <sys/types.h>

/* The pid in the file; 0 where there is none. */
pid_t pidfile_read(const char *path);

/*
 * Whether process pid is the QEMU of guest name with that uuid: both stand in its
 * arguments. Anything unclear is a no.
 */
int pidfile_is_guest(pid_t pid, const char *name, const char *uuid);

/* Whether process pid has the end of its pid file's path in its arguments. */
int pidfile_is_named(pid_t pid, const char *path_end);

#endif
