/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/lease.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEASE_LIMIT = 1 << 20 };

struct kernel_lease {
	char *store;
	char *path; /* NULL: nothing was held yet */
	int fd;     /* locked; -1: the store may not be written */
};

static char *leases_path(const char *store, const char *name)
{
	return memory_format("%s/.leases/%s", store, name);
}

struct kernel_lease *kernel_lease_create(const char *store)
{
	struct kernel_lease *lease = memory_new(1, sizeof(*lease));

	lease->store = memory_copy_string(store);
	lease->fd = -1;
	return lease;
}

void kernel_lease_destroy(struct kernel_lease *lease)
{
	if (!lease)
		return;
	if (lease->fd >= 0) {
		unlink(lease->path);
		close(lease->fd);
	}
	free(lease->path);
	free(lease->store);
	free(lease);
}

static int is_forbidden(void)
{
	return errno == EACCES || errno == EROFS || errno == EPERM;
}

/* The lock of all leases; *ret_fd -1 where the store may not be written. */
static int open_lock(const char *store, int operation, int *ret_fd, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = leases_path(store, "");
	CLEANUP(cleanup_free) char *path = leases_path(store, "lock");
	CLEANUP(cleanup_fd) int fd = -1;

	*ret_fd = -1;
	if (mkdir(folder, 0777) && errno != EEXIST)
		return is_forbidden() ? 0 : error_system(err, "cannot create %s", folder);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return is_forbidden() ? 0 : error_system(err, "cannot open %s", path);
	if (flock(fd, operation))
		return error_system(err, "cannot lock %s", path);
	*ret_fd = fd;
	fd = -1;
	return 0;
}

/* Under the lock of all leases. */
static int make_lease(struct kernel_lease *lease, struct error *err)
{
	CLEANUP(cleanup_free) char *path = leases_path(lease->store, "XXXXXX");
	int fd;

	if (lease->fd >= 0)
		return 0;
	fd = mkostemp(path, O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return error_system(err, "cannot create %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return error_system(err, "cannot lock %s", path);
	}
	lease->path = TAKE(path);
	lease->fd = fd;
	return 0;
}

static int is_there(const char *store, const char *key)
{
	CLEANUP(cleanup_free) char *info = memory_format("%s/%s/info", store, key);

	return file_exists(info);
}

/* Its time is the clock's, which tests may fix; not worth a failure. */
static void mark_used(const char *store, const char *key)
{
	CLEANUP(cleanup_free) char *path = memory_format("%s/%s/used", store, key);
	CLEANUP(cleanup_fd) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	const struct timespec times[2] = {{.tv_sec = clock_now()},
					  {.tv_sec = clock_now()}};

	if (fd >= 0 && futimens(fd, times))
		return;
}

int kernel_lease_hold(struct kernel_lease *lease, const char *key, int *ret_there,
		      struct error *err)
{
	CLEANUP(cleanup_fd) int lock = -1;
	CLEANUP(cleanup_free) char *line = memory_format("%s\n", key);

	*ret_there = is_there(lease->store, key);
	if (!*ret_there)
		return 0;
	if (open_lock(lease->store, LOCK_SH, &lock, err))
		return -1;
	if (lock < 0)
		return 0;
	if (make_lease(lease, err) ||
	    file_write_fd(lease->fd, line, strlen(line), lease->path, err))
		return -1;
	*ret_there = is_there(lease->store, key);
	if (*ret_there)
		mark_used(lease->store, key);
	return 0;
}

/* Keys of a lease whose process lives; the file of a dead one is removed. */
static int read_lease(const char *path, struct text_list *keys, struct error *err)
{
	CLEANUP(text_finish) struct text content = {0};
	CLEANUP(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *rest, *line;

	if (fd < 0)
		return errno == ENOENT ? 0 : error_system(err, "cannot open %s", path);
	if (!flock(fd, LOCK_EX | LOCK_NB)) {
		unlink(path);
		return 0;
	}
	if (file_read(path, LEASE_LIMIT, &content, err))
		return -1;
	for (rest = content.data; (line = strsep(&rest, "\n"));)
		if (*line)
			text_list_add(keys, line);
	return 0;
}

int kernel_lease_list(const char *store, struct text_list *keys, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = leases_path(store, "");
	CLEANUP(text_list_finish) struct text_list names = {0};

	if (!file_exists(folder))
		return 0;
	if (file_list(folder, &names, err))
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = leases_path(store, names.items[i]);

		if (strcmp(names.items[i], "lock") != 0 && read_lease(path, keys, err))
			return -1;
	}
	return 0;
}

/* Out of sight first: what is removed is then nobody's. */
static int move_away(const char *store, const char *key, char **ret_path,
		     struct error *err)
{
	CLEANUP(cleanup_free) char *entry = file_join(store, key);
	CLEANUP(cleanup_free) char *away = memory_format("%s/.old-%s", store, key);

	if (file_remove_tree(away, err))
		return -1;
	if (rename(entry, away) && errno != ENOENT)
		return error_system(err, "cannot remove %s", entry);
	*ret_path = TAKE(away);
	return 0;
}

int kernel_lease_remove(const char *store, const char *key, int *ret_removed,
			struct error *err)
{
	CLEANUP(text_list_finish) struct text_list held = {0};
	CLEANUP(cleanup_free) char *away = NULL;
	CLEANUP(cleanup_fd) int lock = -1;

	if (open_lock(store, LOCK_EX, &lock, err))
		return -1;
	if (lock < 0)
		return error_set(err, ERROR_HOST, "%s may not be written", store);
	if (kernel_lease_list(store, &held, err))
		return -1;
	*ret_removed = !text_list_contains(&held, key);
	if (!*ret_removed)
		return 0;
	if (move_away(store, key, &away, err))
		return -1;
	return file_remove_tree(away, err);
}

int64_t kernel_last_used(const char *store, const char *key)
{
	static const char *const names[] = {"used", "info"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s/%s/%s", store, key, names[i]);
		struct stat status;

		if (!stat(path, &status))
			return status.st_mtime;
	}
	return 0;
}
