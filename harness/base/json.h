/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing JSON piece by piece into a text, for output too long to hold as a tree.
 * What comes out is always strict: numbers that are not finite become null, bytes that
 * are no UTF-8 become U+FFFD.
 *
 *	json_put_key(&text, "median");    ,"median":      (no comma behind '{' or '[')
 *	json_put_number(&text, 1.5);      1.5
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/text.h"

/* A comma where one is needed before the next item. */
void json_put_comma(struct text *text);

/* Comma, the key, a colon. */
void json_put_key(struct text *text, const char *key);

/* A quoted string; NULL becomes null. */
void json_put_string(struct text *text, const char *string);

/* 15 digits, or 17 where the number would not come back the same. */
void json_put_number(struct text *text, double value);

void json_put_count(struct text *text, size_t value);

#endif
