/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which function an address of the kernel belongs to, and which source file that came
 * from.
 *
 *	CLEANUP(symbols_finish) struct symbols symbols = {0};
 *	symbols_add(&symbols, system_map, length);
 *	symbols_add(&symbols, kallsyms, length);
 *	symbols_settle(&symbols, files, length);
 *	symbol = symbols_find(&symbols, address);
 *
 * All texts are untrusted: a line that is none is left out. What the compiler made of a
 * function (NAME.constprop.0, NAME.isra.0, NAME.part.0, NAME.cold) counts as NAME, so
 * that two builds can be compared.
 */
#ifndef PROFILE_SYMBOLS_H
#define PROFILE_SYMBOLS_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t address;
	char *name; /* in strings */
	/* "fs/sync.c"; of a module "[ext4]" where no more is known; "": not known */
	const char *file;
	int is_part; /* entered from within its function: no call of it */
};

/* Start from {0}. */
struct symbols {
	struct symbol *items; /* settled: ascending, one for each address */
	size_t count, capacity;
	struct text_list strings;
};

/*
 * Lines "ADDRESS TYPE NAME", in modules with " [MODULE]" or "\t[MODULE]" behind:
 * System.map and /proc/kallsyms. Only functions of the kernel's half of the addresses are
 * taken.
 */
void symbols_add(struct symbols *symbols, const char *text, size_t length);

/*
 * No more are added: sorts, leaves one of several names of an address, and gives each
 * its file. files: lines "PATH" and behind each " NAME" for the functions in it, in the
 * order of linking; NULL and 0 where there is no such list. Of several files that have
 * the name that one is taken in which the function before or behind it stands.
 */
void symbols_settle(struct symbols *symbols, const char *files, size_t length);

/* NULL where nothing known is there. */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

void symbols_finish(struct symbols *symbols);

#endif
