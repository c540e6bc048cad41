/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/kind.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "disks/pci.h"
#include "lab/disk_check.h"
#include "lab/disk_choice.h"
#include "lab/disk_fields.h"
#include "lab/disk_request.h"

#include <stdio.h>
#include <string.h>

/* QEMU's default for TCG, named so that it is part of the environment. */
#define TCG_CPU "qemu64"

static unsigned parallel(const struct lab *lab)
{
	(void)lab;
	return 1; /* a second guest would take time from the first, whatever its disk */
}

static int has_kvm(const struct lab *lab)
{
	return vm_host_facts(lab->host)->kvm;
}

static int check(const struct lab *lab, const struct scenario *scenario,
		 struct error *err)
{
	return disk_check_scenario(lab->options.config, scenario, err);
}

static uint64_t file_system_size(const struct scenario *scenario,
				 const struct scenario_case *scenario_case)
{
	return disk_file_system_size(scenario, scenario_case);
}

/* --- the guest */

/* Only virtio has threads of its own for I/O; each disk gets one. */
static unsigned assign_iothread(const struct config_disk *disk, struct vm_spec *spec)
{
	if (!disk->iothread ||
	    (disk->bus != CONFIG_BUS_VIRTIO && disk->bus != CONFIG_BUS_SCSI))
		return 0;
	return ++spec->iothreads;
}

static void attach_disk(const struct config_disk *disk, const struct block *block,
			struct vm_spec *spec, struct vm_disk *target)
{
	static const enum vm_bus buses[] = {
		[CONFIG_BUS_VIRTIO] = VM_BUS_VIRTIO, [CONFIG_BUS_SCSI] = VM_BUS_SCSI,
		[CONFIG_BUS_SATA] = VM_BUS_SATA,     [CONFIG_BUS_IDE] = VM_BUS_IDE,
		[CONFIG_BUS_NVME] = VM_BUS_NVME,
	};

	*target = (struct vm_disk){
		.source = disk->device,
		.kind = disk->attach == CONFIG_ATTACH_FILE ? VM_DISK_FILE : VM_DISK_BLOCK,
		.bus = buses[disk->bus],
		.serial = disk->serial,
		.cache = config_cache_names[disk->cache],
		.io = config_io_names[disk->io],
		.queues = (unsigned)disk->queues,
		.iothread = assign_iothread(disk, spec),
		.logical_block = (unsigned)block->logical_block,
		.physical_block = (unsigned)block->physical_block,
	};
}

static void attach_function(const char *address, struct vm_pci *target)
{
	struct pci_address parsed = {0};

	pci_parse(address, &parsed); /* was judged before */
	*target =
		(struct vm_pci){parsed.domain, parsed.bus, parsed.slot, parsed.function};
}

static int attach(const struct config_disk *disk, struct lab_hold *hold,
		  struct vm_spec *spec, struct error *err)
{
	struct disk_request request = disk_request_of(disk);
	CLEANUP(block_finish) struct block block = {0};

	if (disk_claim_take(&disk_roots_host, &request, &hold->claims[hold->claim_count],
			    err))
		return -1;
	hold->claim_count++;
	if (disk->attach == CONFIG_ATTACH_PCI) {
		attach_function(disk->device, &hold->pci[spec->pci_count++]);
		return 0;
	}
	if (disk_check_describe(disk, &block, err))
		return -1;
	attach_disk(disk, &block, spec, &hold->disks[spec->disk_count++]);
	return 0;
}

static int attach_all(const struct lab *lab, const struct scenario *scenario,
		      struct lab_hold *hold, struct vm_spec *spec, struct error *err)
{
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};

	if (disk_choice_of_scenario(lab->options.config, scenario, &choice, err))
		return -1;
	hold->claims = memory_new(choice.count, sizeof(*hold->claims));
	hold->disks = memory_new(choice.count, sizeof(*hold->disks));
	hold->pci = memory_new(choice.count, sizeof(*hold->pci));
	spec->disks = hold->disks;
	spec->pci = hold->pci;
	for (size_t i = 0; i < choice.count; i++)
		if (attach(choice.items[i], hold, spec, err))
			return -1;
	return 0;
}

