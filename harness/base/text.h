/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte string and a growing list of strings.
 *
 * Both are the caller's memory: start from {0}, end with ..._finish(), which
 * leaves an empty one that can be used again. text.data may be NULL while empty;
 * text_string() never is. The bytes are terminated but may hold NULs.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

struct text {
	char *data;
	size_t size; /* bytes without the terminator */
	size_t capacity;
};

void text_finish(struct text *text);
void text_clear(struct text *text);            /* empty, memory kept */
void text_cut(struct text *text, size_t size); /* to its first bytes */
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const void *bytes, size_t length);
void text_add_char(struct text *text, char character);
__attribute__((format(printf, 2, 3))) void text_format(struct text *text,
						       const char *format, ...);
const char *text_string(const struct text *text);
/* The bytes as a string of the caller's to free(); the text is empty then. */
char *text_take(struct text *text);

struct text_list {
	char **items; /* NULL-terminated once anything was added: fit for execv() */
	size_t count;
	size_t capacity;
};

void text_list_finish(struct text_list *list);
void text_list_add(struct text_list *list, const char *string); /* copies */
/* The same; returns the copy, which stays where it is until the list is finished. */
char *text_list_keep(struct text_list *list, const char *string);
__attribute__((format(printf, 2, 3))) void text_list_format(struct text_list *list,
							    const char *format, ...);
int text_list_contains(const struct text_list *list, const char *string);

/*
 * The candidate nearest to word by edit distance, for "did you mean"; NULL where none
 * is near (more than a third of the letters differ). candidates ends with NULL.
 */
const char *text_nearest(const char *word, const char *const *candidates);

#endif
