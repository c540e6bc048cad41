/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/vm.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/process.h"
#include "vm/host_private.h"
#include "vm/pidfile.h"
#include "vm/tail.h"

#include <libvirt/libvirt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* How long QEMU may take to end once killed before libvirt is asked instead. */
enum { KILL_MILLISECONDS = 5000, KILL_STEP = 1 };

struct vm {
	struct vm_host *host;
	struct guest *guest;
	virDomainPtr domain;
	pid_t pid;          /* of QEMU; 0 where it is not our child */
	double cpu_seconds; /* the last that was seen: the clock ends with the process */
	int stop_asked;
	double started;
	double first_result; /* process_now(); 0: none yet */
	struct tail results;
	struct tail fallback;
	struct tail console_file;
	struct console console;
};

static const char *const state_names[] = {
	[VM_RUNNING] = "running", [VM_POWERED_OFF] = "powered off",
	[VM_RESET] = "reset",     [VM_KILLED] = "stopped",
	[VM_LOST] = "lost",
};

const char *vm_state_name(enum vm_state state)
{
	return state_names[state];
}

static int start_domain(struct vm *vm, const char *name, const char *xml,
			struct error *err)
{
	struct vm_host *host = vm->host;

	vm->guest = host_guest_add(host, name);
	if (host->alias)
		reaper_watch(host->reaper, host->alias);
	vm->domain = virDomainCreateXML(host->connection, xml, 0);
	if (host->alias)
		reaper_unwatch(host->reaper);
	if (vm->domain)
		return 0;
	host_guest_remove(host, vm->guest);
	vm->guest = NULL;
	return host_libvirt_error(err, "guest %s does not start", name);
}

/* Only of the embedded driver: a daemon's QEMU is the daemon's child. */
static void adopt_process(struct vm *vm, const char *name)
{
	CLEANUP(cleanup_free) char *path = NULL;

	if (!vm->host->alias)
		return;
	path = memory_format("%s/run/qemu/%s.pid", vm->host->alias, name);
	vm->pid = pidfile_read(path);
	reaper_take(vm->host->reaper, vm->pid);
}

int vm_start(struct vm_host *host, const struct vm_spec *spec, struct vm **ret_vm,
	     struct error *err)
{
	CLEANUP(text_finish) struct text xml = {0};
	struct vm *vm;

	if (spec->accelerator == VM_KVM && !host->facts.kvm)
		return error_set(err, ERROR_HOST, "guest %s: KVM is not usable here",
				 spec->name ? spec->name : "");
	if (vm_domain_xml(spec, host->emulator, &host->owner, &xml, err))
		return -1;
	vm = memory_new(1, sizeof(*vm));
	vm->host = host;
	tail_init(&vm->results, spec->results_path);
	tail_init(&vm->fallback,
		  spec->channel == VM_CHANNEL_VIRTIO ? spec->fallback_path : NULL);
	tail_init(&vm->console_file, spec->console_path);
	if (start_domain(vm, spec->name, text_string(&xml), err)) {
		vm_destroy(vm);
		return -1;
	}
	adopt_process(vm, spec->name);
	vm->started = process_now();
	*ret_vm = vm;
	return 0;
}

static int read_console(struct vm *vm, int *ret_more, struct error *err)
{
	CLEANUP(text_finish) struct text bytes = {0};

	if (tail_read(&vm->console_file, VM_POLL_BYTES, &bytes, ret_more, err))
		return -1;
	if (bytes.size)
		console_add(&vm->console, bytes.data, bytes.size);
	return 0;
}

static int read_files(struct vm *vm, struct text *results, int *ret_more,
		      struct error *err)
{
	int more_results, more_fallback, more_console;

	if (tail_read(&vm->results, VM_POLL_BYTES, results, &more_results, err) ||
	    tail_read(&vm->fallback, VM_POLL_BYTES, results, &more_fallback, err) ||
	    read_console(vm, &more_console, err))
		return -1;
	if (!vm->first_result && vm->results.offset + vm->fallback.offset)
		vm->first_result = process_now();
	*ret_more = more_results || more_fallback || more_console;
	return 0;
}

