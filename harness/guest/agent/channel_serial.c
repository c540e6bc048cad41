/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second serial port, driven from here with its interrupts off: QEMU takes each byte
 * inside the OUT instruction, so that a record costs the guest the same time at every
 * boot, and no driver of the kernel under test is part of it.
 */
#include "guest/agent/channel.h"

#if defined(__x86_64__) || defined(__i386__)
#include <sys/io.h>

enum {
	PORT = 0x2f8,
	INTERRUPTS = PORT + 1,
	FIFO = PORT + 2,
	LINE = PORT + 3,
	STATUS = PORT + 5,
	SCRATCH = PORT + 7,
	LINE_8N1 = 3,
	FIFO_ON_AND_EMPTY = 7,
	STATUS_ROOM = 0x20,
};

static int open_serial(void)
{
	if (ioperm(PORT, 8, 1))
		return -1;
	outb(0x5a, SCRATCH);
	if (inb(SCRATCH) != 0x5a)
		return -1;
	outb(LINE_8N1, LINE);
	outb(0, INTERRUPTS);
	outb(FIFO_ON_AND_EMPTY, FIFO);
	return 0;
}

static int write_serial(int handle, const char *bytes, size_t length)
{
	(void)handle;
	for (size_t i = 0; i < length; i++) {
		while (!(inb(STATUS) & STATUS_ROOM))
			;
		outb((unsigned char)bytes[i], PORT);
	}
	return 0;
}
#else
static int open_serial(void)
{
	return -1;
}

static int write_serial(int handle, const char *bytes, size_t length)
{
	(void)handle;
	(void)bytes;
	(void)length;
	return -1;
}
#endif

const struct channel serial_channel = {
	.name = "com2",
	.open = open_serial,
	.write = write_serial,
};
