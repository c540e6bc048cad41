/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share about a host. Not for other layers.
 */
#ifndef VM_HOST_PRIVATE_H
#define VM_HOST_PRIVATE_H

#include "base/text.h"
#include "vm/events.h"
#include "vm/host.h"
#include "vm/owner.h"
#include "vm/reaper.h"

#include <pthread.h>

struct _virConnect;

enum guest_end {
	GUEST_RUNS,
	GUEST_POWERED_OFF,
	GUEST_RESET,
	GUEST_GONE, /* without a word */
};

/* What libvirt's events told of a guest. Lives until the domain is gone. */
struct guest {
	char *name;
	char *log; /* QEMU's, removed at last: libvirt writes its end too; NULL: none */
	enum guest_end end;
	double end_time; /* process_now() */
	int stopped;     /* libvirt has forgotten the domain */
	int abandoned;   /* nobody looks any more: freed once stopped */
	struct guest *next;
};

struct vm_host {
	struct _virConnect *connection;
	struct events *events;
	struct reaper *reaper;
	struct vm_owner owner;
	char *root;         /* resolved; NULL where libvirt runs elsewhere */
	char *alias;        /* a short and plain name for root, used for libvirt */
	char *alias_folder; /* temporary, holds the alias; NULL: alias is root itself */
	int lock_fd;
	char *uri;
	char *emulator;
	struct text notes;
	struct vm_host_facts facts;
	int lifecycle_callback;
	int shutdown_callback;
	pthread_mutex_t lock; /* of guests */
	pthread_cond_t changed;
	struct guest *guests;
};

/* libvirt's last error as ours. Returns -1. */
__attribute__((format(printf, 2, 3))) int host_libvirt_error(struct error *err,
							     const char *format, ...);

/* Known before the domain is, so that no event is lost. */
struct guest *host_guest_add(struct vm_host *host, const char *name);
/* The end so far, and since when. */
enum guest_end host_guest_end(struct vm_host *host, const struct guest *guest,
			      double *ret_time);
/* QEMU is known to be dead: the end, where libvirt has not told of one yet. */
void host_guest_ended(struct vm_host *host, struct guest *guest);
/* Where the domain never came to be. */
void host_guest_remove(struct vm_host *host, struct guest *guest);
/* Nobody asks for it any more; libvirt may still be busy with its end. */
void host_guest_abandon(struct vm_host *host, struct guest *guest);
/* Waits until every guest is gone, at most so long; the number of those left. */
int host_guests_wait(struct vm_host *host, double seconds);

/* Registers for libvirt's events; they end with the connection. */
int host_watch_guests(struct vm_host *host, struct error *err);
void host_unwatch_guests(struct vm_host *host);

#endif
