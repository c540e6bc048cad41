/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/mount.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static unsigned long find_flag(const char *option)
{
	static const struct {
		const char *name;
		unsigned long flag;
	} flags[] = {
		{"noatime", MS_NOATIME},   {"nodiratime", MS_NODIRATIME},
		{"relatime", MS_RELATIME}, {"strictatime", MS_STRICTATIME},
		{"sync", MS_SYNCHRONOUS},  {"dirsync", MS_DIRSYNC},
		{"lazytime", MS_LAZYTIME}, {"ro", MS_RDONLY},
		{"nosuid", MS_NOSUID},     {"nodev", MS_NODEV},
		{"noexec", MS_NOEXEC},
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (!strcmp(flags[i].name, option))
			return flags[i].flag;
	return 0;
}

unsigned long mount_split_options(const char *options, char *ret_data, size_t size)
{
	char copy[JOB_LABEL_SIZE], *rest = copy, *option;
	unsigned long flags = 0, flag;
	size_t used = 0;

	snprintf(copy, sizeof(copy), "%s", options);
	ret_data[0] = '\0';
	while ((option = strsep(&rest, ","))) {
		flag = find_flag(option);
		flags |= flag;
		if (flag || !*option || used + strlen(option) + 2 > size)
			continue;
		used += (size_t)snprintf(ret_data + used, size - used, "%s%s",
					 used ? "," : "", option);
	}
	return flags;
}

int mount_disk(struct disk *disk, const struct job_case *job_case, size_t index,
	       struct failure *failure)
{
	char data[JOB_LABEL_SIZE], path[DISK_PATH_SIZE];
	unsigned long flags =
		mount_split_options(job_case->mount_options, data, sizeof(data));

	snprintf(path, sizeof(path), "/mnt/%zu", index);
	if (mkdir(path, 0755) && errno != EEXIST)
		return failure_system(failure, "mkdir", path, 0);
	if (mount(disk->path, path, job_filesystem_name(job_case->filesystem), flags,
		  data))
		return failure_system(failure, "mount", disk->job->name, 0);
	strcpy(disk->mount, path);
	return 0;
}

int mount_take_down(struct disk *disk, struct failure *failure)
{
	if (!disk->mount[0])
		return 0;
	if (umount2(disk->mount, 0))
		return failure_system(failure, "umount", disk->job->name, 0);
	disk->mount[0] = '\0';
	return 0;
}
