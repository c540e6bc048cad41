/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal that standard output is.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>

/* Its columns; 0 where it is none, or does not say. */
size_t terminal_columns(void);

#endif
