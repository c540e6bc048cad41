/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first record: which kernel runs here. */
#ifndef AGENT_HELLO_H
#define AGENT_HELLO_H

#include "guest/result.h"

/* What cannot be read stays empty. */
void hello_fill(struct result_hello *hello);

/*
 * The GNU build id in ELF notes, as hexadecimal; "" where there is none or the notes are
 * damaged.
 */
void hello_build_id(const unsigned char *notes, size_t size,
		    char ret_id[RESULT_STRING_SIZE]);

#endif
