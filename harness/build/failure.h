/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a failed build's log says. */
#ifndef BUILD_FAILURE_H
#define BUILD_FAILURE_H

#include "base/error.h"

struct failure {
	char *line; /* the first error, else the last line */
	int host;   /* the host is to blame: full disk, no memory, broken compiler */
};

/* Reads at most the last 64 MiB of the log. The caller frees line. */
int failure_read(const char *log_path, struct failure *ret_failure, struct error *err);

#endif
