/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module closure of a modular kernel: what must be loaded, in which order, to have
 * some modules.
 *
 * folder is a kernel's module folder (BASE/lib/modules/RELEASE) as it was built or
 * unpacked: what depends on what is read from the modules themselves, so depmod need
 * not have run. Names may use - or _ alike. A module that is built in
 * (modules.builtin) is left out. "Pre" soft dependencies, which ask for crypto
 * algorithms by alias, are followed where a module for them exists.
 */
#ifndef VM_MODULES_H
#define VM_MODULES_H

#include "base/error.h"
#include "base/text.h"

/*
 * Absolute paths of the module files, dependencies first, each once, added to
 * ret_paths. names ends with NULL. An unknown module is an ERROR_HOST, unless its name
 * starts with '?', which marks it as welcome but not needed.
 */
int modules_closure(const char *folder, const char *const *names,
		    struct text_list *ret_paths, struct error *err);

/* The module's plain bytes: .ko, .ko.xz, .ko.zst and .ko.gz. Cleared first. */
int modules_read(const char *path, struct text *ret_bytes, struct error *err);

/*
 * "lib/modules/crc32c-generic.ko.xz" gives "crc32c_generic.ko": its name in the guest
 * image. NULL where it is no module's name. The caller frees.
 */
char *modules_file_name(const char *path);

#endif
