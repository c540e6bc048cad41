/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/kind.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * All that is left to chance in a guest is pinned here: instructions are the clock,
 * random numbers come from a seed, addresses do not move, and no device waits for
 * the host.
 */
enum {
	ICOUNT_SHIFT = 0, /* 1 ns an instruction */
	ICOUNT_SEED = 1,
	RTC_SECONDS = 1000000000,
	BESIDES_DISKS = 192 << 20, /* bytes of memory */
};

/* No RDRAND and RDSEED: QEMU would pass the host's on. */
#define VIRTUAL_CPU "qemu64,-rdrand,-rdseed"

static unsigned parallel(const struct lab *lab)
{
	unsigned wanted = (unsigned)lab->options.config->virtual_lab.parallel;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (wanted)
		return wanted;
	return processors > 1 ? (unsigned)processors : 1;
}

/* Disks live in the guest's memory: a scenario at full size gets what it needs. */
static unsigned memory_mib(const struct lab *lab, const struct scenario *scenario)
{
	uint64_t memory = lab->options.config->virtual_lab.memory, most = 0;

	for (size_t i = 0; i < scenario->cases.count; i++) {
		const struct scenario_case *item = &scenario->cases.items[i];
		uint64_t disks = item->disks * item->disk_size;

		most = disks > most ? disks : most;
	}
	if (most + BESIDES_DISKS > memory)
		memory = most + BESIDES_DISKS;
	return (unsigned)(memory >> 20);
}

static int check(const struct lab *lab, const struct scenario *scenario,
		 struct error *err)
{
	const struct device_class *class;

	for (size_t i = 0; i < scenario->cases.count; i++)
		if (device_class_require(lab->options.classes,
					 scenario->cases.items[i].device, &class, err))
			return -1;
	return 0;
}

/* It fills its disk. */
static uint64_t file_system_size(const struct scenario *scenario,
				 const struct scenario_case *scenario_case)
{
	(void)scenario;
	return scenario_case->disk_size;
}

static int describe(const struct lab *lab, const struct lab_request *request,
		    struct lab_hold *hold, struct vm_spec *spec, struct error *err)
{
	(void)hold;
	(void)err;
	spec->memory_mib = memory_mib(lab, request->scenario);
	spec->vcpus = 1;
	spec->accelerator = VM_TCG;
	spec->channel = VM_CHANNEL_SERIAL;
	spec->cpu = VIRTUAL_CPU;
	spec->icount = (struct vm_icount){
		.enabled = 1,
		.shift = ICOUNT_SHIFT,
		.seed = ICOUNT_SEED,
		.rtc_seconds = RTC_SECONDS,
	};
	return 0;
}

/* The device's own size: the file system's, or what the workload writes. */
static void set_disk(struct job_disk *disk, const struct device_class *class,
		     uint64_t size, const char *image)
{
	disk->kind = JOB_DISK_NULL;
	snprintf(disk->image, sizeof(disk->image), "%s", image);
	disk->size = size;
	disk->block_size = class->block_size;
	disk->completion_time = class->latency_ns;
	disk->cache_size = class->cache_size;
	disk->bandwidth = class->bandwidth;
	disk->queue_depth = class->queue_depth;
}

static int add_disks(const struct lab *lab, const struct scenario_case *scenario_case,
		     const char *image, struct job_case *job_case, struct error *err)
{
	const struct device_class *class;

	if (device_class_require(lab->options.classes, scenario_case->device, &class,
				 err))
		return -1;
	for (uint64_t i = 0; i < scenario_case->disks; i++) {
		char name[32];
		struct job_disk *disk;

		snprintf(name, sizeof(name), "disk%llu", (unsigned long long)i);
		disk = job_case_add_disk(job_case, name);
		if (!disk)
			return error_set(err, ERROR_USAGE, "case %s: too many disks",
					 scenario_case->label);
		set_disk(disk, class, scenario_case->disk_size, image);
	}
	return 0;
}

static int add_fields(struct lab *lab, const struct scenario *scenario,
		      struct lab_fields *fields, struct error *err)
{
	char number[24];

	(void)err;
	snprintf(number, sizeof(number), "%u", memory_mib(lab, scenario));
	lab_fields_add(fields, "memory_mib", number);
	lab_fields_add(fields, "cpu", VIRTUAL_CPU);
	snprintf(number, sizeof(number), "%d", ICOUNT_SHIFT);
	lab_fields_add(fields, "icount_shift", number);
	snprintf(number, sizeof(number), "%d", ICOUNT_SEED);
	lab_fields_add(fields, "seed", number);
	return 0;
}

const struct lab_kind lab_virtual = {
	.name = "virtual",
	.kvm = VM_KVM_OFF,
	.channel = JOB_CHANNEL_COM2,
	.command_line = "console=ttyS0 earlyprintk=ttyS0 panic=-1 nokaslr norandmaps "
			"random.trust_cpu=off random.trust_bootloader=off "
			"null_blk.nr_devices=0 clocksource=tsc tsc=reliable "
			"rcupdate.rcu_expedited=0 mitigations=off",
	.limits_by_cpu = 1,
	.instruction_time = 1 << ICOUNT_SHIFT,
	.parallel = parallel,
	.check = check,
	.file_system_size = file_system_size,
	.describe = describe,
	.add_disks = add_disks,
	.add_fields = add_fields,
};
