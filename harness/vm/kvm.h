/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does KVM really run guests here, and taking it out of libvirt's sight where not.
 *
 * On some nested hosts /dev/kvm opens and creates machines whose guests then hang.
 * libvirt believes in it and probes QEMU again at every look-up: about a minute for
 * each domain.
 */
#ifndef VM_KVM_H
#define VM_KVM_H

#include "base/error.h"
#include "base/text.h"

enum kvm_verdict {
	KVM_ABSENT, /* no /dev/kvm, or not for this user: libvirt will not try it */
	KVM_WORKS,
	KVM_DEAD, /* opens, but a guest does not run */
};

/*
 * Runs a guest of a few instructions in a child, for at most two seconds. The verdict
 * is kept in cache_path for this boot of the host, user and device.
 */
enum kvm_verdict kvm_probe(const char *cache_path);

/* Whether this process could open /dev/kvm: no probe. */
int kvm_visible(void);

/*
 * Puts the plain file mask_path (made where missing) over /dev/kvm: mounts_cover().
 */
int kvm_hide(const char *mask_path, struct error *err);

#endif
