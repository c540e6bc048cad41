/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for QEMU processes that came to us as the subreaper.
 *
 * QEMU daemonizes, so it becomes our child and stays a zombie until reaped; libvirt
 * takes a zombie for a living process and waits for it, for seconds. A thread waits
 * for exactly the pids that it was told of. Every call may come from any thread.
 */
#ifndef VM_REAPER_H
#define VM_REAPER_H

#include "base/error.h"

#include <sys/types.h>

struct reaper;

int reaper_start(struct reaper **ret_reaper, struct error *err);
/* Ends the thread; children that still run stay. Takes NULL. */
void reaper_stop(struct reaper *reaper);

/* Takes pid, where it is a child of ours and not known yet. */
void reaper_take(struct reaper *reaper, pid_t pid);

/* Whether pid ended, with its wait status; -1 for "not that we know". */
int reaper_ended(struct reaper *reaper, pid_t pid, int *ret_status);

/* SIGKILL to a pid that was taken and has not ended; -1 for any other. */
int reaper_kill(struct reaper *reaper, pid_t pid);

/* The status of pid is no longer of interest. */
void reaper_forget(struct reaper *reaper, pid_t pid);

/*
 * While watching, pid files in the folders of the driver's root are looked for all the
 * time, so that a QEMU that libvirt starts and ends inside one call is reaped too: the
 * probes and the guests that do not start. Calls nest.
 */
void reaper_watch(struct reaper *reaper, const char *root);
void reaper_unwatch(struct reaper *reaper);

#endif
