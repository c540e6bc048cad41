/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a file that grows, and what a kernel's console says in it.
 */
#ifndef VM_TAIL_H
#define VM_TAIL_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>
#include <sys/types.h>

struct tail {
	char *path;
	int fd;          /* -1: not opened yet */
	uint64_t offset; /* bytes read so far */
	double last;     /* process_now() of the last read that brought something */
};

void tail_init(struct tail *tail, const char *path);
void tail_finish(struct tail *tail);

/*
 * Adds what is new, at most limit bytes. A file that is not there yet is empty.
 * *ret_more: the limit cut it short.
 */
int tail_read(struct tail *tail, size_t limit, struct text *bytes, int *ret_more,
	      struct error *err);

enum { CONSOLE_LINE_SIZE = 256 };

/* The console's lines, found in pieces of any size. Starts from {0}. */
struct console {
	char line[CONSOLE_LINE_SIZE]; /* the one that is being written */
	size_t length;
	char last[CONSOLE_LINE_SIZE];    /* the last whole line that was not empty */
	char trouble[CONSOLE_LINE_SIZE]; /* the first that tells of trouble */
	int panicked;
};

void console_add(struct console *console, const char *bytes, size_t length);
/* The last line, whole or not. */
const char *console_last_line(const struct console *console);

#endif
