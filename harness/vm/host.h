/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that runs guests: one connection to libvirt, its event loop, and what
 * became of /dev/kvm.
 *
 * By default libvirt's QEMU driver runs inside this process (qemu:///embed): no
 * daemon, no root needed. Its state lives in a folder of the caller's, the root, which
 * should be kept: QEMU's capabilities are probed once and cached there. A root belongs
 * to one process at a time (locked); a second one gets an error that names the first.
 *
 * Open it early, before any thread exists: hiding a dead /dev/kvm needs a private
 * mount namespace, which only threads made later share. The process becomes a
 * subreaper; of the children that come to it so, only QEMUs of this root are reaped.
 * One host per process. Domains that an earlier, dead controller left in this root are
 * ended by vm_host_open().
 */
#ifndef VM_HOST_H
#define VM_HOST_H

#include "base/error.h"

struct vm_host;

enum vm_kvm_wish {
	VM_KVM_OFF,   /* not wanted: hidden at once, nothing is probed */
	VM_KVM_PROBE, /* used where a small guest runs under it, else hidden */
};

struct vm_host_options {
	const char *root; /* created where missing */
	const char *uri;  /* NULL: qemu:///embed in root */
	enum vm_kvm_wish kvm;
};

struct vm_host_facts {
	const char *uri;
	const char *emulator;     /* path of QEMU */
	unsigned libvirt_version; /* 1000000 * major + 1000 * minor + release */
	unsigned qemu_version;    /* the same; 0 where the driver does not tell */
	int kvm;                  /* guests may use VM_KVM */
	unsigned leftovers;       /* domains of dead controllers that were ended */
	/* Plain sentences for people, one a line; "" where there is nothing to say. */
	const char *notes;
};

/*
 * ERROR_HOST where QEMU or libvirt's driver is missing, the root cannot be written, or
 * another process uses it.
 */
int vm_host_open(const struct vm_host_options *options, struct vm_host **ret_host,
		 struct error *err);
/* Every VM must be destroyed before. Takes NULL. */
void vm_host_close(struct vm_host *host);

/* Valid until vm_host_close(). */
const struct vm_host_facts *vm_host_facts(const struct vm_host *host);

/*
 * Sleeps until the state of some guest changes, at most so long. New result bytes do
 * not wake it: 10 ms is a good pace for a loop that polls.
 */
void vm_host_wait(struct vm_host *host, unsigned milliseconds);

#endif
