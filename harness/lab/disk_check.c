/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/disk_check.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "disks/pci.h"
#include "lab/disk_choice.h"
#include "lab/disk_request.h"
#include "vm/domain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SECTOR = 512 };

/* --- one disk */

static int describe_function(const struct config_disk *disk, struct block *ret_block,
			     struct error *err)
{
	struct pci_function function = {0};
	struct pci_address address;
	int failed = 0;

	*ret_block = (struct block){0};
	if (pci_parse(disk->device, &address))
		return error_set(err, ERROR_USAGE, "disk %s: bad PCI address %s",
				 disk->name, disk->device);
	pci_function_read(&disk_roots_host, &address, &function);
	if (function.disks.count)
		failed = block_read(&disk_roots_host, function.disks.items[0], ret_block,
				    err);
	pci_function_finish(&function);
	return failed;
}

int disk_check_describe(const struct config_disk *disk, struct block *ret_block,
			struct error *err)
{
	CLEANUP(cleanup_free) char *name = NULL;
	struct stat status;

	if (disk->attach == CONFIG_ATTACH_PCI)
		return describe_function(disk, ret_block, err);
	if (stat(disk->device, &status))
		return error_system(err, "disk %s: %s", disk->name, disk->device);
	if (S_ISBLK(status.st_mode))
		name = block_find(&disk_roots_host, status.st_rdev);
	if (name)
		return block_read(&disk_roots_host, name, ret_block, err);
	*ret_block = (struct block){
		.size = (uint64_t)status.st_size,
		.logical_block = SECTOR,
		.physical_block = SECTOR,
	};
	return 0;
}

static void add_line(struct text *lines, const char *line)
{
	text_format(lines, "%s%s", lines->size ? "\n" : "", line);
}

/* Buses of old have sectors of 512 bytes and nothing else. */
static int check_bus(const struct config_disk *disk, const struct block *block,
		     struct error *err)
{
	if ((disk->bus != CONFIG_BUS_IDE && disk->bus != CONFIG_BUS_SATA) ||
	    disk->attach == CONFIG_ATTACH_PCI || block->logical_block <= SECTOR)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "disk %s: its sectors of %" PRIu64
			 " bytes cannot be had on bus %s; use virtio, scsi or nvme",
			 disk->name, block->logical_block, config_bus_names[disk->bus]);
}

/* The guest finds a real disk by the serial that it has. */
static int check_own_serial(const struct config_disk *disk, const struct block *block,
			    struct error *err)
{
	if (disk->attach != CONFIG_ATTACH_PCI || !block->name ||
	    !strcmp(block->serial, disk->serial))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "disk %s: the disk at %s has the serial %s, not %s: with "
			 "attach: pci the guest sees the disk's own",
			 disk->name, disk->device, block->serial, disk->serial);
}

static int check_disk(const struct config_disk *disk, const struct scenario *scenario,
		      struct error *err)
{
	struct disk_request request = disk_request_of(disk);
	CLEANUP(block_finish) struct block block = {0};
	struct disk_verdict verdict;

	if (scenario_check_disk(scenario, disk, err) ||
	    disk_judge(&disk_roots_host, &request, 0, &verdict, err))
		return -1;
	if (verdict.kind != ERROR_NONE)
		return error_set(err, verdict.kind, "disk %s: %s", disk->name,
				 verdict.text);
	if (disk_check_describe(disk, &block, err))
		return -1;
	return check_bus(disk, &block, err) || check_own_serial(disk, &block, err) ? -1
										   : 0;
}

/* All are looked at, so that one call names all that is wrong. */
static int check_each(const struct disk_choice *choice, const struct scenario *scenario,
		      struct error *err)
{
	CLEANUP(text_finish) struct text lines = {0};
	enum error_kind kind = ERROR_NONE;

	for (size_t i = 0; i < choice->count; i++) {
		struct error one = {0};

		if (!check_disk(choice->items[i], scenario, &one))
			continue;
		add_line(&lines, one.text);
		if (kind == ERROR_NONE)
			kind = one.kind;
	}
	return kind == ERROR_NONE ? 0 : error_set(err, kind, "%s", lines.data);
}

