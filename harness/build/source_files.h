/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which source file each function of a built kernel is in: by the objects that were
 * linked, without debug information.
 */
#ifndef BUILD_SOURCE_FILES_H
#define BUILD_SOURCE_FILES_H

#include "base/error.h"
#include "base/text.h"

/*
 * Reads the archives in make's O= and writes lines "fs/sync.c" and behind each " NAME"
 * for its functions, in the order of linking. A tree without the archives that we know is
 * no error: nothing is written.
 */
int source_files_write(const char *output, const char *source, const char *path,
		       struct error *err);

/*
 * The same from what "nm -A" printed ("ARCHIVE:fs/sync.o:ADDRESS TYPE NAME"). An object
 * is named after the .c or .S that lies in source, else as it is.
 */
void source_files_list(const char *nm, const char *source, struct text *list);

#endif
