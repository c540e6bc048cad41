/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build output after a make that was killed without a chance to tidy up. */
#ifndef BUILD_REPAIR_H
#define BUILD_REPAIR_H

#include "base/error.h"

/*
 * Where the file "running" is there, the last make did not end: a file that it was just
 * writing may be cut off and yet look new. What changed in the last minute before its end
 * is removed, so that make does it again; the older rest is kept.
 */
int repair_output(const char *output, const char *running, struct error *err);

#endif
