/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/domain_disks.h"

#include "vm/xml.h"

#include <string.h>

/* libvirt fills the slots of the PCI bus from below and knows nothing of these. */
enum { NVME_SLOT = 0x10 };

struct bus {
	const char *name;   /* libvirt's; NULL: none */
	const char *prefix; /* of the target's name */
	int tells_sectors;  /* the size of a sector can be chosen */
};

static const struct bus buses[] = {
	[VM_BUS_VIRTIO] = {"virtio", "vd", 1}, [VM_BUS_SCSI] = {"scsi", "sd", 1},
	[VM_BUS_SATA] = {"sata", "sd", 0},     [VM_BUS_IDE] = {"ide", "hd", 0},
	[VM_BUS_NVME] = {NULL, "nvme", 1},
};

/* vda ... vdz, vdaa ... */
static void add_target(struct text *xml, const struct bus *bus, size_t index)
{
	char letters[16];
	size_t at = sizeof(letters) - 1;

	letters[at] = '\0';
	for (index++; index > 0; index = (index - 1) / 26)
		letters[--at] = (char)('a' + (index - 1) % 26);
	text_format(xml, "<target dev='%s%s' bus='%s'/>", bus->prefix, letters + at,
		    bus->name);
}

/* Names share a prefix (SCSI and SATA are both sdX), so they are counted by prefix. */
static size_t index_on_prefix(const struct vm_spec *spec, size_t disk)
{
	const char *prefix = buses[spec->disks[disk].bus].prefix;
	size_t index = 0;

	for (size_t i = 0; i < disk; i++)
		index += !strcmp(buses[spec->disks[i].bus].prefix, prefix);
	return index;
}

static size_t index_on_scsi(const struct vm_spec *spec, size_t disk)
{
	size_t index = 0;

	for (size_t i = 0; i < disk; i++)
		index += spec->disks[i].bus == VM_BUS_SCSI;
	return index;
}

static void add_queueing(struct text *xml, const struct vm_disk *disk)
{
	if (disk->queues)
		text_format(xml, " queues='%u'", disk->queues);
	if (disk->iothread)
		text_format(xml, " iothread='%u'", disk->iothread);
}

/* Each SCSI disk has a controller of its own: queues and threads belong to those. */
static void add_controller(struct text *xml, const struct vm_disk *disk, size_t index)
{
	text_format(xml, "<controller type='scsi' index='%zu' model='virtio-scsi'>",
		    index);
	if (disk->queues || disk->iothread) {
		text_add(xml, "<driver");
		add_queueing(xml, disk);
		text_add(xml, "/>");
	}
	text_add(xml, "</controller>");
}

static void add_sectors(struct text *xml, const struct vm_disk *disk)
{
	if (!buses[disk->bus].tells_sectors || !disk->logical_block)
		return;
	text_format(xml, "<blockio logical_block_size='%u'", disk->logical_block);
	if (disk->physical_block)
		text_format(xml, " physical_block_size='%u'", disk->physical_block);
	text_add(xml, "/>");
}

static void add_driver(struct text *xml, const struct vm_disk *disk)
{
	text_add(xml, "<driver name='qemu' type='raw'");
	xml_attribute(xml, "cache", disk->cache ? disk->cache : "none");
	if (disk->io)
		xml_attribute(xml, "io", disk->io);
	if (disk->bus == VM_BUS_VIRTIO)
		add_queueing(xml, disk);
	text_add(xml, "/>");
}

static void add_disk(struct text *xml, const struct vm_spec *spec, size_t index)
{
	const struct vm_disk *disk = &spec->disks[index];
	int block = disk->kind == VM_DISK_BLOCK;

	text_format(xml, "<disk type='%s' device='disk'>", block ? "block" : "file");
	add_driver(xml, disk);
	text_add(xml, "<source");
	xml_attribute(xml, block ? "dev" : "file", disk->source);
	text_add(xml, "/>");
	add_target(xml, &buses[disk->bus], index_on_prefix(spec, index));
	add_sectors(xml, disk);
	if (disk->read_only)
		text_add(xml, "<readonly/>");
	if (disk->serial)
		xml_element(xml, "serial", disk->serial);
	if (disk->bus == VM_BUS_SCSI)
		text_format(xml,
			    "<address type='drive' controller='%zu' bus='0' target='0' "
			    "unit='0'/>",
			    index_on_scsi(spec, index));
	text_add(xml, "</disk>");
}

void domain_add_disks(struct text *xml, const struct vm_spec *spec)
{
	for (size_t i = 0; i < spec->disk_count; i++)
		if (spec->disks[i].bus == VM_BUS_SCSI)
			add_controller(xml, &spec->disks[i], index_on_scsi(spec, i));
	for (size_t i = 0; i < spec->disk_count; i++)
		if (buses[spec->disks[i].bus].name)
			add_disk(xml, spec, i);
}

void domain_option_value(struct text *option, const char *value)
{
	for (; *value; value++) {
		if (*value == ',')
			text_add_char(option, ',');
		text_add_char(option, *value);
	}
}

void domain_nvme_options(const struct vm_disk *disk, size_t index, struct text *drive,
			 struct text *device)
{
	text_format(drive,
		    "if=none,id=kregress-nvme%zu,format=raw,cache=%s%s%s%s,file=", index,
		    disk->cache ? disk->cache : "none", disk->io ? ",aio=" : "",
		    disk->io ? disk->io : "", disk->read_only ? ",readonly=on" : "");
	domain_option_value(drive, disk->source);
	text_format(device, "nvme,addr=0x%zx,drive=kregress-nvme%zu,serial=%s",
		    NVME_SLOT + index, index, disk->serial);
	if (disk->logical_block)
		text_format(device, ",logical_block_size=%u", disk->logical_block);
	if (disk->logical_block && disk->physical_block)
		text_format(device, ",physical_block_size=%u", disk->physical_block);
}
