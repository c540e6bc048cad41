/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a disk by its serial, whatever its bus calls that. */
#ifndef AGENT_SERIAL_H
#define AGENT_SERIAL_H

#include <stddef.h>

/* How many whole disks have that serial; the kernel's name ("sda") of one of them. */
unsigned serial_find(const char *serial, char *ret_device, size_t size);

#endif
