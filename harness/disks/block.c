/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/block.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

enum { SECTOR = 512, ATTRIBUTE_LIMIT = 1 << 16 };

const struct disk_roots disk_roots_host = {"/sys", "/proc", "/dev"};

void block_finish(struct block *block)
{
	free(block->name);
	free(block->whole);
	free(block->model);
	free(block->firmware);
	free(block->serial);
	free(block->transport);
	free(block->scheduler);
	free(block->write_cache);
	free(block->backing);
	*block = (struct block){0};
}

static int list(const char *folder, struct text_list *names)
{
	struct error unused;

	return file_exists(folder) ? file_list(folder, names, &unused) : 0;
}

/* The disk that has a partition of that name; NULL where the name is a disk's. */
static char *find_whole(const struct disk_roots *roots, const char *name)
{
	CLEANUP(cleanup_free) char *folder = file_join(roots->sys, "block");
	CLEANUP(text_list_finish) struct text_list disks = {0};

	list(folder, &disks);
	for (size_t i = 0; i < disks.count; i++) {
		CLEANUP(cleanup_free)
		char *path =
			memory_format("%s/%s/%s/partition", folder, disks.items[i], name);

		if (file_exists(path))
			return memory_copy_string(disks.items[i]);
	}
	return NULL;
}

static char *folder_of(const struct disk_roots *roots, const char *whole,
		       const char *name)
{
	return memory_format("%s/block/%s%s%s", roots->sys, whole ? whole : "",
			     whole ? "/" : "", name);
}

/* Without blanks around it; "" where there is no such attribute. The caller frees. */
static char *attribute(const char *folder, const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;
	size_t start, length;

	if (file_read(path, ATTRIBUTE_LIMIT, &text, &unused))
		return memory_copy_string("");
	start = strspn(text_string(&text), " \n");
	length = strcspn(text_string(&text) + start, "\n");
	while (length && text.data[start + length - 1] == ' ')
		length--;
	return memory_copy_bytes(text_string(&text) + start, length);
}

static uint64_t number(const char *folder, const char *name)
{
	CLEANUP(cleanup_free) char *value = attribute(folder, name);
	uint64_t number = 0;

	return number_parse_unsigned(value, &number) ? 0 : number;
}

/* The first of some attributes that says anything. */
static char *first_of(const char *folder, const char *const *names)
{
	for (; *names; names++) {
		char *value = attribute(folder, *names);

		if (*value)
			return value;
		free(value);
	}
	return memory_copy_string("");
}

/* SCSI keeps the serial in a page: four bytes, the last one its length. */
static char *serial_page(const char *folder)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "device/vpd_pg80");
	CLEANUP(text_finish) struct text page = {0};
	struct error unused;
	size_t start = 4, end;

	if (file_read(path, ATTRIBUTE_LIMIT, &page, &unused) || page.size < start)
		return memory_copy_string("");
	end = start + (unsigned char)page.data[3];
	if (end > page.size)
		end = page.size;
	while (start < end && page.data[start] == ' ')
		start++;
	while (end > start && (page.data[end - 1] == ' ' || !page.data[end - 1]))
		end--;
	return memory_copy_bytes(page.data + start, end - start);
}

static char *read_serial(const char *folder)
{
	static const char *const names[] = {"serial", "device/serial", NULL};
	char *serial = first_of(folder, names);

	if (*serial)
		return serial;
	free(serial);
	return serial_page(folder);
}

/* "mq-deadline kyber [none]" is none. */
static char *read_scheduler(const char *folder)
{
	CLEANUP(cleanup_free) char *line = attribute(folder, "queue/scheduler");
	const char *start = strchr(line, '[');

	if (!start)
		return TAKE(line);
	return memory_copy_bytes(start + 1, strcspn(start + 1, "]"));
}

