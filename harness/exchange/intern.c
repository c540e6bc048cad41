/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange/intern.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

void intern_finish(struct intern *intern)
{
	text_finish(&intern->bytes);
	free(intern->offsets);
	free(intern->table);
	*intern = (struct intern){0};
}

void intern_freeze(struct intern *intern)
{
	free(intern->table);
	intern->table = NULL;
	intern->slots = 0;
}

static uint64_t hash_of(const unsigned char *key, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ key[i]) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

const char *intern_key(const struct intern *intern, size_t number)
{
	return intern->bytes.data + intern->offsets[number];
}

static size_t key_length(const struct intern *intern, size_t number)
{
	size_t end = number + 1 < intern->count ? intern->offsets[number + 1]
						: intern->bytes.size;

	return end - intern->offsets[number] - 1;
}

/* The slot of a key, or the empty one where it belongs. */
static uint32_t *find_slot(const struct intern *intern, const void *key, size_t length)
{
	size_t slot = hash_of(key, length) & (intern->slots - 1);

	for (;; slot = (slot + 1) & (intern->slots - 1)) {
		uint32_t entry = intern->table[slot];

		if (!entry || (key_length(intern, entry - 1) == length &&
			       !memcmp(intern_key(intern, entry - 1), key, length)))
			return &intern->table[slot];
	}
}

static void grow_table(struct intern *intern)
{
	intern->slots = intern->slots ? intern->slots * 2 : FIRST_SLOTS;
	free(intern->table);
	intern->table = memory_new(intern->slots, sizeof(*intern->table));
	for (size_t i = 0; i < intern->count; i++)
		*find_slot(intern, intern_key(intern, i), key_length(intern, i)) =
			(uint32_t)i + 1;
}

size_t intern_number(struct intern *intern, const void *key, size_t length)
{
	uint32_t *slot;

	if (2 * (intern->count + 1) > intern->slots)
		grow_table(intern);
	slot = find_slot(intern, key, length);
	if (*slot)
		return *slot - 1;
	intern->offsets = memory_grow(intern->offsets, intern->count, &intern->capacity,
				      sizeof(*intern->offsets));
	intern->offsets[intern->count++] = intern->bytes.size;
	text_add_bytes(&intern->bytes, key, length);
	text_add_char(&intern->bytes, '\0');
	*slot = (uint32_t)intern->count;
	return intern->count - 1;
}
