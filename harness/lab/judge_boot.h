/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the facts of a boot to its outcome: pure, so that every kind of death can be
 * tested without a guest.
 */
#ifndef LAB_JUDGE_BOOT_H
#define LAB_JUDGE_BOOT_H

#include "build/kernel.h"
#include "lab/collect.h"
#include "lab/evidence.h"
#include "vm/vm.h"

enum {
	BOOT_HELLO_SECONDS = 120,    /* until the agent must have spoken */
	BOOT_IDLE_SECONDS = 60,      /* a guest that waits for nothing never wakes */
	BOOT_CONSOLE_MAX = 64 << 20, /* bytes; a guest must not fill the host's disk */
	BOOT_RESULTS_MAX = 256 << 20,
	BOOT_COUNTS_MAX = 1 << 30,
};

struct boot_facts {
	const struct kernel *kernel;
	const struct scenario *scenario; /* its limits */
	struct vm_status status;
	struct collector_state collected;
	/*
	 * On the clock of the lab's limits, the host's or QEMU's CPU time: how long the
	 * boot has run, and since the last record (or the start).
	 */
	double seconds, silent_seconds;
	/* By the host's clock, since QEMU last used CPU time; 0 where that is usual. */
	double idle_seconds;
};

/* Whether a running guest is past one of its limits. */
int boot_must_end(const struct boot_facts *facts);

/* What became of the run that was on when the boot was ended. */
enum run_end boot_run_end(const struct boot_facts *facts);

/*
 * Sets outcome and detail. evidence holds what was collected, the guest's release and
 * build id included: a kernel that is not the one asked for makes the boot worthless
 * (infrastructure), and its samples are dropped.
 */
void judge_boot(const struct boot_facts *facts, struct evidence *evidence);

#endif
