/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a boot holds of the host while its guest runs, and the lists that its spec
 * borrows. Only for the files of lab/.
 */
#ifndef LAB_HOLD_H
#define LAB_HOLD_H

#include "disks/safety.h"
#include "vm/domain.h"

#include <stddef.h>

/* Starts from {0}. */
struct lab_hold {
	struct disk_claim *claims;
	size_t claim_count;
	struct vm_disk *disks;
	struct vm_pci *pci;
};

/* Once QEMU is gone. */
void lab_hold_finish(struct lab_hold *hold);

#endif
