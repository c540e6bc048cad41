/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that safety.c decides by, gathered in three steps: what the kernel tells without
 * touching the device, what is on it, and whether it can be had alone.
 */
#ifndef DISKS_FACTS_H
#define DISKS_FACTS_H

#include "disks/block.h"
#include "disks/pci.h"
#include "disks/safety.h"
#include "disks/signature.h"
#include "disks/usage.h"

enum facts_step { FACTS_OUTSIDE, FACTS_CONTENT, FACTS_EXCLUSIVE, FACTS_STEPS };

enum facts_kind { FACTS_NOTHING, FACTS_BLOCK, FACTS_FILE, FACTS_OTHER };

struct disk_facts {
	const struct disk_roots *roots;
	const struct disk_request *request;
	int mine; /* this process holds it exclusively already */

	/* FACTS_OUTSIDE */
	enum facts_kind kind; /* of what the path names; PCI: FACTS_BLOCK */
	int find_error;       /* errno where nothing is there */
	char *path;           /* links followed; of PCI the address */
	struct pci_address address;
	int bad_address;
	struct pci_function pci;
	struct text_list names; /* what is given: one block device, those of a function */
	struct block block;     /* the first of them */
	uint64_t size;
	int read_only;
	struct text_list family; /* of all names */
	struct disk_mounts mounts;
	struct text_list swaps; /* those of the family */
	struct disk_holders holders;

	/* FACTS_CONTENT */
	struct disk_signatures signatures;
	struct error content_error; /* kind ERROR_NONE: it could be read */

	/* FACTS_EXCLUSIVE */
	int exclusive_error; /* errno of opening it alone; 0 */
};

void disk_facts_finish(struct disk_facts *facts);

/* Steps come in their order. Fails where /proc and /sys do not tell. */
int disk_facts_gather(struct disk_facts *facts, enum facts_step step, struct error *err);

#endif
