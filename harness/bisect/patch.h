/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a patch text changes, as far as its lines tell. */
#ifndef BISECT_PATCH_H
#define BISECT_PATCH_H

/*
 * Whether a unified diff, as git makes it, adds and removes nothing but comments and
 * empty lines in C sources. A line is judged by itself; in doubt it is no comment.
 */
int patch_is_comment(const char *patch);

#endif
