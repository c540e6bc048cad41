/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module closure of a modular kernel: what must be loaded, in which order, to have
 * some modules.
 *
 * folder is a kernel's module folder (BASE/lib/modules/RELEASE). Where modules.dep is
 * missing, as in an unpacked package, depmod makes the lists in a folder of ours; the
 * kernel's folder is never written. Names may use - or _ alike. A module that is built
 * in is left out. "Pre" soft dependencies are followed where the module exists.
 */
#ifndef VM_MODULES_H
#define VM_MODULES_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

/*
 * Paths of the .ko files (absolute), dependencies first, each once, added to
 * ret_paths. An unknown module is an ERROR_HOST, unless its name starts with '?',
 * which marks it as wanted but not needed.
 */
int modules_closure(const char *folder, const char *const *names,
		    struct text_list *ret_paths, struct error *err);

/* The module's plain bytes: .ko, .ko.xz, .ko.zst and .ko.gz are understood. */
int modules_read(const char *path, struct text *ret_bytes, struct error *err);

/* "lib/modules/x.ko.xz" -> "x.ko": the name in the guest image. The caller frees. */
char *modules_file_name(const char *path);

#endif
