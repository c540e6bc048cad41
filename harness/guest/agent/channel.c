/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/channel.h"

#include <errno.h>
#include <unistd.h>

static const struct channel *const channels[] = {
	[JOB_CHANNEL_PORT] = &port_channel,
	[JOB_CHANNEL_COM2] = &serial_channel,
	[JOB_CHANNEL_TTY] = &tty_channel,
};

const struct channel *channel_open(enum job_channel wanted, int *ret_handle)
{
	int handle;

	for (enum job_channel i = JOB_CHANNEL_PORT; i <= JOB_CHANNEL_TTY; i++) {
		if (wanted != JOB_CHANNEL_AUTO && wanted != i)
			continue;
		handle = channels[i]->open();
		if (handle < 0)
			continue;
		*ret_handle = handle;
		return channels[i];
	}
	return NULL;
}

int channel_write_fd(int handle, const char *bytes, size_t length)
{
	ssize_t done;

	for (; length; bytes += done, length -= (size_t)done) {
		done = write(handle, bytes, length);
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done < 0)
			return -1;
	}
	return 0;
}
