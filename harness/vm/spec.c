/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/spec.h"

#include "vm/xml.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 48, SERIAL_MAX_LENGTH = 20 };

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

static const struct {
	const char *name;
	size_t most; /* disks; 0: no limit of ours */
} bus_limits[] = {
	[VM_BUS_VIRTIO] = {"virtio", 0},
	[VM_BUS_SCSI] = {"scsi", 0},
	[VM_BUS_SATA] = {"sata", VM_SATA_DISKS_MAX},
	[VM_BUS_IDE] = {"ide", VM_IDE_DISKS_MAX},
	[VM_BUS_NVME] = {"nvme", VM_NVME_DISKS_MAX},
};

static int check_letters(const char *what, const char *value, const char *letters,
			 size_t most, struct error *err)
{
	size_t length = value ? strlen(value) : 0;

	if (length == 0 || length > most || strspn(value, letters) != length)
		return error_set(
			err, ERROR_USAGE,
			"%s '%s': 1 to %zu letters, digits, '-' and '_' are allowed",
			what, value ? value : "", most);
	return 0;
}

int vm_name_check(const char *name, struct error *err)
{
	return check_letters("guest name", name, NAME_LETTERS ".", NAME_MAX_LENGTH, err);
}

static int check_path(const char *what, const char *path, int needed, struct error *err)
{
	if (!path && !needed)
		return 0;
	if (!path || path[0] != '/')
		return error_set(err, ERROR_USAGE, "%s '%s': not an absolute path", what,
				 path ? path : "");
	return xml_check(what, path, err);
}

/* libvirt knows the words; here they must only be words, for QEMU's option lists. */
static int check_word(const char *what, const char *word, struct error *err)
{
	return word ? check_letters(what, word, NAME_LETTERS, NAME_MAX_LENGTH, err) : 0;
}

static int check_text(const char *what, const char *text, struct error *err)
{
	return text ? xml_check(what, text, err) : 0;
}

static int check_texts(const struct vm_spec *spec, struct error *err)
{
	unsigned vcpus = spec->pins.vcpus ? spec->vcpus : 0;

	if (check_text("kernel command line", spec->cmdline, err) ||
	    check_text("machine", spec->machine, err) ||
	    check_text("cpu", spec->cpu, err) ||
	    check_text("emulator pins", spec->pins.emulator, err) ||
	    check_text("iothread pins", spec->pins.iothreads, err))
		return -1;
	for (unsigned i = 0; i < vcpus; i++)
		if (check_text("vcpu pins", spec->pins.vcpus[i], err))
			return -1;
	for (const char *const *item = spec->qemu_arguments; item && *item; item++)
		if (check_text("QEMU argument", *item, err))
			return -1;
	return 0;
}

static int check_disks(const struct vm_spec *spec, struct error *err)
{
	size_t used[sizeof(bus_limits) / sizeof(*bus_limits)] = {0};

	for (size_t i = 0; i < spec->disk_count; i++) {
		const struct vm_disk *disk = &spec->disks[i];
		size_t most = bus_limits[disk->bus].most;

		if (check_path("disk", disk->source, 1, err))
			return -1;
		if ((disk->serial || disk->bus == VM_BUS_NVME) &&
		    check_letters("disk serial", disk->serial, NAME_LETTERS,
				  SERIAL_MAX_LENGTH, err))
			return -1;
		if (check_word("disk cache", disk->cache, err) ||
		    check_word("disk io", disk->io, err))
			return -1;
		if (most && ++used[disk->bus] > most)
			return error_set(err, ERROR_USAGE, "more than %zu disks on %s",
					 most, bus_limits[disk->bus].name);
		if (disk->iothread > spec->iothreads)
			return error_set(err, ERROR_USAGE, "disk %s: iothread %u of %u",
					 disk->source, disk->iothread, spec->iothreads);
	}
	return 0;
}

static int check_plugin(const struct vm_spec *spec, struct error *err)
{
	const struct vm_plugin *plugin = spec->plugin;

	if (!plugin)
		return 0;
	if (spec->accelerator != VM_TCG)
		return error_set(err, ERROR_USAGE, "a plugin of QEMU needs TCG");
	return check_path("plugin", plugin->file, 1, err) ||
			       check_path("output of the plugin", plugin->output, 1, err)
		       ? -1
		       : 0;
}

int vm_spec_check(const struct vm_spec *spec, struct error *err)
{
	if (vm_name_check(spec->name, err) ||
	    check_path("kernel", spec->kernel, 1, err) ||
	    check_path("initrd", spec->initrd, 0, err) ||
	    check_path("console log", spec->console_path, 1, err) ||
	    check_path("results file", spec->results_path, 1, err) ||
	    check_path("fallback results file", spec->fallback_path, 0, err))
		return -1;
	if (spec->icount.enabled &&
	    (spec->accelerator != VM_TCG || spec->vcpus > 1 || spec->icount.shift > 10))
		return error_set(err, ERROR_USAGE,
				 "exact guest time needs TCG, one vcpu, shift 0 to 10");
	return check_texts(spec, err) || check_disks(spec, err) || check_plugin(spec, err)
		       ? -1
		       : 0;
}
