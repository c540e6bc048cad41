/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "history/workspace_private.h"

#include <fcntl.h>
#include <git2/sys/repository.h>

enum { VIEW_PRIORITY = 5 /* before the store's own loose and packed objects */ };

static int attach_view(struct workspace *workspace, struct error *err)
{
	CLEANUP(cleanup_git_odb) git_odb *own = NULL;
	git_odb *theirs = NULL;
	git_odb_backend *view = NULL;

	if (git_repository_odb(&own, workspace->edits) ||
	    git_repository_odb(&theirs, workspace->repository->git))
		return history_error(err, ERROR_HOST, "%s", workspace->folder);
	if (object_view_create(theirs, &view)) {
		git_odb_free(theirs);
		return history_error(err, ERROR_HOST, "%s", workspace->folder);
	}
	if (git_odb_add_backend(own, view, VIEW_PRIORITY)) {
		view->free(view);
		return history_error(err, ERROR_HOST, "%s", workspace->folder);
	}
	return 0;
}

static int open_edits(struct workspace *workspace, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(workspace->folder, "edits.git");

	if (git_repository_open_bare(&workspace->edits, path)) {
		/* Nothing there, or left half-made: all in it can be made again. */
		if (file_remove_tree(path, err))
			return -1;
		if (git_repository_init(&workspace->edits, path, 1))
			return history_error(err, ERROR_HOST, "cannot create %s", path);
	}
	return attach_view(workspace, err);
}

int workspace_open(struct repository *repository, const char *folder,
		   struct workspace **ret_workspace, struct error *err)
{
	CLEANUP(cleanup_workspace)
	struct workspace *workspace = memory_new(1, sizeof(*workspace));

	workspace->repository = repository;
	workspace->folder = memory_copy_string(folder);
	workspace->source = file_join(folder, "source");
	workspace->index_path = file_join(folder, "index");
	workspace->pending_path = file_join(folder, "pending");
	workspace->root = -1;
	if (file_make_folders(workspace->source, err))
		return -1;
	workspace->root = open(workspace->source, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (workspace->root < 0)
		return error_system(err, "cannot open %s", workspace->source);
	if (open_edits(workspace, err))
		return -1;
	*ret_workspace = TAKE(workspace);
	return 0;
}

void workspace_close(struct workspace *workspace)
{
	if (!workspace)
		return;
	git_repository_free(workspace->edits);
	if (workspace->root >= 0)
		close(workspace->root);
	free(workspace->folder);
	free(workspace->source);
	free(workspace->index_path);
	free(workspace->pending_path);
	free(workspace);
}

const char *workspace_source(const struct workspace *workspace)
{
	return workspace->source;
}

int workspace_tree(struct workspace *workspace, const char *hex, git_tree **ret_tree,
		   struct error *err)
{
	git_oid id;

	if (history_id_parse(hex, &id, err))
		return -1;
	if (git_tree_lookup(ret_tree, workspace->edits, &id))
		return history_error(err, ERROR_HOST, "%s: tree %.12s",
				     workspace->repository->path, hex);
	return 0;
}
