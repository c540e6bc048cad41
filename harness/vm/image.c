/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/image.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kernel gives up on longer names. */
enum { NAME_LIMIT = PATH_MAX - 1 };

/* Files are read whole; more than this is a mistake for an initramfs. */
#define FILE_LIMIT ((size_t)1 << 30)

#define TRAILER "TRAILER!!!"

struct entry {
	char *name;
	mode_t mode;
	struct text bytes; /* content, or a link's target */
	unsigned major, minor;
};

struct image {
	struct entry *entries;
	size_t count;
	size_t capacity;
};

struct image *image_create(void)
{
	return memory_new(1, sizeof(struct image));
}

void image_destroy(struct image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->count; i++) {
		free(image->entries[i].name);
		text_finish(&image->entries[i].bytes);
	}
	free(image->entries);
	free(image);
}

static int check_name(const char *name, struct error *err)
{
	size_t length = strlen(name);

	if (length == 0 || length > NAME_LIMIT || name[0] == '/' ||
	    !strcmp(name, TRAILER))
		return error_set(err, ERROR_USAGE, "guest image: bad name '%.200s'",
				 name);
	for (const char *part = name; part; part = strchr(part, '/')) {
		size_t size;

		part += *part == '/';
		size = strcspn(part, "/");
		if (size == 0 || (size == 1 && part[0] == '.') ||
		    (size == 2 && part[0] == '.' && part[1] == '.'))
			return error_set(err, ERROR_USAGE,
					 "guest image: bad name '%.200s'", name);
	}
	return 0;
}

static struct entry *find(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->count; i++)
		if (!strcmp(image->entries[i].name, name))
			return &image->entries[i];
	return NULL;
}

static struct entry *append(struct image *image, const char *name, mode_t mode)
{
	struct entry *entry;

	image->entries = memory_grow(image->entries, image->count, &image->capacity,
				     sizeof(*image->entries));
	entry = &image->entries[image->count++];
	*entry = (struct entry){.name = memory_copy_string(name), .mode = mode};
	return entry;
}

/* A kernel unpacks in order: without its folder a file is silently left out. */
static int add_parents(struct image *image, const char *name, struct error *err)
{
	CLEANUP(cleanup_free) char *parent = memory_copy_string(name);

	for (char *slash = parent; (slash = strchr(slash, '/')); slash++) {
		const struct entry *above;

		*slash = '\0';
		above = find(image, parent);
		if (above && !S_ISDIR(above->mode))
			return error_set(
				err, ERROR_USAGE,
				"guest image: '%s' lies below '%s', which is no folder",
				name, parent);
		if (!above)
			append(image, parent, S_IFDIR | 0755);
		*slash = '/';
	}
	return 0;
}

static int add(struct image *image, const char *name, mode_t mode,
	       struct entry **ret_entry, struct error *err)
{
	if (check_name(name, err) || add_parents(image, name, err))
		return -1;
	if (find(image, name))
		return error_set(err, ERROR_USAGE, "guest image: '%s' twice", name);
	*ret_entry = append(image, name, mode);
	return 0;
}

int image_add_folder(struct image *image, const char *name, mode_t mode,
		     struct error *err)
{
	struct entry *entry = find(image, name);

	if (entry && S_ISDIR(entry->mode)) {
		entry->mode = S_IFDIR | (mode & 07777);
		return 0;
	}
	return add(image, name, S_IFDIR | (mode & 07777), &entry, err);
}

int image_add_bytes(struct image *image, const char *name, mode_t mode, const void *bytes,
		    size_t length, struct error *err)
{
	struct entry *entry;

	if (length > FILE_LIMIT)
		return error_set(err, ERROR_USAGE, "guest image: '%s' is too large",
				 name);
	if (add(image, name, S_IFREG | (mode & 07777), &entry, err))
		return -1;
	text_add_bytes(&entry->bytes, bytes, length);
	return 0;
}

int image_add_file(struct image *image, const char *name, mode_t mode, const char *source,
		   struct error *err)
{
	CLEANUP(text_finish) struct text bytes = {0};
	struct entry *entry;
	struct stat status;

