/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel module says of itself: the .modinfo section, "key=value" strings.
 */
#ifndef VM_MODINFO_H
#define VM_MODINFO_H

#include "base/error.h"
#include "base/text.h"

/*
 * The values of key, in order, added to ret_values. object is a 64-bit little-endian
 * ELF file in memory; any other is an ERROR_HOST. A module without the section has no
 * values. name is for messages.
 */
int modinfo_values(const struct text *object, const char *name, const char *key,
		   struct text_list *ret_values, struct error *err);

#endif
