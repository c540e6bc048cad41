/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/table.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 14 };

static size_t hash(uint64_t address, uint32_t instructions)
{
	uint64_t mixed = (address ^ (uint64_t)instructions << 48) * 0x9e3779b97f4a7c15u;

	return (size_t)(mixed >> 20);
}

/* Where the block is, or the free slot where it belongs. */
static struct block **slot_of(const struct table *table, uint64_t address,
			      uint32_t instructions)
{
	size_t mask = table->slot_count - 1, at = hash(address, instructions) & mask;
	struct block *block;

	while ((block = table->slots[at]) &&
	       (block->address != address || block->instructions != instructions))
		at = (at + 1) & mask;
	return &table->slots[at];
}

/* Slots are at most half full. */
static int make_room(struct table *table)
{
	struct table wider = *table;

	if (2 * (table->count + 1) <= table->slot_count)
		return 0;
	wider.slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS;
	wider.slots = calloc(wider.slot_count, sizeof(*wider.slots));
	if (!wider.slots)
		return -1;
	for (size_t i = 0; i < table->count; i++)
		*slot_of(&wider, table->blocks[i]->address,
			 table->blocks[i]->instructions) = table->blocks[i];
	free(table->slots);
	*table = wider;
	return 0;
}

static int append(struct table *table, struct block *block)
{
	size_t capacity = table->capacity ? 2 * table->capacity : FIRST_SLOTS;
	struct block **wider;

	if (table->count == table->capacity) {
		wider = realloc(table->blocks, capacity * sizeof(*wider));
		if (!wider)
			return -1;
		table->blocks = wider;
		table->capacity = capacity;
	}
	table->blocks[table->count++] = block;
	return 0;
}

static struct block *add(struct table *table, struct block **slot, uint64_t address,
			 uint32_t instructions)
{
	struct block *block = calloc(1, sizeof(*block));

	if (!block || append(table, block)) {
		free(block);
		return NULL;
	}
	block->address = address;
	block->instructions = instructions;
	api_counter_init(&block->counter);
	*slot = block;
	return block;
}

struct block *table_find(struct table *table, uint64_t address, uint32_t instructions)
{
	struct block **slot;

	if (make_room(table))
		return NULL;
	slot = slot_of(table, address, instructions);
	return *slot ? *slot : add(table, slot, address, instructions);
}

static int compare(const void *a, const void *b)
{
	const struct block *x = *(struct block *const *)a, *y = *(struct block *const *)b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->instructions > y->instructions) - (x->instructions < y->instructions);
}

void table_sort(struct table *table)
{
	qsort(table->blocks, table->count, sizeof(*table->blocks), compare);
}
