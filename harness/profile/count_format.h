/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The count file: what the plugin writes and profile/counts.h reads.
 *
 *	header  "KRBLK\0\0\1"
 *	runs    one for each run of the boot, in their order:
 *		outside       instructions between the run before (or power-on) and this
 *one, pauses of this run included user          instructions of the run below
 *COUNT_KERNEL_BASE kernel        instructions of the run from there on blocks        how
 *many follow each block    address, less that of the block before (the first: less
 *		              COUNT_KERNEL_BASE); instructions; executions
 *
 * Numbers are unsigned, 7 bits a byte, the low ones first, the top bit says that more
 * follow. Blocks ascend by (address, instructions), have 1 to COUNT_BLOCK_MAX
 * instructions and at least one execution; instructions times executions add up to
 * kernel, and all sums of a file to COUNT_TOTAL_MAX at most. A run is written at once at
 *its end: a file that is cut was cut by a full disk.
 */
#ifndef PROFILE_COUNT_FORMAT_H
#define PROFILE_COUNT_FORMAT_H

#define COUNT_HEADER "KRBLK\0\0\1"
#define COUNT_KERNEL_BASE 0x8000000000000000u
#define COUNT_TOTAL_MAX ((uint64_t)1 << 53) /* of all instructions of a file */

enum {
	COUNT_HEADER_SIZE = 8,
	COUNT_NUMBER_MAX = 10, /* bytes of a number */
	COUNT_BLOCK_MAX = 0x7fff,
};

#endif
