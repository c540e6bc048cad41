/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two labs do differently; only for the files of lab/.
 */
#ifndef LAB_KIND_H
#define LAB_KIND_H

#include "guest/job.h"
#include "lab/hold.h"
#include "lab/lab.h"
#include "vm/domain.h"
#include "vm/host.h"

struct lab {
	const struct lab_kind *kind;
	struct lab_options options;
	struct vm_host *host;
	char *filesystems; /* folder where their images are kept */
	char agent_digest[HASH_HEX_SIZE];
};

struct lab_kind {
	const char *name;
	enum vm_kvm_wish kvm;
	enum job_channel channel;
	const char *command_line; /* of the guest kernel */
	/*
	 * Limits of a boot count QEMU's CPU time instead of the host's clock: the guest
	 * never waits for a device, and a busy host must not look like a dead guest.
	 */
	int limits_by_cpu;
	/*
	 * QEMU translates the guest's code, so that a plugin sees its blocks, and each
	 * instruction takes so many ns; 0: it does not.
	 */
	double instruction_time;
	unsigned (*parallel)(const struct lab *lab);
	/* Refuses what cannot be measured here, before anything is built or booted. */
	int (*check)(const struct lab *lab, const struct scenario *scenario,
		     struct error *err);
	/* Of the file system that a case gets on each of its disks, in bytes. */
	uint64_t (*file_system_size)(const struct scenario *scenario,
				     const struct scenario_case *scenario_case);
	/*
	 * Machine, clock and disks; the rest of the spec is filled in already. What of
	 * the host is taken for it goes into hold, also on failure.
	 */
	int (*describe)(const struct lab *lab, const struct lab_request *request,
			struct lab_hold *hold, struct vm_spec *spec, struct error *err);
	/* The disks of a case; job_case has everything else. */
	int (*add_disks)(const struct lab *lab, const struct scenario_case *scenario_case,
			 const char *image, struct job_case *job_case, struct error *err);
	/* Fields of the environment besides those that both labs have. */
	int (*add_fields)(struct lab *lab, const struct scenario *scenario,
			  struct lab_fields *fields, struct error *err);
};

extern const struct lab_kind lab_virtual, lab_disk;

#endif