/* The kind of bus, by the path that sysfs gives the device. */
static char *read_transport(const char *folder)
{
	static const struct {
		const char *part, *name;
	} kinds[] = {
		{"/virtual/", "virtual"}, {"/usb", "usb"},  {"/nvme/", "nvme"},
		{"/virtio", "virtio"},    {"/ata", "sata"}, {"/host", "scsi"},
		{"/mmc", "mmc"},
	};
	char real[PATH_MAX];

	if (!realpath(folder, real))
		return memory_copy_string("");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strstr(real, kinds[i].part))
			return memory_copy_string(kinds[i].name);
	return memory_copy_string("");
}

static dev_t read_number(const char *folder)
{
	CLEANUP(cleanup_free) char *text = attribute(folder, "dev");
	unsigned major, minor;

	return sscanf(text, "%u:%u", &major, &minor) == 2 ? makedev(major, minor) : 0;
}

/* A partition has its size and its place; all else is its disk's. */
static void fill(const char *folder, const char *disk, struct block *block)
{
	static const char *const models[] = {"device/model", NULL};
	static const char *const firmwares[] = {"device/rev", "device/firmware_rev",
						NULL};

	block->number = read_number(folder);
	block->size = number(folder, "size") * SECTOR;
	block->read_only = number(folder, "ro") || number(disk, "ro");
	block->rotational = (int)number(disk, "queue/rotational");
	block->logical_block = number(disk, "queue/logical_block_size");
	block->physical_block = number(disk, "queue/physical_block_size");
	block->queue_depth = number(disk, "device/queue_depth");
	if (!block->queue_depth)
		block->queue_depth = number(disk, "queue/nr_requests");
	block->model = first_of(disk, models);
	block->firmware = first_of(disk, firmwares);
	block->serial = read_serial(disk);
	block->transport = read_transport(disk);
	block->scheduler = read_scheduler(disk);
	block->write_cache = attribute(disk, "queue/write_cache");
	block->backing = attribute(disk, "loop/backing_file");
	if (!*block->backing) {
		free(block->backing);
		block->backing = NULL;
	}
}

int block_read(const struct disk_roots *roots, const char *name, struct block *ret_block,
	       struct error *err)
{
	CLEANUP(cleanup_free) char *whole = find_whole(roots, name);
	CLEANUP(cleanup_free) char *folder = folder_of(roots, whole, name);
	CLEANUP(cleanup_free) char *disk = folder_of(roots, NULL, whole ? whole : name);

	if (!file_exists(folder))
		return error_set(err, ERROR_HOST, "there is no block device %s", name);
	*ret_block = (struct block){.name = memory_copy_string(name)};
	fill(folder, disk, ret_block);
	ret_block->whole = TAKE(whole);
	return 0;
}

char *block_find(const struct disk_roots *roots, dev_t device)
{
	CLEANUP(cleanup_free)
	char *path = memory_format("%s/dev/block/%u:%u", roots->sys, major(device),
				   minor(device));
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	const char *slash;

	if (length < 0)
		return NULL;
	target[length] = '\0';
	slash = strrchr(target, '/');
	return memory_copy_string(slash ? slash + 1 : target);
}

static void add_partitions(const struct disk_roots *roots, const char *disk,
			   struct text_list *names)
{
	CLEANUP(cleanup_free) char *folder = folder_of(roots, NULL, disk);
	CLEANUP(text_list_finish) struct text_list entries = {0};

	list(folder, &entries);
	for (size_t i = 0; i < entries.count; i++) {
		CLEANUP(cleanup_free)
		char *mark = memory_format("%s/%s/partition", folder, entries.items[i]);

		if (file_exists(mark) && !text_list_contains(names, entries.items[i]))
			text_list_add(names, entries.items[i]);
	}
}

