/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that does not fail: without memory the program ends with a message
 * and exit code 3. Everything comes from malloc() and goes with free().
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* count * size zeroed bytes; an overflow of the product counts as no memory. */
void *memory_new(size_t count, size_t size);

/* realloc() to count * size bytes; the new part is not initialised. */
void *memory_resize(void *pointer, size_t count, size_t size);

/*
 * Room for one more item: "items = memory_grow(items, count, &capacity, sizeof(*items))"
 * before "items[count++] = ...". Doubles.
 */
void *memory_grow(void *pointer, size_t count, size_t *capacity, size_t size);

/* strdup(); NULL gives NULL. */
char *memory_copy_string(const char *string);

/* A terminated copy of length bytes. */
char *memory_copy_bytes(const void *bytes, size_t length);

/* An allocated formatted string. */
__attribute__((format(printf, 1, 2))) char *memory_format(const char *format, ...);

#endif
