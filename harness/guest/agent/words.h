/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts a command into words, without a shell. */
#ifndef AGENT_WORDS_H
#define AGENT_WORDS_H

#include "guest/agent/disk.h"
#include "guest/agent/failure.h"

enum { WORDS_MAX = 128, WORDS_BYTES = 2 * PARAMETER_TEXT_SIZE };

struct words {
	char *word[WORDS_MAX + 1]; /* NULL-terminated: fit for execvp() */
	size_t count;
	char bytes[WORDS_BYTES];
};

/*
 * Words end at blanks outside of '...' and "..."; {disk0} and {mount0} stand for the
 * path and the mount point of a disk, in words and quotes alike.
 */
int words_split(const char *command, const struct disk *disks, size_t disk_count,
		struct words *ret_words, struct failure *failure);

#endif
