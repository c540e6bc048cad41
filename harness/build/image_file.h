/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel image says of itself, read from its bytes. */
#ifndef BUILD_IMAGE_FILE_H
#define BUILD_IMAGE_FILE_H

#include "build/kernel.h"

struct image_identity {
	enum kernel_format format;
	char *release;  /* uname -r */
	char *banner;   /* uname -v; "" where not found */
	char *build_id; /* hex; "" for a bzImage */
	char digest[HASH_HEX_SIZE];
};

/*
 * A bzImage by its set-up header, or an x86-64 ELF file that has a PVH entry. Anything
 * else, a damaged one too, is ERROR_USAGE.
 */
int image_identify(const char *path, struct image_identity *ret_identity,
		   struct error *err);
void image_identity_finish(struct image_identity *identity);

#endif
