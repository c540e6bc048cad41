/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a count file: how often each block of the kernel was executed in each run of a
 * boot. The bytes are untrusted; what breaks a rule of profile/count_format.h is refused
 * whole.
 */
#ifndef PROFILE_COUNTS_H
#define PROFILE_COUNTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct counted_block {
	uint64_t address;
	uint32_t instructions;
	uint64_t executions;
};

struct counted_run {
	uint64_t outside, user, kernel; /* instructions */
	struct counted_block *blocks;   /* ascending by address, then instructions */
	size_t count;
};

struct counts {
	struct counted_run *runs;
	size_t count, capacity;
};

/* ERROR_MEASUREMENT that says what is wrong and where. */
int counts_read(const void *bytes, size_t length, struct counts *ret_counts,
		struct error *err);
void counts_finish(struct counts *counts);

#endif
