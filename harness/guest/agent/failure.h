/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What failed inside the guest, by value: the system call with its errno, the disk or
 * path, and the offset, or a sentence. It becomes a FAILURE record.
 *
 * Functions that can fail return 0 or -1 and take "struct failure *" last.
 */
#ifndef AGENT_FAILURE_H
#define AGENT_FAILURE_H

#include <stdint.h>

struct failure {
	const char *call; /* static; "" where no system call is to blame */
	int error_number;
	uint64_t offset;
	char disk[128];
	char text[512];
};

/* Takes errno; returns -1. */
int failure_system(struct failure *failure, const char *call, const char *disk,
		   uint64_t offset);

/* A sentence instead; returns -1. */
__attribute__((format(printf, 3, 4))) int failure_set(struct failure *failure,
						      const char *disk,
						      const char *format, ...);

#endif
