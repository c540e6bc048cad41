/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, by value: a kind, which becomes the exit code, and a text
 * for people.
 *
 * A function that can fail returns 0 or -1 and takes "struct error *err" last;
 * err is written only on failure and is never NULL. The text names the thing,
 * the cause and, where there is one, the cure; it has no final full stop. It is one
 * line, unless it lists candidates or quotes a tool. A layer that passes an error on may
 * add its noun in front with error_prefix(): "scenario fsync-loop:
 * scenarios/fsync-loop.yaml:3:5: ...".
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

enum error_kind {
	ERROR_NONE,
	ERROR_USAGE, /* wrong call, configuration, or input data */
	ERROR_HOST,  /* the host or its tools: missing program, full disk, libvirt */
	ERROR_MEASUREMENT, /* a build, a boot or a workload failed */
	ERROR_NO_CULPRIT,  /* a search that cannot name one commit */
	ERROR_INTERRUPTED, /* the user asked us to stop */
};

enum { ERROR_TEXT_SIZE = 2048 };

struct error {
	enum error_kind kind;
	char text[ERROR_TEXT_SIZE]; /* always terminated; cut at a character */
};

/* Sets *err and returns -1, so that "return error_set(...)" is the usual form. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *err,
						    enum error_kind kind,
						    const char *format, ...);

/* The same, with ": " and the text of errno behind; ERROR_HOST. */
__attribute__((format(printf, 2, 3))) int error_system(struct error *err,
						       const char *format, ...);

/* Puts "prefix: " in front of the text; the kind stays. Returns -1. */
__attribute__((format(printf, 2, 3))) int error_prefix(struct error *err,
						       const char *format, ...);

/* The same failure under another kind. Returns -1. */
int error_change_kind(struct error *err, enum error_kind kind);

#endif
