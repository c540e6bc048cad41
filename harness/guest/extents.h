/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sparse disk image as the guest gets it: only the pieces that hold something.
 *
 *	header  "KREXT\0\0\1", then the size of the whole disk
 *	pieces  offset, length (not 0), bytes; ascending, not overlapping
 *	end     offset = size, length 0
 *
 * Numbers are 64-bit little-endian. Whatever is not in a piece is zero.
 */
#ifndef GUEST_EXTENTS_H
#define GUEST_EXTENTS_H

#include "guest/problem.h"

#include <stdio.h>

enum { EXTENTS_BLOCK = 4096 }; /* pieces are whole blocks of zeroes or not */

/* Reads a whole disk image, writes it in this format. */
int extents_write(FILE *image, uint64_t size, FILE *out, struct problem *problem);

/* The size of the disk that the image is for. */
int extents_size(FILE *in, uint64_t *ret_size, struct problem *problem);

/*
 * Writes the pieces to a disk or file of at least that size; errno tells of a failed
 * write. The disk must be zero elsewhere, which a fresh null_blk device is; with
 * `zero_rest` the rest is written as zeroes.
 */
int extents_apply(FILE *in, int disk, int zero_rest, struct problem *problem);

#endif
