/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libvirt's event loop in a thread of its own.
 */
#ifndef VM_EVENTS_H
#define VM_EVENTS_H

#include "base/error.h"

struct events;

/* Once per process, before the first connection. */
int events_start(struct events **ret_events, struct error *err);
/* Ends the thread. Takes NULL. */
void events_stop(struct events *events);

#endif
