/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/mounts.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int write_line(const char *path, const char *line)
{
	CLEANUP(cleanup_fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct error unused;

	return fd < 0 ? -1 : file_write_fd(fd, line, strlen(line), path, &unused);
}

/* Our own ids, mapped onto themselves: files and rights stay what they are. */
static int map_own_ids(uid_t user, gid_t group)
{
	CLEANUP(cleanup_free) char *users = memory_format("%u %u 1\n", user, user);
	CLEANUP(cleanup_free) char *groups = memory_format("%u %u 1\n", group, group);

	if (write_line("/proc/self/setgroups", "deny\n") ||
	    write_line("/proc/self/uid_map", users))
		return -1;
	return write_line("/proc/self/gid_map", groups);
}

/* A further namespace inside the first costs nothing: covers are inherited. */
static int own_namespace(void)
{
	uid_t user = geteuid();
	gid_t group = getegid();

	if (unshare(CLONE_NEWNS) == 0)
		return 0;
	if (user == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return -1;
	return map_own_ids(user, group);
}

int mounts_cover(const char *path, const char *cover, struct error *err)
{
	if (own_namespace())
		return error_system(err, "a private mount namespace is not allowed");
	/* Slave: what the host mounts and unmounts later still reaches us. */
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) ||
	    mount(cover, path, NULL, MS_BIND, NULL))
		return error_system(err, "cannot put %s over %s", cover, path);
	if (mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID, NULL))
		return error_system(err, "cannot make %s read-only", path);
	return 0;
}
