/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an exec scenario brings into the guest: its files, the libraries of those that are
 * programs, the interpreters of those that are scripts. Libraries are those that the
 * program's own loader on this host finds; they keep their places.
 *
 *	CLEANUP(programs_finish) struct programs programs = {0};
 *	if (programs_collect(scenario, &programs, err) ||
 *	    programs_pack(&programs, image, err))
 *		return -1;
 */
#ifndef LAB_PROGRAMS_H
#define LAB_PROGRAMS_H

#include "base/hash.h"
#include "base/text.h"
#include "scenario/scenario.h"
#include "vm/image.h"

/* Pairs by index: a file of the host and its place in the guest. */
struct programs {
	struct text_list sources, targets;
};

/* ERROR_HOST names a library that is missing and the program that wants it. */
int programs_collect(const struct scenario *scenario, struct programs *programs,
		     struct error *err);
void programs_finish(struct programs *programs);

int programs_pack(const struct programs *programs, struct image *image,
		  struct error *err);

/* Places and contents, since another build of a program gives other numbers. */
int programs_hash(const struct programs *programs, char hex[HASH_HEX_SIZE],
		  struct error *err);

#endif
