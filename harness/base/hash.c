/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hash.h"

#include "base/cleanup.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void hash_init(struct hash *hash)
{
	SHA256Init(&hash->context);
}

static void begin_field(struct hash *hash, const char *name, uintmax_t length)
{
	char number[24];

	SHA256Update(&hash->context, (const uint8_t *)name, strlen(name) + 1);
	snprintf(number, sizeof(number), "%ju", length);
	SHA256Update(&hash->context, (const uint8_t *)number, strlen(number) + 1);
}

void hash_field(struct hash *hash, const char *name, const void *bytes, size_t length)
{
	begin_field(hash, name, length);
	SHA256Update(&hash->context, bytes, length);
}

void hash_field_string(struct hash *hash, const char *name, const char *string)
{
	hash_field(hash, name, string, strlen(string));
}

int hash_field_file(struct hash *hash, const char *name, const char *path,
		    struct error *err)
{
	char digest[SHA256_DIGEST_STRING_LENGTH];

	/* A file's length may change while it is read; its digest has a fixed one. */
	if (!SHA256File(path, digest))
		return error_system(err, "cannot read %s", path);
	hash_field(hash, name, digest, sizeof(digest) - 1);
	return 0;
}

void hash_hex(struct hash *hash, char hex[HASH_HEX_SIZE])
{
	SHA256End(&hash->context, hex);
}
