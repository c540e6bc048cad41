/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guests as libvirt's events tell of them. */
#include "base/memory.h"
#include "base/process.h"
#include "vm/host_private.h"

#include <libvirt/libvirt-qemu.h>
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int host_libvirt_error(struct error *err, const char *format, ...)
{
	const char *cause = virGetLastErrorMessage();
	char text[ERROR_TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_HOST, "%s: %s", text, cause);
}

static struct guest *find(struct vm_host *host, const char *name)
{
	for (struct guest *guest = host->guests; guest; guest = guest->next)
		if (!strcmp(guest->name, name) && !guest->stopped)
			return guest;
	return NULL;
}

/* The lock is held. */
static void unlink_guest(struct vm_host *host, struct guest *guest)
{
	struct guest **link = &host->guests;

	while (*link != guest)
		link = &(*link)->next;
	*link = guest->next;
	if (guest->log)
		unlink(guest->log);
	free(guest->log);
	free(guest->name);
	free(guest);
}

struct guest *host_guest_add(struct vm_host *host, const char *name)
{
	struct guest *guest = memory_new(1, sizeof(*guest));

	guest->name = memory_copy_string(name);
	if (host->alias)
		guest->log = memory_format("%s/log/qemu/%s.log", host->root, name);
	pthread_mutex_lock(&host->lock);
	guest->next = host->guests;
	host->guests = guest;
	pthread_mutex_unlock(&host->lock);
	return guest;
}

enum guest_end host_guest_end(struct vm_host *host, const struct guest *guest,
			      double *ret_time)
{
	enum guest_end end;

	pthread_mutex_lock(&host->lock);
	end = guest->end;
	*ret_time = guest->end_time;
	pthread_mutex_unlock(&host->lock);
	return end;
}

void host_guest_ended(struct vm_host *host, struct guest *guest)
{
	pthread_mutex_lock(&host->lock);
	if (guest->end == GUEST_RUNS) {
		guest->end = GUEST_GONE;
		guest->end_time = process_now();
	}
	pthread_mutex_unlock(&host->lock);
}

void host_guest_remove(struct vm_host *host, struct guest *guest)
{
	pthread_mutex_lock(&host->lock);
	unlink_guest(host, guest);
	pthread_mutex_unlock(&host->lock);
}

void host_guest_abandon(struct vm_host *host, struct guest *guest)
{
	pthread_mutex_lock(&host->lock);
	guest->abandoned = 1;
	if (guest->stopped)
		unlink_guest(host, guest);
	pthread_mutex_unlock(&host->lock);
}

static struct timespec deadline(double seconds)
{
	struct timespec time;
	double whole;

	clock_gettime(CLOCK_MONOTONIC, &time);
	seconds += (double)time.tv_nsec * 1e-9;
	whole = (double)(time_t)seconds;
	time.tv_sec += (time_t)whole;
	time.tv_nsec = (long)((seconds - whole) * 1e9);
	return time;
}

void vm_host_wait(struct vm_host *host, unsigned milliseconds)
{
	struct timespec until = deadline(milliseconds * 1e-3);

	pthread_mutex_lock(&host->lock);
	pthread_cond_timedwait(&host->changed, &host->lock, &until);
	pthread_mutex_unlock(&host->lock);
}

int host_guests_wait(struct vm_host *host, double seconds)
{
	struct timespec until = deadline(seconds);
	int left = 0;

	pthread_mutex_lock(&host->lock);
	while (host->guests &&
	       pthread_cond_timedwait(&host->changed, &host->lock, &until) == 0)
		;
	for (const struct guest *guest = host->guests; guest; guest = guest->next)
		left++;
	pthread_mutex_unlock(&host->lock);
	return left;
}

static void note_end(struct vm_host *host, const char *name, enum guest_end end,
		     int stopped)
{
	struct guest *guest;

	pthread_mutex_lock(&host->lock);
	guest = find(host, name);
	if (guest && guest->end == GUEST_RUNS) {
		guest->end = end;
		guest->end_time = process_now();
	}
	if (guest && stopped) {
		guest->stopped = 1;
		if (guest->abandoned)
			unlink_guest(host, guest);
	}
	pthread_cond_broadcast(&host->changed);
	pthread_mutex_unlock(&host->lock);
}

static int on_lifecycle(virConnectPtr connection, virDomainPtr domain, int event,
			int detail, void *opaque)
{
	(void)connection;
	(void)detail;
	if (event == VIR_DOMAIN_EVENT_STOPPED)
		note_end(opaque, virDomainGetName(domain), GUEST_GONE, 1);
	return 0;
}

/*
 * QEMU's own event tells a reset from a power-off, which libvirt's does not. Killed by
 * a signal or a monitor command, it names no guest.
 */
static void on_shutdown(virConnectPtr connection, virDomainPtr domain, const char *event,
			long long seconds, unsigned int microseconds, const char *details,
			void *opaque)
{
	enum guest_end end = GUEST_GONE;

	(void)connection;
	(void)event;
	(void)seconds;
	(void)microseconds;
	if (details && strstr(details, "\"guest-shutdown\""))
		end = GUEST_POWERED_OFF;
	else if (details && strstr(details, "\"guest-reset\""))
		end = GUEST_RESET;
	note_end(opaque, virDomainGetName(domain), end, 0);
}

int host_watch_guests(struct vm_host *host, struct error *err)
{
	host->lifecycle_callback = virConnectDomainEventRegisterAny(
		host->connection, NULL, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
		VIR_DOMAIN_EVENT_CALLBACK(on_lifecycle), host, NULL);
	if (host->lifecycle_callback < 0)
		return host_libvirt_error(err, "libvirt tells no events");
	/* Other drivers than QEMU's have no such event: a reset is a power-off there. */
	host->shutdown_callback = virConnectDomainQemuMonitorEventRegister(
		host->connection, NULL, "SHUTDOWN", on_shutdown, host, NULL, 0);
	return 0;
}

void host_unwatch_guests(struct vm_host *host)
{
	if (host->lifecycle_callback >= 0)
		virConnectDomainEventDeregisterAny(host->connection,
						   host->lifecycle_callback);
	if (host->shutdown_callback >= 0)
		virConnectDomainQemuMonitorEventDeregister(host->connection,
							   host->shutdown_callback);
}
