/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways out of the guest for result frames. A channel carries bytes to the host without
 * changing them and blocks until they are taken.
 */
#ifndef AGENT_CHANNEL_H
#define AGENT_CHANNEL_H

#include "guest/job.h"

#include <stddef.h>

struct channel {
	const char *name;
	int (*open)(void); /* a descriptor or any number from 0; -1: not here */
	int (*write)(int handle, const char *bytes, size_t length);
};

extern const struct channel port_channel;   /* virtio-serial */
extern const struct channel serial_channel; /* COM2 by port I/O */
extern const struct channel tty_channel;    /* /dev/ttyS1 */

/* Opens the wanted channel, or the first that works; NULL where none does. */
const struct channel *channel_open(enum job_channel wanted, int *ret_handle);

/* write() until all is out; for channels with a descriptor. */
int channel_write_fd(int handle, const char *bytes, size_t length);

#endif
