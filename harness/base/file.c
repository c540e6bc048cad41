/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

char *file_join(const char *folder, const char *name)
{
	if (name[0] == '/')
		return memory_copy_string(name);
	return memory_format("%s/%s", folder, name);
}

int file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int file_read(const char *path, size_t limit, struct text *text, struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buffer[65536];
	ssize_t got;

	text_clear(text);
	if (fd < 0)
		return error_system(err, "cannot read %s", path);
	while ((got = read(fd, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_system(err, "cannot read %s", path);
		if ((size_t)got > limit - text->size)
			return error_set(err, ERROR_HOST, "%s: larger than %zu bytes",
					 path, limit);
		text_add_bytes(text, buffer, (size_t)got);
	}
	return 0;
}

int file_write_fd(int fd, const void *bytes, size_t length, const char *name,
		  struct error *err)
{
	const char *next = bytes;

	while (length > 0) {
		ssize_t written = write(fd, next, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return error_system(err, "cannot write %s", name);
		next += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Ends a file written beside its target: sync, rename, or leave no litter. */
static int commit(int fd, const char *temporary, const char *path, mode_t mode,
		  struct error *err)
{
	if (fchmod(fd, mode) || fsync(fd) || rename(temporary, path)) {
		error_system(err, "cannot write %s", path);
		unlink(temporary);
		return -1;
	}
	return 0;
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int file_replace(const char *path, const void *bytes, size_t length,
			struct error *err)
{
	CLEANUP(cleanup_free) char *temporary = memory_format("%s.XXXXXX", path);
	CLEANUP(cleanup_fd) int fd = mkostemp(temporary, O_CLOEXEC);

	if (fd < 0)
		return error_system(err, "cannot write %s", path);
	if (file_write_fd(fd, bytes, length, path, err)) {
		unlink(temporary);
		return -1;
	}
	return commit(fd, temporary, path, default_mode(), err);
}

/* A terminal, /dev/null, a pipe: written to, never replaced. Disks are not for this. */
static int write_special(const char *path, mode_t mode, const void *bytes, size_t length,
			 struct error *err)
{
	CLEANUP(cleanup_fd) int fd = -1;

	if (S_ISBLK(mode))
		return error_set(err, ERROR_USAGE, "%s: is a block device; name a file",
				 path);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_system(err, "cannot write %s", path);
	return file_write_fd(fd, bytes, length, path, err);
}

int file_write(const char *path, const void *bytes, size_t length, struct error *err)
{
	struct stat status;

	if (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return write_special(path, status.st_mode, bytes, length, err);
	return file_replace(path, bytes, length, err);
}

static int copy_bytes(int from, int to, const char *from_name, const char *to_name,
		      struct error *err)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(from, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_system(err, "cannot read %s", from_name);
		if (file_write_fd(to, buffer, (size_t)got, to_name, err))
			return -1;
	}
	return 0;
}

int file_copy(const char *from, const char *to, struct error *err)
{
	CLEANUP(cleanup_free) char *temporary = memory_format("%s.XXXXXX", to);
	CLEANUP(cleanup_fd) int source = open(from, O_RDONLY | O_CLOEXEC);
	CLEANUP(cleanup_fd) int target = -1;
	struct stat status;

	if (source < 0 || fstat(source, &status))
		return error_system(err, "cannot read %s", from);
	target = mkostemp(temporary, O_CLOEXEC);
	if (target < 0)
		return error_system(err, "cannot write %s", to);
	if (copy_bytes(source, target, from, to, err)) {
		unlink(temporary);
		return -1;
	}
	return commit(target, temporary, to, status.st_mode & 07777, err);
}

int file_make_folders(const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *copy = memory_copy_string(path);
	struct stat status;

	if (!*copy)
		return error_set(err, ERROR_USAGE, "a folder's name is empty");
	for (char *slash = copy + (copy[0] == '/'); (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		if (*copy && mkdir(copy, 0777) && errno != EEXIST)
			return error_system(err, "cannot create folder %s", copy);
		*slash = '/';
	}
	if (mkdir(copy, 0777) && errno != EEXIST)
		return error_system(err, "cannot create folder %s", copy);
	if (stat(copy, &status))
		return error_system(err, "cannot create folder %s", copy);
	if (!S_ISDIR(status.st_mode))
		return error_set(err, ERROR_HOST, "%s: exists and is no folder", copy);
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path) && errno != ENOENT ? -1 : 0;
}

int file_remove_tree(const char *path, struct error *err)
{
	if (nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) &&
	    errno != ENOENT)
		return error_system(err, "cannot remove %s", path);
	return 0;
}

static uint64_t size_of(const struct stat *status)
{
	enum { BLOCK_BYTES = 512 }; /* st_blocks', whatever the file system's */

	return (uint64_t)status->st_blocks * BLOCK_BYTES;
}

int file_tree_size(const char *path, uint64_t *ret_bytes, struct error *err)
{
	char *const roots[] = {(char *)(uintptr_t)path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	uint64_t bytes = 0;
	FTSENT *entry;

	if (!tree)
		return error_system(err, "cannot list %s", path);
	while ((entry = fts_read(tree)))
		if (entry->fts_info != FTS_DP && entry->fts_info != FTS_NS &&
		    entry->fts_info != FTS_ERR)
			bytes += size_of(entry->fts_statp);
	fts_close(tree);
	*ret_bytes = bytes;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int file_list(const char *folder, struct text_list *names, struct error *err)
{
	CLEANUP(cleanup_dir) DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return error_system(err, "cannot list %s", folder);
	errno = 0;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			text_list_add(names, entry->d_name);
	if (errno)
		return error_system(err, "cannot list %s", folder);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	return 0;
}

int file_free_space(const char *path, uint64_t *ret_bytes, struct error *err)
{
	struct statvfs status;

	if (statvfs(path, &status))
		return error_system(err, "cannot tell the free space of %s", path);
	*ret_bytes = (uint64_t)status.f_bavail * status.f_frsize;
	return 0;
}

int file_make_temporary_folder(const char *prefix, char **ret_path, struct error *err)
{
	CLEANUP(cleanup_free) char *path = memory_format("%sXXXXXX", prefix);

	if (!mkdtemp(path))
		return error_system(err, "cannot create a folder %s", path);
	*ret_path = TAKE(path);
	return 0;
}