static int describe(const struct lab *lab, const struct lab_request *request,
		    struct lab_hold *hold, struct vm_spec *spec, struct error *err)
{
	const struct config *config = lab->options.config;

	spec->memory_mib = (unsigned)(config->disk_lab.memory >> 20);
	spec->vcpus = (unsigned)config->disk_lab.vcpus;
	spec->machine = config->disk_lab.machine;
	spec->accelerator = has_kvm(lab) ? VM_KVM : VM_TCG;
	spec->cpu = has_kvm(lab) ? NULL : TCG_CPU;
	spec->channel = VM_CHANNEL_SERIAL;
	spec->huge_pages = config->disk_lab.huge_pages;
	spec->pins = (struct vm_pins){
		.vcpus = config->disk_lab.vcpu_pins.count
				 ? (const char *const *)config->disk_lab.vcpu_pins.items
				 : NULL,
		.emulator = config->disk_lab.emulator_pins,
		.iothreads = config->disk_lab.iothread_pins,
	};
	return attach_all(lab, request->scenario, hold, spec, err);
}

/* --- the job */

static int add_disks(const struct lab *lab, const struct scenario_case *scenario_case,
		     const char *image, struct job_case *job_case, struct error *err)
{
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};

	if (disk_choice_of_case(lab->options.config, scenario_case, &choice, err))
		return -1;
	for (size_t i = 0; i < choice.count; i++) {
		struct job_disk *disk =
			job_case_add_disk(job_case, choice.items[i]->serial);

		if (!disk)
			return error_set(err, ERROR_USAGE, "case %s: too many disks",
					 scenario_case->label);
		disk->kind = JOB_DISK_SERIAL;
		snprintf(disk->image, sizeof(disk->image), "%s", image);
	}
	return 0;
}

/* --- the environment */

static void add_number(struct lab_fields *fields, const char *name, uint64_t value)
{
	CLEANUP(cleanup_free)
	char *text = memory_format("%llu", (unsigned long long)value);

	lab_fields_add(fields, name, text);
}

static void add_pins(const struct config *config, struct lab_fields *fields)
{
	CLEANUP(text_finish) struct text vcpus = {0};
	const char *emulator = config->disk_lab.emulator_pins;
	const char *iothreads = config->disk_lab.iothread_pins;

	for (size_t i = 0; i < config->disk_lab.vcpu_pins.count; i++)
		text_format(&vcpus, "%s%s", i ? " " : "",
			    config->disk_lab.vcpu_pins.items[i]);
	lab_fields_add(fields, "vcpu_pins", text_string(&vcpus));
	lab_fields_add(fields, "emulator_pins", emulator ? emulator : "");
	lab_fields_add(fields, "iothread_pins", iothreads ? iothreads : "");
}

static int add_fields(struct lab *lab, const struct scenario *scenario,
		      struct lab_fields *fields, struct error *err)
{
	const struct config *config = lab->options.config;
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};

	lab_fields_add(fields, "accelerator", has_kvm(lab) ? "kvm" : "tcg");
	lab_fields_add(fields, "cpu", has_kvm(lab) ? "host" : TCG_CPU);
	lab_fields_add(fields, "machine", config->disk_lab.machine);
	add_number(fields, "memory_mib", config->disk_lab.memory >> 20);
	add_number(fields, "vcpus", config->disk_lab.vcpus);
	lab_fields_add(fields, "huge_pages", config->disk_lab.huge_pages ? "yes" : "no");
	add_pins(config, fields);
	disk_fields_add_host(fields);
	if (disk_choice_of_scenario(config, scenario, &choice, err))
		return -1;
	return disk_fields_add_disks(&choice, fields, err);
}

const struct lab_kind lab_disk = {
	.name = "disk",
	.kvm = VM_KVM_PROBE,
	.channel = JOB_CHANNEL_COM2,
	.command_line = "console=ttyS0 earlyprintk=ttyS0 panic=-1 tsc=reliable "
			"null_blk.nr_devices=0",
	.parallel = parallel,
	.check = check,
	.file_system_size = file_system_size,
	.describe = describe,
	.add_disks = add_disks,
	.add_fields = add_fields,
};
