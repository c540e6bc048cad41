/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "lab/boot_files.h"
#include "lab/collect.h"
#include "lab/initramfs.h"
#include "lab/judge_boot.h"
#include "lab/judge_device.h"
#include "lab/kind.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much longer a boot may take while its blocks are counted. */
enum { COUNTING_COST = 3 };

struct lab_boot {
	struct lab *lab;
	const struct kernel *kernel;
	const struct scenario *scenario;
	char *initramfs, *results; /* removed at the end */
	char *counts;              /* likewise; NULL: nothing is counted */
	struct lab_hold hold;
	struct vm *vm;
	struct collector *collector;
	uint64_t records;              /* at the last sign of life */
	double last_sign;              /* on the clock of the limits */
	double cpu_seconds, cpu_moved; /* QEMU's CPU time, and when it last grew */
	struct evidence evidence;
};

static char *file_of(const struct lab *lab, const char *name, const char *suffix)
{
	return memory_format("%s/%s%s", lab->options.boots, name, suffix);
}

/* QEMU's own words tell what it lacks: plugins at all, or this version of them. */
static int start_counting(struct lab_boot *boot, struct vm_spec *spec, struct error *err)
{
	const struct vm_plugin plugin = {
		.file = boot->lab->options.blocks,
		.output = boot->counts,
	};

	if (lab_check_counting(boot->lab, err))
		return -1;
	spec->plugin = &plugin;
	if (vm_start(boot->lab->host, spec, &boot->vm, err))
		return error_prefix(err, "with %s in QEMU", plugin.file);
	return 0;
}

static int start_vm(struct lab_boot *boot, const struct lab_request *request,
		    struct error *err)
{
	struct vm_spec spec = {
		.name = request->name,
		.kernel = request->kernel->image,
		.initrd = boot->initramfs,
		.cmdline = boot->lab->kind->command_line,
		.console_path = boot->evidence.console_path,
		.results_path = boot->results,
	};

	if (boot->lab->kind->describe(boot->lab, request, &boot->hold, &spec, err))
		return -1;
	if (boot->counts)
		return start_counting(boot, &spec, err);
	return vm_start(boot->lab->host, &spec, &boot->vm, err);
}

static void cleanup_boot(struct lab_boot **boot)
{
	lab_boot_destroy(*boot);
}

int lab_start(struct lab *lab, const struct lab_request *request,
	      struct lab_boot **ret_boot, struct error *err)
{
	CLEANUP(cleanup_boot) struct lab_boot *boot = memory_new(1, sizeof(*boot));

	boot->lab = lab;
	boot->kernel = request->kernel;
	boot->scenario = request->scenario;
	boot->initramfs = file_of(lab, request->name, BOOT_INITRAMFS_SUFFIX);
	boot->results = file_of(lab, request->name, BOOT_RESULTS_SUFFIX);
	if (request->count_blocks)
		boot->counts = file_of(lab, request->name, BOOT_COUNTS_SUFFIX);
	boot->evidence.console_path = file_of(lab, request->name, ".console.log");
	boot->evidence.started = clock_now();
	boot->collector = collector_create(request->scenario);
	if (initramfs_write(lab, request, boot->initramfs, err))
		return -1;
	if (start_vm(boot, request, err))
		return -1;
	*ret_boot = TAKE(boot);
	return 0;
}

/* A record is a sign of life; console noise is not. */
static void note_signs(struct lab_boot *boot, const struct collector_state *state,
		       double seconds)
{
	if (state->records == boot->records)
		return;
	boot->records = state->records;
	boot->last_sign = seconds;
}

/* How long it has run, been silent, and been idle. */
static void tell_time(struct lab_boot *boot, struct boot_facts *facts)
{
	int by_cpu = boot->lab->kind->limits_by_cpu && facts->status.cpu_seconds > 0;

	facts->seconds = by_cpu ? facts->status.cpu_seconds : facts->status.seconds;
	if (boot->counts)
		facts->seconds /= COUNTING_COST;
	note_signs(boot, &facts->collected, facts->seconds);
	facts->silent_seconds = facts->seconds - boot->last_sign;
	if (!by_cpu)
		return;
	if (facts->status.cpu_seconds > boot->cpu_seconds) {
		boot->cpu_seconds = facts->status.cpu_seconds;
		boot->cpu_moved = facts->status.seconds;
	}
	facts->idle_seconds = facts->status.seconds - boot->cpu_moved;
}

static void conclude(struct lab_boot *boot, const struct boot_facts *facts)
{
	collector_end(boot->collector, boot_run_end(facts), &boot->evidence);
	judge_devices(boot->scenario, boot->lab->options.classes, &boot->evidence);
	judge_boot(facts, &boot->evidence);
	boot->evidence.seconds = facts->status.seconds;
}

/* All that came since the last look; a guest that ended is read to its last byte. */
static void read_guest(struct lab_boot *boot, struct vm_status *status)
{
	CLEANUP(text_finish) struct text results = {0};
	struct error err = {0};

	do {
		text_clear(&results);
		if (vm_poll(boot->vm, &results, status, &err)) {
			evidence_fail(&boot->evidence, OUTCOME_INFRASTRUCTURE, "%s",
				      err.text);
			status->state = VM_LOST;
			return;
		}
		collector_feed(boot->collector, text_string(&results), results.size);
	} while (status->more && status->state != VM_RUNNING);
}

int lab_poll(struct lab_boot *boot)
{
	struct boot_facts facts = {.kernel = boot->kernel, .scenario = boot->scenario};

	read_guest(boot, &facts.status);
	facts.collected = collector_state(boot->collector);
	tell_time(boot, &facts);
	if (facts.status.state == VM_RUNNING && !boot_must_end(&facts))
		return 0;
	vm_stop(boot->vm);
	conclude(boot, &facts);
	return 1;
}

const struct evidence *lab_boot_evidence(const struct lab_boot *boot)
{
	return &boot->evidence;
}

int lab_boot_counts(const struct lab_boot *boot, struct text *counts, struct error *err)
{
	return file_read(boot->counts, BOOT_COUNTS_MAX, counts, err);
}

void lab_boot_destroy(struct lab_boot *boot)
{
	if (!boot)
		return;
	vm_destroy(boot->vm);
	lab_hold_finish(&boot->hold);
	collector_destroy(boot->collector);
	if (boot->initramfs)
		unlink(boot->initramfs);
	if (boot->results)
		unlink(boot->results);
	if (boot->counts)
		unlink(boot->counts);
	evidence_finish(&boot->evidence);
	free(boot->initramfs);
	free(boot->results);
	free(boot->counts);
	free(boot);
}
