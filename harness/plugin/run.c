/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/run.h"

#include "guest/mark.h"
#include "profile/count_format.h"

#include <errno.h>

/* Outside of runs only the sum counts. */
static void take_outside(struct runs *runs)
{
	for (size_t i = 0; i < runs->table.count; i++) {
		struct block *block = runs->table.blocks[i];

		runs->outside += api_counter_take(&block->counter) * block->instructions;
	}
}

static void take_inside(struct runs *runs)
{
	for (size_t i = 0; i < runs->table.count; i++) {
		struct block *block = runs->table.blocks[i];

		block->executions += api_counter_take(&block->counter);
	}
}

static void put(struct runs *runs, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		putc((int)(number & 0x7f) | 0x80, runs->file);
	putc((int)number, runs->file);
}

static void write_blocks(struct runs *runs)
{
	uint64_t before = COUNT_KERNEL_BASE;

	for (size_t i = 0; i < runs->table.count; i++) {
		struct block *block = runs->table.blocks[i];

		if (!block->executions || block->address < COUNT_KERNEL_BASE)
			continue;
		put(runs, block->address - before);
		put(runs, block->instructions);
		put(runs, block->executions);
		before = block->address;
	}
}

static void write_run(struct runs *runs)
{
	uint64_t user = 0, kernel = 0, blocks = 0;

	table_sort(&runs->table);
	for (size_t i = 0; i < runs->table.count; i++) {
		struct block *block = runs->table.blocks[i];
		int inside = block->address >= COUNT_KERNEL_BASE;

		*(inside ? &kernel : &user) += block->executions * block->instructions;
		blocks += inside && block->executions;
	}
	put(runs, runs->outside);
	put(runs, user);
	put(runs, kernel);
	put(runs, blocks);
	write_blocks(runs);
	if (fflush(runs->file) || ferror(runs->file)) {
		fprintf(stderr, "kregress-blocks: the count file cannot be written: %s\n",
			strerror(errno));
		runs->failed = 1;
	}
}

static void forget_run(struct runs *runs)
{
	for (size_t i = 0; i < runs->table.count; i++)
		runs->table.blocks[i]->executions = 0;
}

static void begin(struct runs *runs)
{
	forget_run(runs);
	take_outside(runs);
	runs->on = 1;
	runs->paused = 0;
}

static void pause_run(struct runs *runs)
{
	if (!runs->on || runs->paused)
		return;
	take_inside(runs);
	runs->paused = 1;
}

static void continue_run(struct runs *runs)
{
	if (!runs->on || !runs->paused)
		return;
	take_outside(runs);
	runs->paused = 0;
}

static void end(struct runs *runs)
{
	if (!runs->on)
		return;
	if (runs->paused)
		take_outside(runs);
	else
		take_inside(runs);
	if (!runs->failed)
		write_run(runs);
	runs->on = 0;
	runs->outside = 0;
}

void runs_mark(struct runs *runs, int kind)
{
	switch (kind) {
	case MARK_BEGIN:
		begin(runs);
		break;
	case MARK_PAUSE:
		pause_run(runs);
		break;
	case MARK_CONTINUE:
		continue_run(runs);
		break;
	case MARK_END:
		end(runs);
		break;
	}
}
