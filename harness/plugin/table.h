/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks that were translated so far, each with its counter. QEMU translates a block
 * again whenever it likes, whole or in part: one address with one number of instructions
 * is one block here.
 */
#ifndef PLUGIN_TABLE_H
#define PLUGIN_TABLE_H

#include "plugin/api.h"

struct block {
	uint64_t address;
	uint32_t instructions;
	struct api_counter counter;
	uint64_t executions; /* of the run that is on, as far as they were taken */
};

/* Start from {0}. Blocks never move. */
struct table {
	struct block **slots; /* a power of two of them, by hash */
	size_t slot_count;
	struct block **blocks; /* by first translation, or sorted */
	size_t count, capacity;
};

/* The block, made where it is new; NULL without memory. */
struct block *table_find(struct table *table, uint64_t address, uint32_t instructions);

/* Sorts blocks by (address, instructions). */
void table_sort(struct table *table);

#endif
