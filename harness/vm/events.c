/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/events.h"

#include "base/memory.h"

#include <libvirt/libvirt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct events {
	pthread_t thread;
	atomic_int quit;
};

static void *run(void *opaque)
{
	struct events *events = opaque;

	while (!atomic_load(&events->quit))
		virEventRunDefaultImpl();
	return NULL;
}

int events_start(struct events **ret_events, struct error *err)
{
	struct events *events;

	if (virEventRegisterDefaultImpl())
		return error_set(err, ERROR_HOST, "libvirt's event loop does not start");
	events = memory_new(1, sizeof(*events));
	if (pthread_create(&events->thread, NULL, run, events)) {
		free(events);
		return error_set(err, ERROR_HOST, "the event thread does not start");
	}
	*ret_events = events;
	return 0;
}

static void wake(int timer, void *opaque)
{
	(void)opaque;
	virEventRemoveTimeout(timer);
}

void events_stop(struct events *events)
{
	if (!events)
		return;
	atomic_store(&events->quit, 1);
	virEventAddTimeout(0, wake, NULL, NULL);
	pthread_join(events->thread, NULL);
	free(events);
}
