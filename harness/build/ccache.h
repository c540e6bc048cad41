/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ccache between make and the compiler: what was compiled once comes back when a search
 * returns to an older version, and in another build tree.
 *
 * It stands in PATH under the compiler's own name, so that command lines, and with them
 * what make compares to decide what to rebuild, are the same with and without it.
 */
#ifndef BUILD_CCACHE_H
#define BUILD_CCACHE_H

#include "base/error.h"
#include "base/text.h"

/*
 * Adds to environment what puts the ccache program in front of the compiler. Results and
 * the link with the compiler's name are kept in folder, which is made where needed.
 */
int ccache_use(const char *folder, const char *program, const char *compiler,
	       struct text_list *environment, struct error *err);

#endif
