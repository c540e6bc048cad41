/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/facts.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* udev and the like look into a disk that was just closed, and let it go again. */
enum { READER_TRIES = 20, READER_PAUSE_MILLISECONDS = 100 };

void disk_facts_finish(struct disk_facts *facts)
{
	free(facts->path);
	pci_function_finish(&facts->pci);
	block_finish(&facts->block);
	text_list_finish(&facts->names);
	text_list_finish(&facts->family);
	text_list_finish(&facts->swaps);
	disk_mounts_finish(&facts->mounts);
	disk_holders_finish(&facts->holders);
	disk_signatures_finish(&facts->signatures);
}

/* --- what it is */

static int resolve_block(struct disk_facts *facts, const struct stat *status,
			 struct error *err)
{
	CLEANUP(cleanup_free) char *name = block_find(facts->roots, status->st_rdev);

	if (!name)
		return error_set(err, ERROR_HOST, "%s: sysfs does not know the device",
				 facts->request->device);
	facts->kind = FACTS_BLOCK;
	text_list_add(&facts->names, name);
	return 0;
}

static int resolve_path(struct disk_facts *facts, struct error *err)
{
	struct stat status;
	char real[PATH_MAX];

	if (stat(facts->request->device, &status) ||
	    !realpath(facts->request->device, real)) {
		facts->find_error = errno;
		return 0;
	}
	facts->path = memory_copy_string(real);
	if (S_ISBLK(status.st_mode))
		return resolve_block(facts, &status, err);
	facts->kind = S_ISREG(status.st_mode) ? FACTS_FILE : FACTS_OTHER;
	facts->size = (uint64_t)status.st_size;
	facts->read_only = access(real, W_OK) != 0;
	return 0;
}

static int resolve_function(struct disk_facts *facts)
{
	facts->path = memory_copy_string(facts->request->device);
	facts->kind = FACTS_BLOCK;
	facts->bad_address = pci_parse(facts->request->device, &facts->address);
	if (facts->bad_address)
		return 0;
	pci_function_read(facts->roots, &facts->address, &facts->pci);
	for (size_t i = 0; i < facts->pci.disks.count; i++)
		text_list_add(&facts->names, facts->pci.disks.items[i]);
	return 0;
}

static int describe(struct disk_facts *facts, struct error *err)
{
	for (size_t i = 0; i < facts->names.count; i++)
		if (block_family(facts->roots, facts->names.items[i], &facts->family,
				 err))
			return -1;
	if (!facts->names.count)
		return 0;
	if (block_read(facts->roots, facts->names.items[0], &facts->block, err))
		return -1;
	facts->size = facts->block.size;
	facts->read_only = facts->block.read_only;
	return 0;
}

/* --- what is done with it */

static int find_swaps(struct disk_facts *facts, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list swaps = {0};

	if (disk_swaps_read(facts->roots, &swaps, err))
		return -1;
	for (size_t i = 0; i < swaps.count; i++)
		if (text_list_contains(&facts->family, swaps.items[i]) ||
		    (facts->kind == FACTS_FILE && !strcmp(swaps.items[i], facts->path)))
			text_list_add(&facts->swaps, swaps.items[i]);
	return 0;
}

static void add_family_nodes(const struct disk_facts *facts, struct disk_node *nodes,
			     size_t *count)
{
	for (size_t i = 0; i < facts->family.count; i++) {
		struct block block;
		struct error unused;

		if (block_read(facts->roots, facts->family.items[i], &block, &unused))
			continue;
		if (block.number)
			nodes[(*count)++].device = block.number;
		block_finish(&block);
	}
}

/* A function that a guest has is known by the device file of its group. */
static void add_group_node(const struct disk_facts *facts, struct disk_node *nodes,
			   size_t *count)
{
	CLEANUP(cleanup_free)
	char *path =
		memory_format("%s/vfio/%s", facts->roots->dev, facts->pci.iommu_group);
	struct stat status;

	if (*facts->pci.iommu_group && !stat(path, &status) && S_ISCHR(status.st_mode))
		nodes[(*count)++].device = status.st_rdev;
}

