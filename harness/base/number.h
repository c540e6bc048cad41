/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict reading of numbers: the whole string, nothing before or behind, no
 * locale, no hexadecimal, no nan, no inf. They return 0 or -1 and set nothing else.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

int number_parse_double(const char *string, double *ret_value);
int number_parse_unsigned(const char *string, uint64_t *ret_value);
int number_parse_signed(const char *string, int64_t *ret_value);
/* A size with an optional k, M, G or T (powers of 1024), "KiB" and "MB" too. */
int number_parse_size(const char *string, uint64_t *ret_bytes);

#endif
