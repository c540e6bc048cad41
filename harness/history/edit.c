/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "history/checkout.h"
#include "history/workspace_private.h"

#include <string.h>

enum { PATCH_LIMIT = 64 << 20, MOST_NAMED = 20 };

static void add_conflict(struct text *text, const git_index_entry *entry, size_t number)
{
	if (entry && number < MOST_NAMED)
		text_format(text, "%s%s", number ? ", " : "", entry->path);
}

static int refuse_conflicts(git_index *index, const char *what, struct error *err)
{
	CLEANUP(text_finish) struct text files = {0};
	const git_index_entry *base, *ours, *theirs;
	git_index_conflict_iterator *iterator = NULL;
	size_t count = 0;

	if (git_index_conflict_iterator_new(&iterator, index))
		return history_error(err, ERROR_HOST, "%s", what);
	while (git_index_conflict_next(&base, &ours, &theirs, iterator) == 0) {
		add_conflict(&files, ours ? ours : theirs ? theirs : base, count);
		count++;
	}
	git_index_conflict_iterator_free(iterator);
	return error_set(err, ERROR_USAGE, "%s conflicts in %s%s", what,
			 text_string(&files), count > MOST_NAMED ? ", ..." : "");
}

static int write_tree(struct workspace *workspace, git_index *index,
		      const struct tree_id *before, const char *what,
		      struct tree_id *ret_tree, struct error *err)
{
	struct tree_id tree;
	git_oid id;

	if (git_index_write_tree_to(&id, index, workspace->edits))
		return history_error(err, ERROR_HOST, "%s", what);
	history_id_text(&id, tree.hex);
	if (!strcmp(tree.hex, before->hex))
		return error_set(err, ERROR_USAGE, "%s changes nothing in this version",
				 what);
	*ret_tree = tree;
	return 0;
}

/* The trees before and after the commit. */
static int commit_trees(struct workspace *workspace, const struct commit_id *id,
			git_tree **ret_before, git_tree **ret_after, struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	CLEANUP(cleanup_git_commit) git_commit *parent = NULL;
	struct tree_id after, before;

	if (history_lookup(workspace->repository, id, &commit, err))
		return -1;
	if (!git_commit_parentcount(commit))
		return error_set(
			err, ERROR_USAGE,
			"%.12s is a root commit: it changes nothing that could be "
			"taken over or back",
			id->hex);
	if (git_commit_parent(&parent, commit, 0))
		return repository_is_shallow(workspace->repository)
			       ? history_require_complete(workspace->repository, err)
			       : history_error(err, ERROR_HOST, "parent of %.12s",
					       id->hex);
	history_id_text(git_commit_tree_id(commit), after.hex);
	history_id_text(git_commit_tree_id(parent), before.hex);
	if (workspace_tree(workspace, before.hex, ret_before, err) ||
	    workspace_tree(workspace, after.hex, ret_after, err))
		return -1;
	return 0;
}

/* Takes a commit's change back, or over from elsewhere. */
static int merge(struct workspace *workspace, const struct tree_id *tree,
		 const struct commit_id *commit, int back, struct tree_id *ret_tree,
		 struct error *err)
{
	CLEANUP(cleanup_git_tree) git_tree *before = NULL;
	CLEANUP(cleanup_git_tree) git_tree *after = NULL;
	CLEANUP(cleanup_git_tree) git_tree *ours = NULL;
	CLEANUP(cleanup_git_index) git_index *index = NULL;
	CLEANUP(text_finish) struct text what = {0};

	if (commit_trees(workspace, commit, &before, &after, err) ||
	    workspace_tree(workspace, tree->hex, &ours, err))
		return -1;
	text_format(&what, "the %s of %.12s", back ? "revert" : "pick", commit->hex);
	if (git_merge_trees(&index, workspace->edits, back ? after : before, ours,
			    back ? before : after, NULL))
		return history_error(err, ERROR_HOST, "%s", what.data);
	if (git_index_has_conflicts(index))
		return refuse_conflicts(index, what.data, err);
	return write_tree(workspace, index, tree, what.data, ret_tree, err);
}

int workspace_revert(struct workspace *workspace, const struct tree_id *tree,
		     const struct commit_id *commit, struct tree_id *ret_tree,
		     struct error *err)
{
	return merge(workspace, tree, commit, 1, ret_tree, err);
}

int workspace_pick(struct workspace *workspace, const struct tree_id *tree,
		   const struct commit_id *commit, struct tree_id *ret_tree,
		   struct error *err)
{
	return merge(workspace, tree, commit, 0, ret_tree, err);
}

static int parse_patch(const char *path, git_diff **ret_diff, struct error *err)
{
	CLEANUP(text_finish) struct text patch = {0};

	if (file_read(path, PATCH_LIMIT, &patch, err))
		return error_change_kind(err, ERROR_USAGE);
	if (git_diff_from_buffer(ret_diff, text_string(&patch), patch.size))
		return history_error(err, ERROR_USAGE, "%s is no patch that git makes",
				     path);
	if (git_diff_num_deltas(*ret_diff) == 0)
		return error_set(err, ERROR_USAGE, "%s holds no change", path);
	return 0;
}

int workspace_patch(struct workspace *workspace, const struct tree_id *tree,
		    const char *patch_path, struct tree_id *ret_tree, struct error *err)
{
	CLEANUP(cleanup_git_tree) git_tree *ours = NULL;
	CLEANUP(cleanup_git_diff) git_diff *diff = NULL;
	CLEANUP(cleanup_git_index) git_index *index = NULL;
	CLEANUP(text_finish) struct text what = {0};

	if (parse_patch(patch_path, &diff, err) ||
	    workspace_tree(workspace, tree->hex, &ours, err))
		return -1;
	text_format(&what, "the patch %s", patch_path);
	if (git_apply_to_tree(&index, workspace->edits, ours, diff, NULL))
		return history_error(err, ERROR_USAGE, "%s does not apply", what.data);
	return write_tree(workspace, index, tree, what.data, ret_tree, err);
}
