/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of byte strings, numbered from 0 in the order of their first appearance.
 * Start from {0}, end with intern_finish().
 */
#ifndef EXCHANGE_INTERN_H
#define EXCHANGE_INTERN_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct intern {
	struct text bytes; /* all keys, each terminated */
	size_t *offsets;
	size_t count;
	size_t capacity;
	uint32_t *table; /* number + 1, or 0 */
	size_t slots;    /* a power of two, or 0 */
};

void intern_finish(struct intern *intern);

/* The number of a key, which is added where it is new. At most 2^32 - 2 keys. */
size_t intern_number(struct intern *intern, const void *key, size_t length);

/* A terminated key; valid until the next intern_number(). */
const char *intern_key(const struct intern *intern, size_t number);

/* Gives the table back; the keys stay and can be asked for. */
void intern_freeze(struct intern *intern);

#endif
