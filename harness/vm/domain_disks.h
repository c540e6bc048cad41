/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The disks of a guest in its domain XML; only for domain.c.
 */
#ifndef VM_DOMAIN_DISKS_H
#define VM_DOMAIN_DISKS_H

#include "base/text.h"
#include "vm/domain.h"

/* Controllers and disks, but those on NVMe, which libvirt 9 does not emulate. */
void domain_add_disks(struct text *xml, const struct vm_spec *spec);

/* The values of QEMU's -drive and -device for a disk on NVMe. */
void domain_nvme_options(const struct vm_disk *disk, size_t index, struct text *drive,
			 struct text *device);

/* QEMU splits options at commas; a doubled one is a comma. */
void domain_option_value(struct text *option, const char *value);

#endif
