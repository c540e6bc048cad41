/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One running guest: start, look at it without waiting, end it.
 *
 *	vm_start(host, &spec, &vm, err);
 *	do {
 *		vm_host_wait(host, 10);
 *		vm_poll(vm, &results, &status, err);
 *	} while (status.state == VM_RUNNING && status.seconds < limit);
 *	... vm_poll() while status.more ...
 *	vm_destroy(vm);
 *
 * One thread may drive any number of guests so. This layer tells facts; which of them
 * make a boot hung, stalled or timed out is for the caller to say. Boot guests with
 * "panic=-1" so that a panic ends them.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include "base/error.h"
#include "base/text.h"
#include "vm/domain.h"
#include "vm/host.h"

#include <stdint.h>

struct vm;

enum vm_state {
	VM_RUNNING,
	VM_POWERED_OFF, /* by the guest */
	VM_RESET,       /* the guest asked for a reboot: panic=-1, or a triple fault */
	VM_KILLED,      /* by vm_stop() */
	VM_LOST,        /* QEMU or libvirt ended it: crash, kill, out of memory */
};

/* Names for messages: "running", "powered off", ... */
const char *vm_state_name(enum vm_state state);

enum { VM_LINE_SIZE = 256 };

struct vm_status {
	enum vm_state state;
	double seconds;      /* of host time since vm_start() returned, up to its end */
	double cpu_seconds;  /* that QEMU has used so far; 0 where it is not our child */
	double first_result; /* the same clock, at the first result byte; -1: none yet */
	double silent_seconds; /* since the last result byte, or since the start */
	int more;              /* unread bytes are left: vm_poll() again */
	uint64_t result_bytes; /* so far */
	uint64_t console_bytes;
	double console_silent_seconds;
	/*
	 * The console line that tells of a panic, else the first of an oops, a BUG, a
	 * hung task or a stall; "" for none. Printable ASCII, the rest as dots.
	 */
	char trouble[VM_LINE_SIZE];
	int panicked;                 /* trouble is a "Kernel panic" */
	char last_line[VM_LINE_SIZE]; /* of the console, likewise */
	int qemu_exit;   /* once ended and reaped by us: exit status, else -1 */
	int qemu_signal; /* the signal that ended QEMU, else 0 */
};

/*
 * Returns once QEMU runs the guest. spec is not needed any longer then. Errors of QEMU
 * itself carry the end of its log.
 */
int vm_start(struct vm_host *host, const struct vm_spec *spec, struct vm **ret_vm,
	     struct error *err);

/*
 * Does not wait. New result bytes are added to results. At most VM_POLL_BYTES of each
 * file are taken a call; status.more tells that there are more. After the end, call
 * until it is 0: then nothing is missing.
 */
enum { VM_POLL_BYTES = 1 << 20 };
int vm_poll(struct vm *vm, struct text *results, struct vm_status *ret_status,
	    struct error *err);

/* Ends it at once; the files stay and vm_poll() still tells. Nothing where it ended. */
void vm_stop(struct vm *vm);

/*
 * QEMU's own log of this guest, which vm_destroy() removes; NULL where a daemon keeps
 * it. Worth keeping where the guest is VM_LOST.
 */
const char *vm_qemu_log(const struct vm *vm);

/*
 * vm_stop(), waits until QEMU is gone (its files and disks are free then), frees.
 * libvirt may keep the name a little longer: use each once. Takes NULL.
 */
void vm_destroy(struct vm *vm);

#endif
