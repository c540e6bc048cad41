/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables, as a list of migrations: migration i brings user_version from i to i + 1.
 * A migration that was released never changes; a new one is added behind.
 */
#ifndef STORE_SCHEMA_PRIVATE_H
#define STORE_SCHEMA_PRIVATE_H

#include "store/statement_private.h"

/* "KRGR": tells our files from those of other programs. */
enum { SCHEMA_APPLICATION_ID = 0x4b524752 };

/*
 * Looks whether the file is ours and of this version, and brings it there when the store
 * may be written. Nothing is written before that is clear.
 */
int schema_ensure(struct store *store, struct error *err);

/* What user_version is then. */
int64_t schema_version(void);

#endif
