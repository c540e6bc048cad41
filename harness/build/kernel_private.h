/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How build/ puts kernels into the store: stage the files, then commit. */
#ifndef BUILD_KERNEL_PRIVATE_H
#define BUILD_KERNEL_PRIVATE_H

#include "build/kernel.h"

/* The lines of the file "info" for all fields that are set. */
void kernel_info_write(const struct kernel *kernel, struct text *ret_text);

struct stage {
	char *store;
	char *folder; /* where the files go; NULL: none */
};

/* Makes the store where needed, and a folder in it that nobody sees as an entry. */
int stage_begin(const char *store, struct stage *stage, struct error *err);

/*
 * Writes info from the fields of *facts that are set (key, origin, toolchain, failure,
 * build_seconds; those of the image are read from the file "image", which must be there
 * unless failure is set) and makes the folder the entry of facts->key. Where that is
 * there already it stays. ret_kernel is the entry, read back.
 */
int stage_commit(struct stage *stage, const struct kernel *facts,
		 struct kernel *ret_kernel, struct error *err);

/* Removes what was not committed. For CLEANUP(). */
void stage_finish(struct stage *stage);

/* Runs depmod for FOLDER/lib/modules/RELEASE where modules.dep is missing. */
int stage_index_modules(const char *folder, const char *release, struct error *err);

#endif
