/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/channel.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

static int open_tty(void)
{
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	struct termios settings;

	if (fd < 0)
		return -1;
	if (tcgetattr(fd, &settings)) {
		close(fd);
		return -1;
	}
	cfmakeraw(&settings);
	cfsetspeed(&settings, B115200);
	settings.c_cflag |= CLOCAL;
	tcsetattr(fd, TCSANOW, &settings);
	return fd;
}

/* Drained at once: nothing may be left in the driver when the machine powers off. */
static int write_tty(int handle, const char *bytes, size_t length)
{
	return channel_write_fd(handle, bytes, length) || tcdrain(handle) ? -1 : 0;
}

const struct channel tty_channel = {
	.name = "tty",
	.open = open_tty,
	.write = write_tty,
};
