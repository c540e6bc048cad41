/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which row of one profile is which of the other: the first half of a difference. */
#ifndef PROFILE_MATCH_PRIVATE_H
#define PROFILE_MATCH_PRIVATE_H

#include "profile/difference.h"

struct match {
	const char *name, *file;
	const char *before; /* another name in A; NULL */
	int in_a, in_b;
	uint64_t a_instructions, b_instructions, a_calls, b_calls;
};

struct matches {
	struct match *items;
	size_t count, capacity;
};

/* Names that folding makes go to strings. */
void matches_make(const struct profile *a, const struct profile *b,
		  enum difference_fold fold, struct text_list *strings,
		  struct matches *ret_matches);
void matches_finish(struct matches *matches);

#endif
