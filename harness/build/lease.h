/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernels of a store are in use: a process that uses some holds a lease, a file
 * with their keys that it keeps locked; what a dead process left is nothing. Kernels that
 * somebody holds are not removed.
 *
 *	STORE/.leases/NAME   keys, one a line; locked by its process
 *	STORE/.leases/lock   taken by who removes, shared by who begins to use
 *
 * Where the store may not be written nobody can be told; the kernels are used all the
 * same, and nothing can be removed there either.
 */
#ifndef BUILD_LEASE_H
#define BUILD_LEASE_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct kernel_lease;

/* A lease that holds nothing yet. */
struct kernel_lease *kernel_lease_create(const char *store);
/* Takes NULL. */
void kernel_lease_destroy(struct kernel_lease *lease);

/*
 * Holds a kernel from now on and marks it as used now. *ret_there 0: it is not in the
 * store (any more) and is not held.
 */
int kernel_lease_hold(struct kernel_lease *lease, const char *key, int *ret_there,
		      struct error *err);

/* The keys that living processes hold, some perhaps twice. */
int kernel_lease_list(const char *store, struct text_list *keys, struct error *err);

/* Removes an entry that nobody holds; *ret_removed 0: somebody does. */
int kernel_lease_remove(const char *store, const char *key, int *ret_removed,
			struct error *err);

/* When an entry was last used, or made where it never was; Unix seconds, 0: not there. */
int64_t kernel_last_used(const char *store, const char *key);

#endif
