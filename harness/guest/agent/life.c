/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/life.h"

#include "guest/agent/sysfs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t count_requests(const struct disk *disks, size_t count)
{
	struct disk_counters counters;
	struct failure ignored;
	uint64_t requests = 0;

	for (size_t i = 0; i < count; i++)
		if (!disk_read_counters(&disks[i], &counters, &ignored))
			for (int k = 0; k < counters.count; k++)
				/* Those two are times: they go on while a request is
				 * stuck. */
				requests += k == 9 || k == 10 ? 0 : counters.value[k];
	return requests;
}

/* The 14th field of a stat file; names of programs may hold blanks and brackets. */
static uint64_t user_time(const char *name)
{
	char path[64], line[512], *at;
	int field = 2;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", name);
	if (sysfs_read(path, line, sizeof(line)))
		return 0;
	at = strrchr(line, ')');
	while (at && field++ < 14)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static uint64_t count_user_time(void)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	uint64_t user = 0;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    strtoul(entry->d_name, NULL, 10) != (unsigned long)getpid())
			user += user_time(entry->d_name);
	if (folder)
		closedir(folder);
	return user;
}

int life_moved(struct life *life, const struct disk *disks, size_t count,
	       uint64_t progress)
{
	uint64_t requests = count_requests(disks, count), user;

	if (requests != life->requests || progress != life->progress) {
		life->requests = requests;
		life->progress = progress;
		return 1;
	}
	user = count_user_time();
	if (user == life->user)
		return 0;
	life->user = user;
	return 1;
}
