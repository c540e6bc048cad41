/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a kernel out of the store. */
#ifndef MEASURE_SYMBOLS_H
#define MEASURE_SYMBOLS_H

#include "base/error.h"
#include "build/kernel.h"
#include "profile/symbols.h"

/*
 * From its System.map, where it has one, and what the running kernel said of itself
 * (NULL: nothing); settled, with the source files that are known.
 */
int symbols_of_kernel(const struct kernel *kernel, const struct text *running,
		      struct symbols *ret_symbols, struct error *err);

#endif
