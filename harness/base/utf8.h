/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes from guests and from git as valid UTF-8.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Decodes one character: the length in bytes, or 0 where no valid one begins (a cut,
 * overlong or surrogate sequence, or one beyond U+10FFFF).
 */
size_t utf8_decode(const char *bytes, size_t length, uint32_t *ret_character);

/* Whether all of it is valid. */
int utf8_valid(const char *bytes, size_t length);

/* Appends the bytes with U+FFFD for each byte that belongs to no valid character. */
void utf8_add(struct text *text, const char *bytes, size_t length);

/*
 * Whether a terminal or a browser obeys the character instead of showing it: control
 * characters (U+0080 to U+009F too) and marks that turn the direction of text around.
 */
int utf8_is_control(uint32_t character);

/* The same as utf8_add(), with '?' for each such character: fit for a terminal. */
void utf8_add_plain(struct text *text, const char *bytes, size_t length);
void utf8_add_plain_string(struct text *text, const char *string);

#endif
