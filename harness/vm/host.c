/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "vm/account.h"
#include "vm/environment.h"
#include "vm/host_private.h"
#include "vm/kvm.h"
#include "vm/leftovers.h"
#include "vm/root.h"

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define EMULATOR "qemu-system-x86_64"

enum { GUESTS_WAIT_SECONDS = 10 };

/* Errors are handed on as ours; libvirt would print each on stderr too. */
static void be_quiet(void *opaque, virErrorPtr error)
{
	(void)opaque;
	(void)error;
}

static int find_emulator(char **ret_path, struct error *err)
{
	*ret_path = process_locate(EMULATOR);
	if (*ret_path)
		return 0;
	return error_set(err, ERROR_HOST,
			 EMULATOR " is not in PATH: install package qemu-system-x86");
}

static void hide_kvm(struct vm_host *host, const char *why)
{
	CLEANUP(cleanup_free) char *mask = file_join(host->root, "no-kvm");
	struct error err;

	if (kvm_hide(mask, &err) == 0)
		return;
	text_format(
		&host->notes,
		"%s, and it cannot be hidden from libvirt (%s): libvirt may ask QEMU "
		"anew for each guest, up to a minute. To avoid it run as root or take "
		"away the right to open /dev/kvm.\n",
		why, err.text);
}

static void settle_kvm(struct vm_host *host, enum vm_kvm_wish wish)
{
	CLEANUP(cleanup_free) char *cache = file_join(host->root, "kvm-verdict");

	if (wish == VM_KVM_OFF) {
		if (kvm_visible())
			hide_kvm(host, "/dev/kvm is not wanted");
		return;
	}
	switch (kvm_probe(cache)) {
	case KVM_WORKS:
		host->facts.kvm = 1;
		return;
	case KVM_ABSENT:
		text_add(&host->notes, "No /dev/kvm for this user: guests run emulated "
				       "(TCG), some ten times slower.\n");
		return;
	case KVM_DEAD:
		text_add(&host->notes,
			 "/dev/kvm opens but guests do not run under it at a usable "
			 "speed: guests run emulated (TCG).\n");
		hide_kvm(host, "/dev/kvm does not work");
	}
}

/*
 * libvirt's own log goes to a file, errors only, unless the user chose otherwise. For
 * ordinary users the driver keeps some state in their home, which need not exist.
 */
static void set_environment(const struct vm_host *host, struct environment *environment)
{
	static const char *const folders[] = {"XDG_CACHE_HOME", "XDG_CONFIG_HOME",
					      "XDG_RUNTIME_DIR", NULL};
	CLEANUP(cleanup_free)
	char *log = host->alias ? memory_format("4:file:%s/libvirt.log", host->alias)
				: memory_copy_string("4:file:/dev/null");

	if (!getenv("LIBVIRT_LOG_OUTPUTS"))
		environment_set(environment, "LIBVIRT_LOG_OUTPUTS", log);
	for (size_t i = 0; host->alias && folders[i]; i++) {
		CLEANUP(cleanup_free) char *folder = file_join(host->alias, "user");

		environment_set(environment, folders[i], folder);
	}
}

static int connect_libvirt(struct vm_host *host, struct error *err)
{
	CLEANUP(environment_restore) struct environment environment = {0};

	set_environment(host, &environment);
	virSetErrorFunc(NULL, be_quiet);
	if (virInitialize())
		return host_libvirt_error(err, "libvirt does not start");
	if (events_start(&host->events, err) || reaper_start(&host->reaper, err))
		return -1;
	/* QEMU is probed while connecting and at the first question, until all is known.
	 */
	if (host->alias)
		reaper_watch(host->reaper, host->alias);
	host->connection = virConnectOpen(host->uri);
	if (!host->connection)
		return host_libvirt_error(err, "libvirt %s", host->uri);
	return host_watch_guests(host, err);
}

static unsigned version_of(int (*get)(virConnectPtr, unsigned long *),
			   virConnectPtr connection)
{
	unsigned long version = 0;

	return get(connection, &version) ? 0 : (unsigned)version;
}

static void gather_facts(struct vm_host *host)
{
	host->facts.uri = host->uri;
	host->facts.emulator = host->emulator;
	host->facts.libvirt_version =
		version_of(virConnectGetLibVersion, host->connection);
	host->facts.qemu_version = version_of(virConnectGetVersion, host->connection);
	host->facts.leftovers += leftovers_end_on(host->connection);
	host->facts.notes = text_string(&host->notes);
}

static int open_host(struct vm_host *host, const struct vm_host_options *options,
		     struct error *err)
{
	if (vm_owner_self(&host->owner, err) || find_emulator(&host->emulator, err) ||
	    root_open(options->root, &host->root, &host->lock_fd, err))
		return -1;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return error_system(err, "cannot become a subreaper");
	if (options->uri) {
		host->uri = memory_copy_string(options->uri);
	} else {
		if (root_prepare(host->root, &host->alias, &host->alias_folder, err) ||
		    account_provide(host->root, err))
			return -1;
		host->uri = memory_format("qemu:///embed?root=%s", host->alias);
		host->facts.leftovers = leftovers_end_in_root(host->root);
		settle_kvm(host, options->kvm);
	}
	if (connect_libvirt(host, err))
		return -1;
	gather_facts(host);
	if (host->alias)
		reaper_unwatch(host->reaper);
	return 0;
}

int vm_host_open(const struct vm_host_options *options, struct vm_host **ret_host,
		 struct error *err)
{
	struct vm_host *host = memory_new(1, sizeof(*host));
	pthread_condattr_t monotonic;

	host->lock_fd = host->lifecycle_callback = host->shutdown_callback = -1;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&host->lock, NULL);
	pthread_cond_init(&host->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (open_host(host, options, err)) {
		vm_host_close(host);
		return error_prefix(err, "VM host");
	}
	*ret_host = host;
	return 0;
}

static void disconnect(struct vm_host *host)
{
	if (host->connection) {
		host_guests_wait(host, GUESTS_WAIT_SECONDS);
		host_unwatch_guests(host);
		virConnectClose(host->connection);
	}
	events_stop(host->events);
	reaper_stop(host->reaper);
}

void vm_host_close(struct vm_host *host)
{
	if (!host)
		return;
	disconnect(host);
	while (host->guests)
		host_guest_remove(host, host->guests);
	pthread_cond_destroy(&host->changed);
	pthread_mutex_destroy(&host->lock);
	root_close(host->alias, host->alias_folder, host->lock_fd);
	text_finish(&host->notes);
	free(host->root);
	free(host->alias);
	free(host->alias_folder);
	free(host->uri);
	free(host->emulator);
	free(host);
}

const struct vm_host_facts *vm_host_facts(const struct vm_host *host)
{
	return &host->facts;
}
