/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a disk may be given to a guest that writes over it: safety.c alone decides, and
 * claim.c is the only place where a disk is opened for writing.
 *
 *	disk_claim_take(&request, &claim, err);   refuses, or holds it exclusively
 *	... a guest uses the disk ...
 *	disk_claim_release(&claim);
 *
 * Refused is what is missing, empty or read-only; what itself or any partition, holder or
 * slave of it is mounted in any mount namespace, swapped to, a part of LVM, md, device
 * mapper, bcache or ZFS, the disk of the running system, or open in another process
 * (another guest, say); and what carries any signature, unless allow_destroy names the
 * disk's serial. File systems that we made are known by their UUID and may go.
 *
 * A claim holds the device with O_EXCL, so that nobody can mount it, add it to a stack,
 * or claim it a second time while a guest has it. QEMU itself opens it beside that.
 */
#ifndef DISKS_SAFETY_H
#define DISKS_SAFETY_H

#include "base/error.h"
#include "disks/roots.h"

enum disk_attach { DISK_BLOCK, DISK_FILE, DISK_PCI };

/* Borrowed strings. */
struct disk_request {
	const char *name;   /* for messages */
	const char *device; /* a path, or a PCI address */
	enum disk_attach attach;
	const char *serial;        /* NULL: of no configured disk */
	const char *allow_destroy; /* NULL: nothing may be destroyed */
};

enum { DISK_VERDICT_SIZE = 1024 };

struct disk_verdict {
	const char *code; /* "usable", "missing", "mounted", ...: one word a reason */
	char text[DISK_VERDICT_SIZE]; /* a sentence on what is not usable; else "" */
	enum error_kind kind;         /* of the refusal; ERROR_NONE: usable */
};

/*
 * Opens for reading at most. Fails only where the kernel does not tell. held: this
 * process has it exclusively.
 */
int disk_judge(const struct disk_roots *roots, const struct disk_request *request,
	       int held, struct disk_verdict *ret_verdict, struct error *err);

struct disk_claim {
	int fd; /* -1: none; start from DISK_CLAIM_NONE */
};

#define DISK_CLAIM_NONE ((struct disk_claim){-1})

/*
 * Judges, opens exclusively and judges again what it holds then. The error of a refusal
 * is "disk NAME: SENTENCE". A PCI function is judged, but cannot be held: its block
 * device goes away when the guest gets it.
 */
int disk_claim_take(const struct disk_roots *roots, const struct disk_request *request,
		    struct disk_claim *claim, struct error *err);
/* Takes one that is not held. */
void disk_claim_release(struct disk_claim *claim);

#endif
