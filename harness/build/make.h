/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One call of make in a build tree, with everything pinned that would show in the result.
 */
#ifndef BUILD_MAKE_H
#define BUILD_MAKE_H

#include "base/process.h"
#include "build/toolchain.h"

/* make's O=, below source/: kernels then use relative paths only. */
#define MAKE_OUTPUT ".kregress-build"

struct make_call {
	const char *source;
	const char *log_path; /* output is appended */
	const struct toolchain *toolchain;
	const char *ccache; /* folder for it, where it is installed; NULL: not used */
	unsigned jobs;      /* 0: one per core */
	int lock_fd;        /* kept open by all that make starts; 0: none */
};

/*
 * Starts "make WORDS". The environment is ours without what would reach into a kernel
 * build (MAKEFLAGS, ARCH, KCFLAGS, ...).
 */
int make_start(const struct make_call *call, const char *const *words,
	       struct process *ret_process, struct error *err);

#endif
