/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account that libvirt's QEMU driver looks up when root runs it.
 */
#ifndef VM_ACCOUNT_H
#define VM_ACCOUNT_H

#include "base/error.h"

/*
 * The driver does not start for root without the user "libvirt-qemu", although our
 * configuration lets it use none. Where the system has no such user (it comes with
 * the daemon, which is not needed here), this process sees one: copies of /etc/passwd
 * and /etc/group with a line more, in folder, cover the real ones. Nothing for
 * ordinary users.
 */
int account_provide(const char *folder, struct error *err);

#endif
