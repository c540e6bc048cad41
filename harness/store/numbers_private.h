/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many doubles as one JSON array of numbers, so that people can read a series with
 * SQLite's own json_each(); 17 digits bring each double back bit by bit.
 */
#ifndef STORE_NUMBERS_PRIVATE_H
#define STORE_NUMBERS_PRIVATE_H

#include "base/text.h"

void numbers_write(struct text *text, const double *values, size_t count);
/* The array is the caller's to free. -1 where the text is not such an array. */
int numbers_read(const char *text, double **ret_values, size_t *ret_count);

#endif
