/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PCI function that is to be given to a guest as a whole.
 */
#ifndef DISKS_PCI_H
#define DISKS_PCI_H

#include "base/error.h"
#include "base/text.h"
#include "disks/roots.h"

struct pci_address {
	unsigned domain, bus, slot, function;
};

/* "0000:03:00.0" or "03:00.0"; -1 for anything else. */
int pci_parse(const char *text, struct pci_address *ret_address);

struct pci_function {
	int exists;
	unsigned class;          /* 0x010802 is an NVMe controller */
	char *identity;          /* "144d:a808 144d:a801 rev 0x00"; "" */
	char *driver;            /* "nvme", "vfio-pci"; "" for none */
	char *iommu_group;       /* its number; "" where there is no IOMMU */
	struct text_list disks;  /* the kernel's names of block devices below it */
	struct text_list others; /* further functions of its group, bridges left out */
};

void pci_function_finish(struct pci_function *function);
void pci_function_read(const struct disk_roots *roots, const struct pci_address *address,
		       struct pci_function *ret_function);

#endif
