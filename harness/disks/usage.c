/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/usage.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <fcntl.h>
#include <libmount/libmount.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static void cleanup_table(struct libmnt_table **table)
{
	mnt_unref_table(*table);
}

void disk_mounts_finish(struct disk_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		free(mounts->items[i].device);
		free(mounts->items[i].target);
	}
	free(mounts->items);
	*mounts = (struct disk_mounts){0};
}

static void add_mount(struct disk_mounts *mounts, const char *device, const char *target,
		      int own)
{
	for (size_t i = 0; i < mounts->count; i++)
		if (!strcmp(mounts->items[i].device, device) &&
		    !strcmp(mounts->items[i].target, target)) {
			mounts->items[i].own |= own;
			return;
		}
	mounts->items = memory_grow(mounts->items, mounts->count, &mounts->capacity,
				    sizeof(*mounts->items));
	mounts->items[mounts->count++] = (struct disk_mount){
		memory_copy_string(device), memory_copy_string(target), own};
}

/* The last part of a name below /dev, links followed where they lead somewhere. */
static char *device_name(const struct disk_roots *roots, const char *source)
{
	size_t length = strlen(roots->dev);
	char real[PATH_MAX];

	if (!source || strncmp(source, roots->dev, length) || source[length] != '/')
		return NULL;
	if (!realpath(source, real))
		snprintf(real, sizeof(real), "%s", source);
	return memory_copy_string(strrchr(real, '/') + 1);
}

static char *mounted_device(const struct disk_roots *roots, struct libmnt_fs *fs)
{
	dev_t number = mnt_fs_get_devno(fs);
	char *name = major(number) ? block_find(roots, number) : NULL;

	return name ? name : device_name(roots, mnt_fs_get_source(fs));
}

static int read_table(const struct disk_roots *roots, const char *path, int own,
		      const struct text_list *devices, struct disk_mounts *mounts)
{
	CLEANUP(cleanup_table) struct libmnt_table *table = mnt_new_table_from_file(path);
	struct libmnt_iter *iterator = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;

	while (table && iterator && mnt_table_next_fs(table, iterator, &fs) == 0) {
		CLEANUP(cleanup_free) char *device = mounted_device(roots, fs);
		const char *target = mnt_fs_get_target(fs);

		if (device && text_list_contains(devices, device))
			add_mount(mounts, device, target ? target : "?", own);
	}
	mnt_free_iter(iterator);
	return table ? 0 : -1;
}

static int is_number(const char *name)
{
	return *name && name[strspn(name, "0123456789")] == '\0';
}

/* What tells a mount namespace from others; one of another kind of /proc is unknown. */
static char *namespace_of(const struct disk_roots *roots, const char *pid)
{
	CLEANUP(cleanup_free)
	char *path = memory_format("%s/%s/ns/mnt", roots->proc, pid);
	char target[64];
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	return length < 0 ? memory_format("process %s", pid)
			  : memory_copy_bytes(target, (size_t)length);
}

int disk_mounts_read(const struct disk_roots *roots, const struct text_list *devices,
		     struct disk_mounts *mounts, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list entries = {0};
	CLEANUP(text_list_finish) struct text_list seen = {0};
	CLEANUP(cleanup_free) char *self = namespace_of(roots, "self");
	CLEANUP(cleanup_free) char *init = namespace_of(roots, "1");

	if (file_list(roots->proc, &entries, err))
		return -1;
	text_list_add(&entries, "self");
	for (size_t i = 0; i < entries.count; i++) {
		CLEANUP(cleanup_free) char *space = NULL;
		CLEANUP(cleanup_free) char *path = NULL;

		if (!is_number(entries.items[i]) && strcmp(entries.items[i], "self"))
			continue;
		space = namespace_of(roots, entries.items[i]);
		if (text_list_contains(&seen, space))
			continue;
		path = memory_format("%s/%s/mountinfo", roots->proc, entries.items[i]);
		if (!read_table(roots, path, !strcmp(space, self) || !strcmp(space, init),
				devices, mounts))
			text_list_add(&seen, space);
	}
	if (!seen.count)
		return error_set(err, ERROR_HOST, "%s shows no mounts", roots->proc);
	return 0;
}

int disk_swaps_read(const struct disk_roots *roots, struct text_list *swaps,
		    struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(roots->proc, "swaps");
	CLEANUP(cleanup_table) struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iterator = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;

	/* A kernel without swap has no such file. */
	if (file_exists(path) && mnt_table_parse_swaps(table, path)) {
		mnt_free_iter(iterator);
		return error_set(err, ERROR_HOST, "%s cannot be read", path);
	}
	while (mnt_table_next_fs(table, iterator, &fs) == 0) {
		const char *source = mnt_fs_get_source(fs);
		CLEANUP(cleanup_free) char *device = device_name(roots, source);

		if (device || source)
			text_list_add(swaps, device ? device : source);
	}
	mnt_free_iter(iterator);
	return 0;
}

