/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mounts the disks of a case below /mnt and takes them down again. */
#ifndef AGENT_MOUNT_H
#define AGENT_MOUNT_H

#include "guest/agent/disk.h"
#include "guest/agent/failure.h"
#include "guest/job.h"

/* At /mnt/INDEX, with the file system and the mount options of the case. */
int mount_disk(struct disk *disk, const struct job_case *job_case, size_t index,
	       struct failure *failure);

/* Does nothing for a disk that is not mounted. */
int mount_take_down(struct disk *disk, struct failure *failure);

/* Cuts "noatime,data=ordered" into mount flags and what the file system is told. */
unsigned long mount_split_options(const char *options, char *ret_data, size_t size);

#endif
