/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions of two kernels have other code: what a commit changed, as the compiler
 * made it, told from what merely runs more often because of it.
 *
 * Functions move between builds, so addresses in their code differ. Two pieces of code
 * are the same where every byte is, but for fields of four bytes that can be addresses of
 * the same function at the same offset, or of data, on both sides. A changed number in a
 * table of data is not seen.
 */
#ifndef PROFILE_CODE_H
#define PROFILE_CODE_H

#include "base/error.h"
#include "profile/symbols.h"

#include <stddef.h>
#include <stdint.h>

enum { CODE_SEGMENTS = 32 };

/* A kernel's ELF image, borrowed. */
struct code_image {
	const unsigned char *bytes;
	struct code_segment {
		uint64_t address, size;
		size_t offset;
	} segments[CODE_SEGMENTS];
	size_t count;
	uint64_t low, high; /* addresses that code and data take up */
};

/* 64-bit ELF, little-endian; ERROR_USAGE for what is none or is damaged. */
int code_image_read(const void *bytes, size_t length, struct code_image *ret_image,
		    struct error *err);

/* size bytes at an address; NULL where the image does not hold all of them. */
const unsigned char *code_image_at(const struct code_image *image, uint64_t address,
				   uint64_t size);

/* One side of a comparison. Start from {0}. */
struct code_side {
	const struct code_image *image; /* both borrowed, the symbols settled */
	const struct symbols *symbols;
	uint32_t *by_name; /* symbols in the order of their names */
};

void code_side_init(struct code_side *side, const struct code_image *image,
		    const struct symbols *symbols);
void code_side_finish(struct code_side *side);

/* Whether there is any symbol of that name. */
int code_side_has(const struct code_side *side, const char *name);

enum code_verdict { CODE_SAME, CODE_DIFFERS, CODE_UNKNOWN };

/*
 * Compares all that has that name and file ("" for any) on its side. CODE_UNKNOWN where
 * one side has none of it.
 */
enum code_verdict code_compare(const struct code_side *a, const char *a_name,
			       const char *a_file, const struct code_side *b,
			       const char *b_name, const char *b_file);

#endif
