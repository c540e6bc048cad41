/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose domain is it: the controller's process, named so that a reused pid is not
 * taken for it. Written into each domain's <metadata>; read back at the next start to
 * end what a killed controller left running.
 */
#ifndef VM_OWNER_H
#define VM_OWNER_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

#define VM_OWNER_NAMESPACE "urn:kregress:owner:1"

enum { VM_BOOT_ID_SIZE = 40 };

struct vm_owner {
	pid_t pid;
	uint64_t start;                /* field 22 of /proc/PID/stat, clock ticks */
	char boot_id[VM_BOOT_ID_SIZE]; /* of the host */
};

/* This process. */
int vm_owner_self(struct vm_owner *ret_owner, struct error *err);

/* Whether that very process still lives, on this boot of the host. */
int vm_owner_alive(const struct vm_owner *owner);

/* Finds the tag in a domain's XML; -1 where there is none or it is damaged. */
int vm_owner_find(const char *xml, struct vm_owner *ret_owner);

#endif
