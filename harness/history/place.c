/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "history/workspace_private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { MODE_FILE = 0100644, MODE_PROGRAM = 0100755, MODE_LINK = 0120000 };

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int place_check(const char *path, unsigned mode, struct error *err)
{
	const char *part = path;

	if (mode == 0160000)
		return error_set(err, ERROR_USAGE,
				 "%s is a submodule; trees with submodules are not "
				 "supported",
				 path);
	if (mode != MODE_FILE && mode != MODE_PROGRAM && mode != MODE_LINK)
		return error_set(err, ERROR_USAGE, "%s has the unknown mode %o", path,
				 mode);
	for (;;) {
		size_t length = strcspn(part, "/");

		if (length == 0 || (length == 1 && part[0] == '.') ||
		    (length == 2 && part[0] == '.' && part[1] == '.') ||
		    (length == 4 && !strncasecmp(part, ".git", 4)))
			return error_set(err, ERROR_USAGE,
					 "the tree holds the forbidden path \"%s\"",
					 path);
		if (!part[length])
			return 0;
		part += length + 1;
	}
}

/* No component may be a symbolic link, and none may lead out of the root. */
static int open_inside(int root, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned long long)flags | O_CLOEXEC,
			       .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/* A folder of that name below parent; anything else of the name makes room. */
static int make_folder(int parent, const char *name)
{
	if (mkdirat(parent, name, 0777) == 0)
		return 0;
	if (errno != EEXIST || unlinkat(parent, name, 0))
		return -1;
	return mkdirat(parent, name, 0777);
}

static int make_parents(int root, const char *parent)
{
	CLEANUP(cleanup_free) char *path = memory_copy_string(parent);
	CLEANUP(cleanup_fd) int at = open_inside(root, ".", O_PATH | O_DIRECTORY);
	char *rest = path, *part;

	while (at >= 0 && (part = strsep(&rest, "/"))) {
		int next = open_inside(at, part, O_PATH | O_DIRECTORY);

		if (next < 0 && make_folder(at, part) == 0)
			next = open_inside(at, part, O_PATH | O_DIRECTORY);
		close(at);
		at = next;
	}
	return at < 0 ? -1 : 0;
}

void place_finish(struct place *place)
{
	free(place->parent);
	if (place->parent)
		close(place->parent_fd);
	place->parent = NULL;
}

/* -1 and errno where the folder of path is not there. Neighbours share the descriptor. */
static int enter_parent(struct place *place, const char *path, int create)
{
	size_t length = (size_t)(last_part(path) - path);
	CLEANUP(cleanup_free)
	char *parent =
		length ? memory_copy_bytes(path, length - 1) : memory_copy_string(".");

	if (place->parent && !strcmp(place->parent, parent))
		return 0;
	place_finish(place);
	place->parent_fd = open_inside(place->root, parent, O_PATH | O_DIRECTORY);
	if (place->parent_fd < 0 && create && make_parents(place->root, parent) == 0)
		place->parent_fd = open_inside(place->root, parent, O_PATH | O_DIRECTORY);
	if (place->parent_fd < 0)
		return -1;
	place->parent = TAKE(parent);
	return 0;
}

static int remove_folder_at(int parent, const char *name, const char *path,
			    struct error *err)
{
	CLEANUP(cleanup_free)
	char *whole = memory_format("/proc/self/fd/%d/%s", parent, name);

	if (file_remove_tree(whole, err))
		return error_prefix(err, "%s", path);
	return 0;
}

static int clear_name(struct place *place, const char *path, struct error *err)
{
	const char *name = last_part(path);

	if (unlinkat(place->parent_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno == EISDIR)
		return remove_folder_at(place->parent_fd, name, path, err);
	return error_system(err, "cannot replace %s", path);
}

int place_write(struct place *place, const char *path, unsigned mode, const void *content,
		size_t size, struct stat *ret_status, struct error *err)
{
	const char *name = last_part(path);
	CLEANUP(cleanup_free) char *target = NULL;
	CLEANUP(cleanup_fd) int fd = -1;

	if (enter_parent(place, path, 1))
		return error_system(err, "cannot create the folder of %s", path);
	if (clear_name(place, path, err))
		return -1;
	if (mode == MODE_LINK) {
		target = memory_copy_bytes(content, size);
		if (symlinkat(target, place->parent_fd, name) ||
		    fstatat(place->parent_fd, name, ret_status, AT_SYMLINK_NOFOLLOW))
			return error_system(err, "cannot create the link %s", path);
		return 0;
	}
	fd = openat(place->parent_fd, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    mode == MODE_PROGRAM ? 0777 : 0666);
	if (fd < 0)
		return error_system(err, "cannot create %s", path);
	if (file_write_fd(fd, content, size, path, err))
		return -1;
	if (fstat(fd, ret_status))
		return error_system(err, "cannot create %s", path);
	return 0;
}

static int read_link(struct place *place, const char *path, size_t size,
		     struct text *ret_content)
{
	CLEANUP(cleanup_free) char *target = memory_new(size + 1, 1);
	ssize_t length = readlinkat(place->parent_fd, last_part(path), target, size + 1);

	if (length < 0)
		return -1;
	text_add_bytes(ret_content, target, (size_t)length);
	return 0;
}

static int read_file(struct place *place, const char *path, struct text *ret_content)
{
	CLEANUP(cleanup_fd)
	int fd = openat(place->parent_fd, last_part(path),
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char buffer[65536];
	ssize_t got;

	if (fd < 0)
		return -1;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		text_add_bytes(ret_content, buffer, (size_t)got);
	return got < 0 ? -1 : 0;
}

int place_read(struct place *place, const char *path, struct text *ret_content,
	       struct stat *ret_status, int *ret_found, struct error *err)
{
	int failed;

	text_clear(ret_content);
	*ret_found = 0;
	if (enter_parent(place, path, 0) ||
	    fstatat(place->parent_fd, last_part(path), ret_status, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (S_ISLNK(ret_status->st_mode))
		failed = read_link(place, path, (size_t)ret_status->st_size, ret_content);
	else if (S_ISREG(ret_status->st_mode))
		failed = read_file(place, path, ret_content);
	else
		return 0;
	if (failed && errno != EACCES)
		return error_system(err, "cannot read %s", path);
	*ret_found = !failed;
	return 0;
}

int place_remove(struct place *place, const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	char *slash;

	if (enter_parent(place, path, 0))
		return 0;
	if (unlinkat(place->parent_fd, last_part(path), 0) && errno != ENOENT &&
	    errno != EISDIR)
		return error_system(err, "cannot remove %s", path);
	folder = memory_copy_string(path);
	place_finish(place);
	while ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		if (enter_parent(place, folder, 0) ||
		    unlinkat(place->parent_fd, last_part(folder), AT_REMOVEDIR))
			break;
		place_finish(place);
	}
	return 0;
}