static enum vm_state state_of(const struct vm *vm, enum guest_end end)
{
	switch (end) {
	case GUEST_RUNS:
		return VM_RUNNING;
	case GUEST_POWERED_OFF:
		return VM_POWERED_OFF;
	case GUEST_RESET:
		return VM_RESET;
	case GUEST_GONE:
		break;
	}
	return vm->stop_asked ? VM_KILLED : VM_LOST;
}

static double latest(double a, double b)
{
	return a > b ? a : b;
}

static void tell_times(const struct vm *vm, double until, struct vm_status *status)
{
	double result = latest(vm->results.last, vm->fallback.last);

	status->seconds = until - vm->started;
	status->first_result = vm->first_result ? vm->first_result - vm->started : -1;
	status->silent_seconds = latest(0, until - latest(vm->started, result));
	status->console_silent_seconds =
		latest(0, until - latest(vm->started, vm->console_file.last));
}

static void tell_console(const struct vm *vm, struct vm_status *status)
{
	status->console_bytes = vm->console_file.offset;
	status->panicked = vm->console.panicked;
	strcpy(status->trouble, vm->console.trouble);
	strcpy(status->last_line, console_last_line(&vm->console));
}

static void tell_exit(const struct vm *vm, struct vm_status *status)
{
	int wait_status;

	status->qemu_exit = -1;
	if (!vm->pid || reaper_ended(vm->host->reaper, vm->pid, &wait_status))
		return;
	if (WIFSIGNALED(wait_status))
		status->qemu_signal = WTERMSIG(wait_status);
	else
		status->qemu_exit = WEXITSTATUS(wait_status);
}

static void tell_cpu(struct vm *vm, struct vm_status *status)
{
	struct timespec used;
	clockid_t clock;

	if (vm->pid && !clock_getcpuclockid(vm->pid, &clock) &&
	    !clock_gettime(clock, &used))
		vm->cpu_seconds = (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
	status->cpu_seconds = vm->cpu_seconds;
}

int vm_poll(struct vm *vm, struct text *results, struct vm_status *ret_status,
	    struct error *err)
{
	struct vm_status status = {0};
	double end_time;
	/* First the end, then the files: what was written before it is not missed. */
	enum guest_end end = host_guest_end(vm->host, vm->guest, &end_time);

	if (read_files(vm, results, &status.more, err))
		return error_prefix(err, "guest %s", virDomainGetName(vm->domain));
	status.state = state_of(vm, end);
	status.result_bytes = vm->results.offset + vm->fallback.offset;
	tell_times(vm, end == GUEST_RUNS ? process_now() : end_time, &status);
	tell_cpu(vm, &status);
	tell_console(vm, &status);
	tell_exit(vm, &status);
	*ret_status = status;
	return 0;
}

static int is_reaped(const struct vm *vm)
{
	int status;

	return reaper_ended(vm->host->reaper, vm->pid, &status) == 0;
}

/* Kills QEMU by itself: libvirt's own way takes steps of 200 ms. */
static int kill_process(const struct vm *vm)
{
	struct timespec step = {.tv_nsec = KILL_STEP * 1000000L};

	if (!vm->pid)
		return -1;
	if (reaper_kill(vm->host->reaper, vm->pid) && !is_reaped(vm))
		return -1;
	for (int i = 0; i < KILL_MILLISECONDS / KILL_STEP; i++) {
		if (is_reaped(vm))
			return 0;
		nanosleep(&step, NULL);
	}
	return -1;
}

void vm_stop(struct vm *vm)
{
	double unused;

	if (host_guest_end(vm->host, vm->guest, &unused) != GUEST_RUNS)
		return;
	vm->stop_asked = 1;
	if (kill_process(vm))
		virDomainDestroy(vm->domain);
	host_guest_ended(vm->host, vm->guest);
}

const char *vm_qemu_log(const struct vm *vm)
{
	return vm->guest->log;
}

void vm_destroy(struct vm *vm)
{
	if (!vm)
		return;
	if (vm->domain) {
		vm_stop(vm);
		if (kill_process(vm))
			virDomainDestroy(vm->domain);
		virDomainFree(vm->domain);
		host_guest_abandon(vm->host, vm->guest);
		reaper_forget(vm->host->reaper, vm->pid);
	}
	tail_finish(&vm->results);
	tail_finish(&vm->fallback);
	tail_finish(&vm->console_file);
	free(vm);
}
