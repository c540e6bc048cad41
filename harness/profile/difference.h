/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What B executed otherwise than A, for each operation of the workload.
 *
 * Functions are matched by name and file; then by name alone, where one of that name is
 * left on each side (its file was renamed, or one side does not know files); then, within
 * a file, one that is gone with one that is new where both did exactly as much: it was
 * renamed. What is left is gone or new: inlined, split, written or removed. Folded by
 * file or folder such moves cancel out.
 */
#ifndef PROFILE_DIFFERENCE_H
#define PROFILE_DIFFERENCE_H

#include "profile/profile.h"

enum difference_fold { FOLD_FUNCTION, FOLD_FILE, FOLD_FOLDER, FOLD_COUNT };

/* "function", "file", "folder"; FOLD_COUNT where there is none of that name. */
const char *difference_fold_name(enum difference_fold fold);
enum difference_fold difference_fold_find(const char *name);

/* One side for each operation; NAN: not known. */
struct difference_side {
	double operations;           /* in all */
	double executed, user, idle; /* instructions; executed is the sum of all rows */
	double elapsed,
		waiting; /* guest time in ns: waiting is what nothing was executed */
	double read_requests, write_requests, flush_requests;
};

enum difference_state {
	DIFFERENCE_SAME, /* in instructions; calls may differ */
	DIFFERENCE_CHANGED,
	DIFFERENCE_NEW,
	DIFFERENCE_GONE,
};

/* "same", "changed", "new", "gone" */
const char *difference_state_name(enum difference_state state);

struct difference_row {
	const char *name, *file; /* of B where B has it; folded by file: the file twice */
	const char *before;      /* its name in A where that was another; else NULL */
	enum profile_kind kind;
	enum difference_state state;
	double a_instructions, b_instructions, change; /* for each operation */
	double a_calls, b_calls;
	int code_differs; /* 1: the code itself is another; 0: it is not, or not known */
};

/* A file in which functions are gone or new: what it changed as a whole. */
struct difference_move {
	const char *file;
	size_t gone, new; /* functions */
	double change;
};

/* Borrows strings from both profiles, which must outlive it. */
struct difference {
	struct difference_side a, b;
	struct difference_row *rows; /* all, the largest change first */
	size_t count, capacity;
	size_t changed; /* of them, the first so many are not DIFFERENCE_SAME */
	size_t causes;  /* of those, the first so many have other code */
	struct difference_move *moves; /* likewise by size */
	size_t move_count, move_capacity;
	struct text_list strings;
};

/*
 * nanoseconds: that one instruction takes (1 << icount_shift); waiting follows from it.
 * Where a profile knows no number of operations, its runs count as operations.
 */
void difference_make(const struct profile *a, const struct profile *b,
		     enum difference_fold fold, double nanoseconds,
		     struct difference *ret_difference);
void difference_finish(struct difference *difference);

/*
 * Puts the changed rows that have other code first: what a commit changed, before what
 * merely runs more or less because of it. Where many have, two kernels are far apart and
 * the order stays that of the size.
 */
enum { DIFFERENCE_CAUSES_MAX = 12 };
void difference_put_causes_first(struct difference *difference);

/* The row of that name in either side; NULL: none. */
const struct difference_row *difference_find(const struct difference *difference,
					     const char *name);

#endif