static void add_file_node(const struct disk_facts *facts, struct disk_node *nodes,
			  size_t *count)
{
	struct stat status;

	if (stat(facts->path, &status))
		return;
	nodes[*count].file_system = status.st_dev;
	nodes[(*count)++].inode = status.st_ino;
}

static int any_writes(const struct disk_holders *holders)
{
	for (size_t i = 0; i < holders->count; i++)
		if (holders->items[i].writes)
			return 1;
	return 0;
}

static void find_holders(struct disk_facts *facts)
{
	const struct timespec pause = {.tv_nsec = READER_PAUSE_MILLISECONDS * 1000000L};
	CLEANUP(cleanup_free)
	struct disk_node *nodes = memory_new(facts->family.count + 2, sizeof(*nodes));
	size_t count = 0;

	add_family_nodes(facts, nodes, &count);
	if (facts->request->attach == DISK_PCI && facts->pci.exists)
		add_group_node(facts, nodes, &count);
	if (facts->kind == FACTS_FILE)
		add_file_node(facts, nodes, &count);
	for (int tries = 0; count && tries < READER_TRIES; tries++) {
		disk_holders_finish(&facts->holders);
		disk_holders_find(facts->roots, nodes, count, &facts->holders);
		if (!facts->holders.count || any_writes(&facts->holders))
			return;
		nanosleep(&pause, NULL);
	}
}

static int gather_outside(struct disk_facts *facts, struct error *err)
{
	int failed = facts->request->attach == DISK_PCI ? resolve_function(facts)
							: resolve_path(facts, err);

	if (failed)
		return -1;
	if (facts->kind == FACTS_NOTHING || facts->kind == FACTS_OTHER)
		return 0;
	if (describe(facts, err) ||
	    disk_mounts_read(facts->roots, &facts->family, &facts->mounts, err) ||
	    find_swaps(facts, err))
		return -1;
	find_holders(facts);
	return 0;
}

/* --- what is on it */

/* A disk's partitions are looked into as well, whatever the table on it says. */
static int is_on(const struct disk_facts *facts, const char *name)
{
	struct block block;
	struct error unused;
	int is;

	if (text_list_contains(&facts->names, name))
		return 1;
	if (block_read(facts->roots, name, &block, &unused))
		return 0;
	is = block.whole && text_list_contains(&facts->names, block.whole);
	block_finish(&block);
	return is;
}

static int gather_content(struct disk_facts *facts, struct error *err)
{
	(void)err;
	if (facts->kind == FACTS_FILE &&
	    disk_signatures_read(facts->path, facts->path, &facts->signatures,
				 &facts->content_error))
		return 0;
	for (size_t i = 0; i < facts->family.count; i++) {
		const char *name = facts->family.items[i];
		CLEANUP(cleanup_free) char *path = file_join(facts->roots->dev, name);

		if (is_on(facts, name) &&
		    disk_signatures_read(path, name, &facts->signatures,
					 &facts->content_error))
			return 0;
	}
	return 0;
}

/* --- whether it can be had alone */

static int gather_exclusive(struct disk_facts *facts, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < facts->names.count && !facts->mine; i++) {
		CLEANUP(cleanup_free)
		char *path = file_join(facts->roots->dev, facts->names.items[i]);
		CLEANUP(cleanup_fd)
		int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0)
			facts->exclusive_error = errno;
	}
	return 0;
}

int disk_facts_gather(struct disk_facts *facts, enum facts_step step, struct error *err)
{
	static int (*const steps[FACTS_STEPS])(struct disk_facts *, struct error *) = {
		[FACTS_OUTSIDE] = gather_outside,
		[FACTS_CONTENT] = gather_content,
		[FACTS_EXCLUSIVE] = gather_exclusive,
	};

	return steps[step](facts, err);
}
