/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why text from outside was refused: one plain sentence without a full stop. This folder
 * is shared with the agent, so it has its own small type instead of base/error.h.
 *
 * Functions that can refuse return 0 or -1 and take "struct problem *" last.
 */
#ifndef GUEST_PROBLEM_H
#define GUEST_PROBLEM_H

#include <stdint.h>

enum { PROBLEM_SIZE = 512 };

struct problem {
	char text[PROBLEM_SIZE]; /* always terminated */
};

/* Sets the text and returns -1. */
__attribute__((format(printf, 2, 3))) int problem_set(struct problem *problem,
						      const char *format, ...);

/* A decimal number and nothing else, without sign, 0 or -1. */
int guest_parse_unsigned(const char *string, uint64_t *ret_value);

#endif
