/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What some runs of one case executed, by function.
 *
 * Instructions of a block belong to the function in which it begins. A block that is left
 * early (a page fault, an access to a device) counts whole, so a function may have a few
 * more than it executed, the same at every boot. Calls are executions of the block at a
 * function's first address.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/text.h"
#include "profile/counts.h"
#include "profile/symbols.h"

enum profile_kind {
	PROFILE_FUNCTION,
	PROFILE_USER,    /* code outside of the kernel: one row */
	PROFILE_IDLE,    /* the idle loop: one row */
	PROFILE_UNKNOWN, /* kernel code without a symbol: one row */
	PROFILE_KINDS
};

/* "", "[user]", "[idle]", "[unknown]": the names of rows that are no function. */
const char *profile_kind_name(enum profile_kind kind);
/* By the name of a row; PROFILE_FUNCTION for all others. */
enum profile_kind profile_kind_of(const char *name);

struct profile_row {
	const char *name, *file; /* file "" where it is not known */
	uint64_t instructions, calls;
};

/* The measures of the same runs, summed; NAN: not known. */
struct profile_facts {
	double operations;
	double elapsed; /* guest time, ns */
	double read_requests, write_requests, flush_requests;
};

/* Start from {0}. */
struct profile {
	struct profile_row *rows; /* ascending by name, then file; each once */
	size_t count, capacity;
	uint64_t runs;
	uint64_t outside; /* instructions between these runs and those before them */
	struct profile_facts facts;
	struct text_list strings;
};

/* Adds one run. Without any symbols the kernel is one row. */
void profile_add_run(struct profile *profile, const struct counted_run *run,
		     const struct symbols *symbols);

/* Adds a row as it was stored; in any order. */
void profile_add_row(struct profile *profile, const char *name, const char *file,
		     uint64_t instructions, uint64_t calls);

/* Sorts and joins rows of equal name and file: after the last was added. */
void profile_settle(struct profile *profile);

/* What rows are divided by: operations, or runs where the workload has none. */
double profile_operations(const struct profile *profile);

/* All instructions of the rows, idle loop included. */
uint64_t profile_executed(const struct profile *profile);
/* Those of one kind. */
uint64_t profile_executed_by(const struct profile *profile, enum profile_kind kind);

void profile_finish(struct profile *profile);

#endif
