/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of profile/ share for reading texts. */
#ifndef PROFILE_LINES_PRIVATE_H
#define PROFILE_LINES_PRIVATE_H

#include "profile/symbols.h"

struct lines {
	const char *at, *end;
};

/*
 * The next line without its end; 0: no more. Lines that do not fit, or hold bytes that
 * are not printable ASCII or blanks, are passed over.
 */
int lines_next(struct lines *lines, char *line, size_t size);

/* Part of symbols_settle(). Names are not folded yet. */
void symbols_name_files(struct symbols *symbols, const char *files, size_t length);

#endif
