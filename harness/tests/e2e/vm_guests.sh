#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Guests of a few instructions in real QEMU: how they end, and what is left behind.
cd "$(dirname "$0")/../../.." || exit 1
# Not the sanitized build: libvirt forks while its threads run, and after that ASan's
# allocator may find its own lock held for ever.
make -s build/release/e2e/vm_guests >&2 || exit 1
CMOCKA_MESSAGE_OUTPUT=TAP exec build/release/e2e/vm_guests
