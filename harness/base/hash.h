/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 content keys. A key is made of named fields, so that no two lists of
 * fields run into each other: each field goes in as "name\0length\0bytes".
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/error.h"

#include <sha2.h>
#include <stddef.h>

enum { HASH_HEX_SIZE = 65 }; /* 64 digits and the terminator */

struct hash {
	SHA2_CTX context;
};

void hash_init(struct hash *hash);
void hash_field(struct hash *hash, const char *name, const void *bytes, size_t length);
void hash_field_string(struct hash *hash, const char *name, const char *string);
/* The content of a file as a field; fails where it cannot be read. */
int hash_field_file(struct hash *hash, const char *name, const char *path,
		    struct error *err);
/* Ends the hash and writes lower-case hexadecimal. */
void hash_hex(struct hash *hash, char hex[HASH_HEX_SIZE]);

#endif
