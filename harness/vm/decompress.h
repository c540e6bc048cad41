/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed files as kernels' modules come: xz, zstd, gzip, told by their first bytes.
 */
#ifndef VM_DECOMPRESS_H
#define VM_DECOMPRESS_H

#include "base/error.h"
#include "base/text.h"

enum { DECOMPRESS_LIMIT = 256 << 20 }; /* bytes that come out, at most */

/*
 * The plain bytes of packed, added to ret_plain; what is not compressed is copied. Cut
 * or damaged input, and more than the limit, is an ERROR_HOST; name is for messages.
 */
int decompress(const struct text *packed, const char *name, struct text *ret_plain,
	       struct error *err);

#endif
