/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scope cleanup: every local resource names the function that releases it when
 * the scope is left. Never mix with goto in one function.
 *
 *	CLEANUP(cleanup_free) char *name = NULL;
 *	CLEANUP(text_finish) struct text line = {0};
 *
 * A function used here takes a pointer to the variable and must accept its
 * initial value. To hand a resource to the caller, move it out with TAKE().
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLEANUP(function) __attribute__((cleanup(function)))

/* The value of a pointer variable, which becomes NULL: it now belongs elsewhere. */
#define TAKE(pointer)                                                                    \
	({                                                                               \
		__typeof__(pointer) taken_ = (pointer);                                  \
		(pointer) = NULL;                                                        \
		taken_;                                                                  \
	})

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

/* A descriptor; -1 is none. */
static inline void cleanup_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#endif
