/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel store: bootable kernels under content keys, and builds that failed.
 *
 *	STORE/KEY/image        ELF with a PVH entry (our builds) or a bzImage
 *	STORE/KEY/System.map   config   build.log   files   where there are any
 *	STORE/KEY/modules/lib/modules/RELEASE/...   of modular kernels
 *	STORE/KEY/info         "name value" lines: what struct kernel says
 *
 * An entry appears whole (made beside, renamed) and is never changed; two processes that
 * make one key at once leave one entry. The key is a SHA-256 of everything that decides
 * the content: tree, configuration request and toolchain, or the package, or the files.
 */
#ifndef BUILD_KERNEL_H
#define BUILD_KERNEL_H

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

enum kernel_format { KERNEL_ELF, KERNEL_BZIMAGE };

struct kernel {
	char key[HASH_HEX_SIZE];
	char *folder;
	enum kernel_format format;
	char *image;      /* path; NULL when the build failed */
	char *modules;    /* path of lib/modules/RELEASE; NULL: everything is built in */
	char *system_map; /* path or NULL */
	char *files;      /* path or NULL: which source each function is in */
	char *config;     /* path or NULL */
	char *log;        /* path of the build log or NULL */
	char *release;    /* uname -r */
	char *banner;     /* uname -v; "" where the image does not tell */
	char *build_id;   /* hex, as in /sys/kernel/notes; "" where not known */
	char *image_digest; /* SHA-256 of the image: equal for changes without effect */
	char *origin;       /* what it was made from, for people */
	char *toolchain;    /* "" for packages and images */
	char *failure;      /* first error of a failed build; NULL: the kernel is there */
	double build_seconds;
};

void kernel_finish(struct kernel *kernel);

/*
 * Looks a key up; *ret_found 0 when it is not there. A failed build counts as found and
 * has kernel->failure. Entries that are damaged (files missing) are removed and not
 * found.
 */
int kernel_store_find(const char *store, const char *key, struct kernel *ret_kernel,
		      int *ret_found, struct error *err);

/* All entries, in order of keys. The caller ends each kernel and frees the array. */
int kernel_store_list(const char *store, struct kernel **ret_kernels, size_t *ret_count,
		      struct error *err);

/* Removes one entry; one that is not there is no error. */
int kernel_store_remove(const char *store, const char *key, struct error *err);

#endif
