/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a commit says of itself, and what it changed.
 *
 * Texts come from the repository as they are: any bytes but NUL. Who prints them
 * escapes them.
 */
#ifndef HISTORY_COMMIT_H
#define HISTORY_COMMIT_H

#include "history/repository.h"

struct commit_info {
	struct commit_id id;
	struct tree_id tree;
	struct commit_id *parents;
	size_t parent_count;
	char *subject; /* first paragraph on one line */
	char *message; /* whole */
	char *author_name;
	char *author_email;
	int64_t author_time; /* seconds since 1970 */
	int64_t commit_time;
};

int commit_read(struct repository *repository, const struct commit_id *id,
		struct commit_info *ret_info, struct error *err);
void commit_info_finish(struct commit_info *info);

/* One touched file against the first parent (or against nothing for a root). */
struct commit_change {
	char *path; /* the new name, or the old one of a removed file */
	char kind;  /* 'A' added, 'D' removed, 'M' changed, 'R' renamed, 'T' type */
	int binary; /* then the counts are 0 */
	size_t added, removed; /* lines */
};

struct commit_changes {
	struct commit_change *items;
	size_t count;
};

int commit_read_changes(struct repository *repository, const struct commit_id *id,
			struct commit_changes *ret_changes, struct error *err);
void commit_changes_finish(struct commit_changes *changes);

/* The change as a patch text against the first parent, cut after limit bytes. */
int commit_read_patch(struct repository *repository, const struct commit_id *id,
		      size_t limit, struct text *ret_patch, struct error *err);

#endif
