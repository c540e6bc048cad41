/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/pci.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLASS_BRIDGE = 0x06 };

int pci_parse(const char *text, struct pci_address *ret_address)
{
	struct pci_address address = {0};
	int end = 0;

	if (sscanf(text, "%4x:%2x:%2x.%1x%n", &address.domain, &address.bus,
		   &address.slot, &address.function, &end) != 4 ||
	    text[end]) {
		address.domain = 0;
		end = 0;
		if (sscanf(text, "%2x:%2x.%1x%n", &address.bus, &address.slot,
			   &address.function, &end) != 3 ||
		    text[end])
			return -1;
	}
	if (address.slot > 31 || address.function > 7)
		return -1;
	*ret_address = address;
	return 0;
}

void pci_function_finish(struct pci_function *function)
{
	free(function->identity);
	free(function->driver);
	free(function->iommu_group);
	text_list_finish(&function->disks);
	text_list_finish(&function->others);
	*function = (struct pci_function){0};
}

/* The last part of what a link points to; "" where there is no link. */
static char *link_name(const char *folder, const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	const char *slash;

	if (length < 0)
		return memory_copy_string("");
	target[length] = '\0';
	slash = strrchr(target, '/');
	return memory_copy_string(slash ? slash + 1 : target);
}

/* Without the line's end and "0x"; "" where there is none. */
static char *read_id(const char *folder, const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;
	const char *value;

	if (file_read(path, 64, &text, &unused))
		return memory_copy_string("");
	value = text_string(&text);
	value += strncmp(value, "0x", 2) ? 0 : 2;
	return memory_copy_bytes(value, strcspn(value, "\n"));
}

static char *read_identity(const char *folder)
{
	CLEANUP(cleanup_free) char *vendor = read_id(folder, "vendor");
	CLEANUP(cleanup_free) char *device = read_id(folder, "device");
	CLEANUP(cleanup_free) char *maker = read_id(folder, "subsystem_vendor");
	CLEANUP(cleanup_free) char *model = read_id(folder, "subsystem_device");
	CLEANUP(cleanup_free) char *revision = read_id(folder, "revision");

	return memory_format("%s:%s %s:%s rev %s", vendor, device, maker, model,
			     revision);
}

static unsigned read_class(const char *folder)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "class");
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;

	return file_read(path, 64, &text, &unused)
		       ? 0
		       : (unsigned)strtoul(text_string(&text), NULL, 16);
}

/* Whether the real place of a block device in sysfs lies below the function. */
static void find_disks(const struct disk_roots *roots, const char *folder,
		       struct text_list *disks)
{
	CLEANUP(cleanup_free) char *blocks = file_join(roots->sys, "block");
	CLEANUP(text_list_finish) struct text_list names = {0};
	char place[PATH_MAX], real[PATH_MAX];
	struct error unused;

	if (!realpath(folder, place) || file_list(blocks, &names, &unused))
		return;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = file_join(blocks, names.items[i]);

		if (realpath(path, real) && !strncmp(real, place, strlen(place)) &&
		    real[strlen(place)] == '/')
			text_list_add(disks, names.items[i]);
	}
}

static void find_others(const struct disk_roots *roots, const char *folder,
			const char *self, struct text_list *others)
{
	CLEANUP(cleanup_free) char *group = file_join(folder, "iommu_group/devices");
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error unused;

	if (!file_exists(group) || file_list(group, &names, &unused))
		return;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s/bus/pci/devices/%s", roots->sys,
					   names.items[i]);

		if (strcmp(names.items[i], self) &&
		    read_class(path) >> 16 != CLASS_BRIDGE)
			text_list_add(others, names.items[i]);
	}
}

void pci_function_read(const struct disk_roots *roots, const struct pci_address *address,
		       struct pci_function *ret_function)
{
	CLEANUP(cleanup_free)
	char *name = memory_format("%04x:%02x:%02x.%x", address->domain, address->bus,
				   address->slot, address->function);
	CLEANUP(cleanup_free)
	char *folder = memory_format("%s/bus/pci/devices/%s", roots->sys, name);

	*ret_function = (struct pci_function){
		.exists = file_exists(folder),
		.class = read_class(folder),
		.identity = read_identity(folder),
		.driver = link_name(folder, "driver"),
		.iommu_group = link_name(folder, "iommu_group"),
	};
	find_disks(roots, folder, &ret_function->disks);
	find_others(roots, folder, name, &ret_function->others);
}
