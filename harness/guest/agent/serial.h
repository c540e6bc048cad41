/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a disk by its serial, whatever its bus calls that. */
#ifndef AGENT_SERIAL_H
#define AGENT_SERIAL_H

#include <stddef.h>

/* The kernel's name ("sda") of the whole disk with that serial; -1 where none has it. */
int serial_find(const char *serial, char *ret_device, size_t size);

#endif
