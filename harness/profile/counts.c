/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/counts.h"

#include "base/memory.h"
#include "profile/count_format.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const unsigned char *start, *at, *end;
	uint64_t total; /* instructions in all, bounded so that every sum is exact */
	struct error *err;
};

static int refuse(struct reader *reader, const char *problem)
{
	return error_set(reader->err, ERROR_MEASUREMENT, "count file, byte %zu: %s",
			 (size_t)(reader->at - reader->start), problem);
}

static int read_number(struct reader *reader, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (int shift = 0; shift < 7 * COUNT_NUMBER_MAX; shift += 7) {
		unsigned char byte;

		if (reader->at == reader->end)
			return refuse(reader, "cut; was the disk full?");
		byte = *reader->at++;
		if (shift == 63 && byte > 1)
			break;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		*ret_number = number;
		return 0;
	}
	return refuse(reader, "a number of more than 64 bits");
}

static int read_block(struct reader *reader, const struct counted_block *before,
		      struct counted_block *block)
{
	uint64_t from = before ? before->address : COUNT_KERNEL_BASE, step, instructions;

	if (read_number(reader, &step) || read_number(reader, &instructions) ||
	    read_number(reader, &block->executions))
		return -1;
	if (step > UINT64_MAX - from)
		return refuse(reader, "a block beyond the last address");
	if (instructions < 1 || instructions > COUNT_BLOCK_MAX)
		return refuse(reader, "a block without or with too many instructions");
	if (before && !step && instructions <= before->instructions)
		return refuse(reader, "blocks out of order");
	if (!block->executions)
		return refuse(reader, "a block that was not executed");
	block->address = from + step;
	block->instructions = (uint32_t)instructions;
	return 0;
}

static int read_blocks(struct reader *reader, struct counted_run *run)
{
	uint64_t total = 0, part;

	for (size_t i = 0; i < run->count; i++) {
		struct counted_block *block = &run->blocks[i];

		if (read_block(reader, i ? block - 1 : NULL, block))
			return -1;
		if (__builtin_mul_overflow(block->executions,
					   (uint64_t)block->instructions, &part) ||
		    __builtin_add_overflow(total, part, &total))
			return refuse(reader, "more instructions than can be counted");
	}
	return total == run->kernel
		       ? 0
		       : refuse(reader, "the blocks do not add up to their sum");
}

static int add_total(struct reader *reader, uint64_t number)
{
	return __builtin_add_overflow(reader->total, number, &reader->total) ||
	       reader->total > COUNT_TOTAL_MAX;
}

static int read_run(struct reader *reader, struct counted_run *run)
{
	uint64_t count;

	if (read_number(reader, &run->outside) || read_number(reader, &run->user) ||
	    read_number(reader, &run->kernel) || read_number(reader, &count))
		return -1;
	if (add_total(reader, run->outside) || add_total(reader, run->user) ||
	    add_total(reader, run->kernel))
		return refuse(reader, "more instructions than can be counted");
	/* Three numbers of a byte at least: the memory is bounded by the file. */
	if (count > (size_t)(reader->end - reader->at) / 3)
		return refuse(reader, "more blocks than there are bytes");
	run->count = (size_t)count;
	run->blocks = memory_new(run->count, sizeof(*run->blocks));
	return read_blocks(reader, run);
}

static int read_runs(struct reader *reader, struct counts *counts)
{
	if ((size_t)(reader->end - reader->at) < COUNT_HEADER_SIZE ||
	    memcmp(reader->at, COUNT_HEADER, COUNT_HEADER_SIZE))
		return refuse(reader, "no count file of this version");
	reader->at += COUNT_HEADER_SIZE;
	while (reader->at < reader->end) {
		counts->runs = memory_grow(counts->runs, counts->count, &counts->capacity,
					   sizeof(*counts->runs));
		counts->runs[counts->count] = (struct counted_run){0};
		if (read_run(reader, &counts->runs[counts->count++]))
			return -1;
	}
	return 0;
}

int counts_read(const void *bytes, size_t length, struct counts *ret_counts,
		struct error *err)
{
	struct reader reader = {.start = bytes, .at = bytes, .err = err};
	struct counts counts = {0};

	reader.end = reader.start + length;
	if (read_runs(&reader, &counts)) {
		counts_finish(&counts);
		return -1;
	}
	*ret_counts = counts;
	return 0;
}

void counts_finish(struct counts *counts)
{
	for (size_t i = 0; i < counts->count; i++)
		free(counts->runs[i].blocks);
	free(counts->runs);
	*counts = (struct counts){0};
}
