/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of a repository as files in a folder of ours, and trees with edits.
 *
 * A workspace is FOLDER with
 *	source/      the files of the tree checked out last, and what a build left there
 *	edits.git/   an object store of our own for trees made by edits
 *	index        what source/ holds, with the stat data of each file
 *	pending      while a checkout runs: the files it may have made
 * The user's repository, worktree, index and HEAD are never written. One process at a
 * time uses a workspace (base/lock.h; the caller holds it).
 *
 * A checkout writes only files that differ from what is there. They get a new mtime, so
 * that make rebuilds them and nothing else. Files that someone changed or removed are
 * found by their stat data and put right; a checkout that was cut short is completed by
 * the next one. Files that belong to no tree are left alone (build products) unless the
 * tree has something of that name.
 *
 * Refused: submodules, names such as "..", ".git" or with NULs, and any path that would
 * lead through a symbolic link.
 */
#ifndef HISTORY_CHECKOUT_H
#define HISTORY_CHECKOUT_H

#include "history/repository.h"

struct workspace;

/* Makes the folder where it does not exist. The repository must outlive the workspace. */
int workspace_open(struct repository *repository, const char *folder,
		   struct workspace **ret_workspace, struct error *err);
void workspace_close(struct workspace *workspace);

static inline void cleanup_workspace(struct workspace **workspace)
{
	workspace_close(*workspace);
}

/* FOLDER/source */
const char *workspace_source(const struct workspace *workspace);

struct checkout_counts {
	size_t files;   /* in the tree */
	size_t written; /* created or rewritten */
	size_t removed;
};

/*
 * Brings source/ to a tree of the repository or of an edit. ret_counts may be NULL.
 * ERROR_INTERRUPTED when the user asked to stop.
 */
int workspace_checkout(struct workspace *workspace, const struct tree_id *tree,
		       struct checkout_counts *ret_counts, struct error *err);

/*
 * The tree without what a commit changed (a merge against its first parent). Where that
 * conflicts: ERROR_USAGE that lists the files.
 */
int workspace_revert(struct workspace *workspace, const struct tree_id *tree,
		     const struct commit_id *commit, struct tree_id *ret_tree,
		     struct error *err);

/*
 * The tree with what a commit changed (a merge against its first parent). Conflicts as
 * above.
 */
int workspace_pick(struct workspace *workspace, const struct tree_id *tree,
		   const struct commit_id *commit, struct tree_id *ret_tree,
		   struct error *err);

/* The tree with a patch (unified diff, as git makes it; mail headers are skipped). */
int workspace_patch(struct workspace *workspace, const struct tree_id *tree,
		    const char *patch_path, struct tree_id *ret_tree, struct error *err);

#endif
