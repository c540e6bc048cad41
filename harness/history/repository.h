/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A git repository, read only: names to commits, commits to facts. Nothing here
 * writes to the repository, its index, its worktree, its configuration or its HEAD
 * (history/fetch.h does, on request).
 *
 * Bare repositories, linked worktrees and repositories of other users are fine: no
 * hook, filter or other program of the repository is ever run. In a shallow clone
 * commits can be named, but what needs history says how to complete it.
 *
 * Ids are lower-case hexadecimal strings. Strings in results belong to the result and
 * go with its ..._finish(). Errors are ERROR_USAGE where the user named something
 * wrong, else ERROR_HOST.
 */
#ifndef HISTORY_REPOSITORY_H
#define HISTORY_REPOSITORY_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

enum { COMMIT_ID_SIZE = 65 };

struct commit_id {
	char hex[COMMIT_ID_SIZE];
};

struct tree_id {
	char hex[COMMIT_ID_SIZE];
};

struct repository;

/* The folder itself must be the repository or its worktree's top. */
int repository_open(const char *path, struct repository **ret_repository,
		    struct error *err);
void repository_close(struct repository *repository);

/* For CLEANUP(). */
static inline void cleanup_repository(struct repository **repository)
{
	repository_close(*repository);
}

/* As it was opened. */
const char *repository_path(const struct repository *repository);
int repository_is_shallow(const struct repository *repository);

/*
 * A revision ("v6.1-rc1~3", "HEAD", an id or its beginning) to its commit; annotated
 * tags are peeled. A name that means different commits (tag and branch, or a short id
 * of several commits) is refused with the candidates; an unknown name with the nearest
 * tag or branch.
 */
int repository_resolve(struct repository *repository, const char *revision,
		       struct commit_id *ret_id, struct error *err);

/* The tree of a commit: its content without its history. */
int repository_tree(struct repository *repository, const struct commit_id *id,
		    struct tree_id *ret_tree, struct error *err);

/* *ret_answer: whether ancestor is commit or one of its ancestors. */
int repository_is_ancestor(struct repository *repository,
			   const struct commit_id *ancestor,
			   const struct commit_id *commit, int *ret_answer,
			   struct error *err);

/* Fails where the two have no common ancestor. */
int repository_merge_base(struct repository *repository, const struct commit_id *a,
			  const struct commit_id *b, struct commit_id *ret_base,
			  struct error *err);

/*
 * A name for people, as git describe makes it from all tags: "v6.1",
 * "v6.1-3-g0123456789ab"; without a tag below the commit the first 12 digits. The caller
 * frees.
 */
int repository_describe(struct repository *repository, const struct commit_id *id,
			char **ret_name, struct error *err);

/* Every tag that leads to a commit, annotated ones peeled; order of names. */
struct tag {
	char *name; /* without refs/tags/ */
	struct commit_id commit;
};

struct tag_list {
	struct tag *items;
	size_t count;
};

int repository_tags(struct repository *repository, struct tag_list *ret_tags,
		    struct error *err);
void tag_list_finish(struct tag_list *tags);

#endif
