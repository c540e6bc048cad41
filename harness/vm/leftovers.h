/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guests that a killed controller left running. Ended only where the domain carries
 * our tag and the process that it names is dead. So are the idle QEMUs whose abilities
 * libvirt was asking for just then; they do not count as guests.
 */
#ifndef VM_LEFTOVERS_H
#define VM_LEFTOVERS_H

struct _virConnect;

/*
 * Of the QEMU driver in root, which no one else uses now: by its state files, before
 * the driver is started. Returns how many guests were still running.
 */
unsigned leftovers_end_in_root(const char *root);

/* Of a daemon's driver, by its list of domains. */
unsigned leftovers_end_on(struct _virConnect *connection);

#endif
