/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that a kernel build needs, and the identity of those that decide its
 * result.
 */
#ifndef BUILD_TOOLCHAIN_H
#define BUILD_TOOLCHAIN_H

#include "base/error.h"

struct toolchain {
	char *compiler; /* the program */
	char *identity; /* "gcc (Debian 12.2.0-14) 12.2.0, GNU ld (...) 2.40" */
	char *ccache;   /* its path; NULL: not there */
};

/* compiler: NULL for gcc. Everything missing is named with its Debian package. */
int toolchain_detect(const char *compiler, struct toolchain *ret_toolchain,
		     struct error *err);
void toolchain_finish(struct toolchain *toolchain);

#endif