int block_list(const struct disk_roots *roots, struct text_list *names, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = file_join(roots->sys, "block");
	CLEANUP(text_list_finish) struct text_list disks = {0};

	if (file_list(folder, &disks, err))
		return -1;
	for (size_t i = 0; i < disks.count; i++) {
		CLEANUP(cleanup_free) char *disk = file_join(folder, disks.items[i]);

		if (!number(disk, "size"))
			continue;
		text_list_add(names, disks.items[i]);
		add_partitions(roots, disks.items[i], names);
	}
	return 0;
}

static void add_names(const char *folder, struct text_list *names)
{
	CLEANUP(text_list_finish) struct text_list entries = {0};

	list(folder, &entries);
	for (size_t i = 0; i < entries.count; i++)
		if (!text_list_contains(names, entries.items[i]))
			text_list_add(names, entries.items[i]);
}

/* A loop device is no holder in sysfs: only its backing file tells. */
static void add_loops(const struct disk_roots *roots, const char *name,
		      struct text_list *names)
{
	CLEANUP(cleanup_free) char *blocks = file_join(roots->sys, "block");
	CLEANUP(cleanup_free) char *path = file_join(roots->dev, name);
	CLEANUP(text_list_finish) struct text_list disks = {0};

	list(blocks, &disks);
	for (size_t i = 0; i < disks.count; i++) {
		CLEANUP(cleanup_free) char *disk = file_join(blocks, disks.items[i]);
		CLEANUP(cleanup_free)
		char *backing = attribute(disk, "loop/backing_file");

		if (!strcmp(backing, path) && !text_list_contains(names, disks.items[i]))
			text_list_add(names, disks.items[i]);
	}
}

/* A loop device may stand on a disk as well as on a file. */
static void add_backing(const struct disk_roots *roots, const char *folder,
			struct text_list *names)
{
	CLEANUP(cleanup_free) char *backing = attribute(folder, "loop/backing_file");
	size_t length = strlen(roots->dev);

	if (!strncmp(backing, roots->dev, length) && backing[length] == '/' &&
	    !text_list_contains(names, backing + length + 1))
		text_list_add(names, backing + length + 1);
}

static void add_relatives(const struct disk_roots *roots, const char *name,
			  struct text_list *names)
{
	static const char *const relations[] = {"holders", "slaves"};
	CLEANUP(cleanup_free) char *whole = find_whole(roots, name);
	CLEANUP(cleanup_free) char *folder = folder_of(roots, whole, name);

	if (whole && !text_list_contains(names, whole))
		text_list_add(names, whole);
	if (!whole)
		add_partitions(roots, name, names);
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, relations[i]);

		add_names(path, names);
	}
	add_backing(roots, folder, names);
	add_loops(roots, name, names);
}

int block_family(const struct disk_roots *roots, const char *name,
		 struct text_list *names, struct error *err)
{
	CLEANUP(cleanup_free) char *whole = find_whole(roots, name);
	CLEANUP(cleanup_free) char *folder = folder_of(roots, whole, name);

	if (!file_exists(folder))
		return error_set(err, ERROR_HOST, "there is no block device %s", name);
	if (!text_list_contains(names, name))
		text_list_add(names, name);
	for (size_t i = 0; i < names->count; i++)
		add_relatives(roots, names->items[i], names);
	return 0;
}

enum block_stack block_stack(const struct disk_roots *roots, const char *name)
{
	static const struct {
		const char *folder;
		enum block_stack stack;
	} marks[] = {{"dm", BLOCK_DM}, {"md", BLOCK_MD}, {"bcache", BLOCK_BCACHE}};
	CLEANUP(cleanup_free) char *whole = find_whole(roots, name);
	CLEANUP(cleanup_free) char *folder = folder_of(roots, NULL, whole ? whole : name);
	CLEANUP(cleanup_free) char *uuid = attribute(folder, "dm/uuid");

	if (!strncmp(uuid, "LVM-", 4))
		return BLOCK_LVM;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, marks[i].folder);

		if (file_exists(path))
			return marks[i].stack;
	}
	return BLOCK_PLAIN;
}