	if (stat(source, &status))
		return error_system(err, "cannot read %s", source);
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_USAGE, "%s: not a regular file", source);
	if (file_read(source, FILE_LIMIT, &bytes, err) ||
	    add(image, name, S_IFREG | ((mode ? mode : status.st_mode) & 07777), &entry,
		err))
		return -1;
	entry->bytes = bytes;
	bytes = (struct text){0};
	return 0;
}

int image_add_link(struct image *image, const char *name, const char *target,
		   struct error *err)
{
	struct entry *entry;

	if (!*target || strlen(target) > NAME_LIMIT)
		return error_set(err, ERROR_USAGE, "guest image: '%s': bad link", name);
	if (add(image, name, S_IFLNK | 0777, &entry, err))
		return -1;
	text_add(&entry->bytes, target);
	return 0;
}

int image_add_node(struct image *image, const char *name, mode_t mode, unsigned major,
		   unsigned minor, struct error *err)
{
	struct entry *entry;

	if (add(image, name, mode, &entry, err))
		return -1;
	entry->major = major;
	entry->minor = minor;
	return 0;
}

int image_add_base(struct image *image, struct error *err)
{
	static const char *const folders[] = {"dev", "proc", "sys", "tmp", "run", NULL};

	for (size_t i = 0; folders[i]; i++)
		if (image_add_folder(image, folders[i], 0755, err))
			return -1;
	if (image_add_node(image, "dev/console", S_IFCHR | 0600, 5, 1, err))
		return -1;
	return image_add_node(image, "dev/null", S_IFCHR | 0666, 1, 3, err);
}

/* One of the format's header lines, with the name and the padding behind it. */
static void add_header(struct text *out, const struct entry *entry, unsigned inode)
{
	static const char zeros[4] = "";
	size_t name_size = strlen(entry->name) + 1;
	size_t header;

	text_format(out, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		    inode, (unsigned)entry->mode, 0U, 0U, 1U, 0U,
		    (unsigned)entry->bytes.size, 0U, 0U, entry->major, entry->minor,
		    (unsigned)name_size, 0U);
	text_add_bytes(out, entry->name, name_size);
	header = 110 + name_size;
	text_add_bytes(out, zeros, -header & 3);
}

static int write_entry(int fd, const struct entry *entry, unsigned inode,
		       const char *path, struct error *err)
{
	static const char zeros[4] = "";
	CLEANUP(text_finish) struct text header = {0};
	size_t size = entry->bytes.size;

	add_header(&header, entry, inode);
	if (file_write_fd(fd, header.data, header.size, path, err) ||
	    file_write_fd(fd, entry->bytes.data, size, path, err))
		return -1;
	return file_write_fd(fd, zeros, -size & 3, path, err);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct entry *const *)a)->name,
		      (*(const struct entry *const *)b)->name);
}

static int write_entries(int fd, const struct image *image, const char *path,
			 struct error *err)
{
	CLEANUP(cleanup_free)
	const struct entry **sorted = memory_new(image->count + 1, sizeof(*sorted));
	struct entry trailer = {.name = (char *)TRAILER};

	for (size_t i = 0; i < image->count; i++)
		sorted[i] = &image->entries[i];
	qsort(sorted, image->count, sizeof(*sorted), by_name);
	for (size_t i = 0; i < image->count; i++)
		if (write_entry(fd, sorted[i], (unsigned)i + 1, path, err))
			return -1;
	return write_entry(fd, &trailer, 0, path, err);
}

/* Not synced: an image is made anew for its boot, and that must not wait for a disk. */
int image_write(const struct image *image, const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *temporary = memory_format("%s.XXXXXX", path);
	CLEANUP(cleanup_fd) int fd = mkostemp(temporary, O_CLOEXEC);

	if (fd < 0)
		return error_system(err, "cannot write %s", path);
	if (write_entries(fd, image, path, err)) {
		unlink(temporary);
		return -1;
	}
	if (fchmod(fd, 0644) || rename(temporary, path)) {
		error_system(err, "cannot write %s", path);
		unlink(temporary);
		return -1;
	}
	return 0;
}
