/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of others as rows of the database: a version is a kernel of kind "import", a
 * boot is known by version, scenario, environment and label. Boots that are there
 * already are passed over, whatever their values: rows are never rewritten.
 */
#ifndef CLI_IMPORT_BOOTS_H
#define CLI_IMPORT_BOOTS_H

#include "exchange/dataset.h"
#include "store/store.h"

/* Files of one session. Store and session are the caller's. */
struct importer {
	struct store *store;
	int64_t session;
	int64_t *versions; /* seen so far, in order; private */
	size_t version_count, version_capacity;
};

void importer_finish(struct importer *importer);

struct import_counts {
	size_t added, known; /* boots */
	size_t different;    /* of the known ones: with other values than stored */
};

/* All boots of a complete dataset, or none; path is for messages. */
int importer_add(struct importer *importer, const char *path,
		 const struct dataset *dataset, struct import_counts *ret_counts,
		 struct error *err);

/* After the last file: what the session was about. */
int importer_end(struct importer *importer, struct error *err);

#endif