/* --- together in one guest */

static int is_same_device(const struct config_disk *a, const struct config_disk *b)
{
	struct stat first, second;

	if (a->attach == CONFIG_ATTACH_PCI || b->attach == CONFIG_ATTACH_PCI)
		return !strcmp(a->device, b->device);
	if (stat(a->device, &first) || stat(b->device, &second))
		return 0;
	if (S_ISBLK(first.st_mode) || S_ISBLK(second.st_mode))
		return first.st_rdev == second.st_rdev;
	return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* One device through several buses: one after the other, never at once. */
static int check_views(const struct disk_choice *choice, struct error *err)
{
	for (size_t i = 0; i < choice->count; i++)
		for (size_t j = 0; j < i; j++)
			if (is_same_device(choice->items[i], choice->items[j]))
				return error_set(
					err, ERROR_USAGE,
					"disks %s and %s are the same device %s, which "
					"one guest cannot have twice; measure with \"-p "
					"device=%s\", then with \"-p device=%s\"",
					choice->items[j]->name, choice->items[i]->name,
					choice->items[i]->device, choice->items[j]->name,
					choice->items[i]->name);
	return 0;
}

static int check_places(const struct disk_choice *choice, struct error *err)
{
	static const struct {
		enum config_bus bus;
		size_t most;
	} limits[] = {{CONFIG_BUS_IDE, VM_IDE_DISKS_MAX},
		      {CONFIG_BUS_SATA, VM_SATA_DISKS_MAX},
		      {CONFIG_BUS_NVME, VM_NVME_DISKS_MAX}};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		size_t count = 0;

		for (size_t j = 0; j < choice->count; j++)
			count += choice->items[j]->attach != CONFIG_ATTACH_PCI &&
				 choice->items[j]->bus == (int)limits[i].bus;
		if (count > limits[i].most)
			return error_set(err, ERROR_USAGE,
					 "%zu disks are wanted on bus %s, which has room "
					 "for %zu",
					 count, config_bus_names[limits[i].bus],
					 limits[i].most);
	}
	return 0;
}

/* --- each case */

static int check_size(const struct scenario *scenario,
		      const struct scenario_case *scenario_case,
		      const struct config_disk *disk, struct error *err)
{
	uint64_t wanted = scenario_case->filesystem == JOB_FS_NONE ||
					  scenario_case_is_raw(scenario, scenario_case)
				  ? scenario_case_bytes(scenario, scenario_case)
				  : disk_file_system_size(scenario, scenario_case);
	CLEANUP(block_finish) struct block block = {0};

	if (disk_check_describe(disk, &block, err))
		return -1;
	if (!block.name && !block.size) /* a PCI function without a driver */
		return 0;
	if (wanted <= block.size)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "disk %s: its %" PRIu64 " MiB are too small for case %s, which "
			 "needs %" PRIu64 " MiB; lower the workload's size",
			 disk->name, block.size >> 20,
			 *scenario_case->label ? scenario_case->label : "(only one)",
			 (wanted + (1 << 20) - 1) >> 20);
}

static int check_case(const struct config *config, const struct scenario *scenario,
		      const struct scenario_case *scenario_case, struct error *err)
{
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};

	if (disk_choice_of_case(config, scenario_case, &choice, err))
		return -1;
	for (size_t i = 0; i < choice.count; i++)
		if (check_size(scenario, scenario_case, choice.items[i], err))
			return -1;
	return 0;
}

int disk_check_scenario(const struct config *config, const struct scenario *scenario,
			struct error *err)
{
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};

	if (disk_choice_of_scenario(config, scenario, &choice, err) ||
	    check_each(&choice, scenario, err) || check_views(&choice, err) ||
	    check_places(&choice, err))
		return -1;
	for (size_t i = 0; i < scenario->cases.count; i++)
		if (check_case(config, scenario, &scenario->cases.items[i], err))
			return -1;
	return 0;
}
