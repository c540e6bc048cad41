/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the files of history/ alone: the library's handle and its errors. */
#ifndef HISTORY_REPOSITORY_PRIVATE_H
#define HISTORY_REPOSITORY_PRIVATE_H

#include "history/repository.h"

#include <git2.h>

struct repository {
	git_repository *git;
	char *path;
};

/* -1 with the message given, ": " and what libgit2 says. */
__attribute__((format(printf, 3, 4))) int history_error(struct error *err,
							enum error_kind kind,
							const char *format, ...);

void history_id_text(const git_oid *id, char hex[COMMIT_ID_SIZE]);
int history_id_parse(const char *hex, git_oid *ret_id, struct error *err);
int history_lookup(struct repository *repository, const struct commit_id *id,
		   git_commit **ret_commit, struct error *err);
/* Fails in a shallow clone, saying how to complete it. */
int history_require_complete(struct repository *repository, struct error *err);

#define HISTORY_CLEANUP(type)                                                            \
	static inline void cleanup_##type(type **object)                                 \
	{                                                                                \
		type##_free(*object);                                                    \
	}

HISTORY_CLEANUP(git_commit)
HISTORY_CLEANUP(git_tree)
HISTORY_CLEANUP(git_object)
HISTORY_CLEANUP(git_reference)
HISTORY_CLEANUP(git_revwalk)
HISTORY_CLEANUP(git_diff)
HISTORY_CLEANUP(git_patch)
HISTORY_CLEANUP(git_index)
HISTORY_CLEANUP(git_blob)
HISTORY_CLEANUP(git_odb)

#endif
