/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest's description may hold, checked before any XML is made of it.
 */
#ifndef VM_SPEC_H
#define VM_SPEC_H

#include "vm/domain.h"

/* ERROR_USAGE that names the field and what is wrong with it. */
int vm_spec_check(const struct vm_spec *spec, struct error *err);

#endif