/* --- open descriptors */

void disk_holders_finish(struct disk_holders *holders)
{
	for (size_t i = 0; i < holders->count; i++)
		free(holders->items[i].name);
	free(holders->items);
	*holders = (struct disk_holders){0};
}

static int is_node(const struct statx *status, const struct disk_node *node)
{
	if (node->device)
		return (S_ISBLK(status->stx_mode) || S_ISCHR(status->stx_mode)) &&
		       makedev(status->stx_rdev_major, status->stx_rdev_minor) ==
			       node->device;
	return S_ISREG(status->stx_mode) && status->stx_ino == node->inode &&
	       makedev(status->stx_dev_major, status->stx_dev_minor) == node->file_system;
}

/*
 * Sockets, pipes and the like are not asked: a link to a file starts with a slash. Nor is
 * a server of a network file system, which may not answer.
 */
static int is_any(const char *path, const struct disk_node *nodes, size_t count)
{
	struct statx status;
	char target[2];

	if (readlink(path, target, sizeof(target)) < 1 || target[0] != '/' ||
	    statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &status))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (is_node(&status, &nodes[i]))
			return 1;
	return 0;
}

static int is_writing(const struct disk_roots *roots, const char *pid, const char *fd)
{
	CLEANUP(cleanup_free)
	char *path = memory_format("%s/%s/fdinfo/%s", roots->proc, pid, fd);
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;
	const char *flags;

	if (file_read(path, 1 << 16, &text, &unused))
		return 1;
	flags = strstr(text_string(&text), "flags:");
	return !flags || (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != 0;
}

/* "-name guest=NAME,..." of a QEMU that libvirt started, or "-name NAME". */
static char *guest_name(const char *arguments, size_t size)
{
	static const char option[] = "-name", key[] = "guest=";
	const char *end = arguments + size;

	for (const char *at = arguments; at < end; at += strlen(at) + 1) {
		const char *value = at + strlen(at) + 1;

		if (strcmp(at, option) || value >= end)
			continue;
		if (!strncmp(value, key, strlen(key)))
			value += strlen(key);
		return memory_copy_bytes(value, strcspn(value, ","));
	}
	return NULL;
}

static char *describe(const struct disk_roots *roots, const char *pid)
{
	CLEANUP(cleanup_free)
	char *name_path = memory_format("%s/%s/comm", roots->proc, pid);
	CLEANUP(cleanup_free)
	char *arguments_path = memory_format("%s/%s/cmdline", roots->proc, pid);
	CLEANUP(text_finish) struct text name = {0};
	CLEANUP(text_finish) struct text arguments = {0};
	CLEANUP(cleanup_free) char *guest = NULL;
	struct error unused;

	file_read(name_path, 256, &name, &unused);
	if (!file_read(arguments_path, 1 << 20, &arguments, &unused) && arguments.size)
		guest = guest_name(arguments.data, arguments.size);
	if (name.size)
		name.data[strcspn(name.data, "\n")] = '\0';
	if (guest && strstr(text_string(&name), "qemu"))
		return memory_format("guest %s of %s", guest, text_string(&name));
	return memory_copy_string(name.size ? text_string(&name) : "?");
}

static void look_into(const struct disk_roots *roots, const char *pid,
		      const struct disk_node *nodes, size_t count,
		      struct disk_holders *holders)
{
	CLEANUP(cleanup_free) char *folder = memory_format("%s/%s/fd", roots->proc, pid);
	CLEANUP(text_list_finish) struct text_list entries = {0};
	struct error unused;
	int found = 0, writes = 0;
	uint64_t number;

	if (number_parse_unsigned(pid, &number) || file_list(folder, &entries, &unused))
		return;
	for (size_t i = 0; i < entries.count; i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, entries.items[i]);

		if (!is_any(path, nodes, count))
			continue;
		found = 1;
		writes |= is_writing(roots, pid, entries.items[i]);
	}
	if (!found)
		return;
	holders->items = memory_grow(holders->items, holders->count, &holders->capacity,
				     sizeof(*holders->items));
	holders->items[holders->count++] =
		(struct disk_holder){(pid_t)number, writes, describe(roots, pid)};
}

void disk_holders_find(const struct disk_roots *roots, const struct disk_node *nodes,
		       size_t count, struct disk_holders *holders)
{
	CLEANUP(text_list_finish) struct text_list entries = {0};
	CLEANUP(cleanup_free) char *self = memory_format("%d", (int)getpid());
	struct error unused;

	if (file_list(roots->proc, &entries, &unused))
		return;
	for (size_t i = 0; i < entries.count; i++)
		if (is_number(entries.items[i]) && strcmp(entries.items[i], self))
			look_into(roots, entries.items[i], nodes, count, holders);
}
