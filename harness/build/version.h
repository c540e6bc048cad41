/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user may write for one kernel:
 *
 *	REVISION[+revert:COMMIT|+pick:COMMIT|+patch:FILE|+config:SYMBOL=VALUE]...
 *	deb:FILE.deb | deb:PACKAGE
 *	image:BZIMAGE[,modules=FOLDER]
 *
 * This only takes the text apart; nothing is looked up. Edits are applied in order.
 */
#ifndef BUILD_VERSION_H
#define BUILD_VERSION_H

#include "base/error.h"

#include <stddef.h>

enum version_kind { VERSION_REVISION, VERSION_PACKAGE, VERSION_IMAGE };

enum version_edit_kind { EDIT_REVERT, EDIT_PICK, EDIT_PATCH, EDIT_CONFIG };

struct version_edit {
	enum version_edit_kind kind;
	char *value; /* a revision, a file, "SYMBOL=VALUE" without CONFIG_ */
};

struct version {
	enum version_kind kind;
	char *text;    /* as written */
	char *name;    /* the revision, the package or its file, the image */
	char *modules; /* of an image: folder with lib/modules/RELEASE; else NULL */
	struct version_edit *edits;
	size_t edit_count;
};

/* Fails with ERROR_USAGE that quotes the text. */
int version_parse(const char *text, struct version *ret_version, struct error *err);
void version_finish(struct version *version);

/* Where the edits of a revision begin in its text: its end where it has none. */
const char *version_find_edits(const char *text);

#endif
