/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/checkout.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "history/workspace_private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { CHECK_INTERRUPT_EVERY = 64, PENDING_LIMIT = 1 << 20 };

struct checkout {
	struct workspace *workspace;
	struct place place;
	git_odb *store;
	git_index *held;   /* what the folder is said to hold, with stat data */
	git_index *wanted; /* the tree; entries that held has carry its stat data */
	struct text content;
	struct checkout_counts counts;
};

static void checkout_finish(struct checkout *checkout)
{
	place_finish(&checkout->place);
	git_odb_free(checkout->store);
	git_index_free(checkout->held);
	git_index_free(checkout->wanted);
	text_finish(&checkout->content);
}

/* A record that is damaged or gone costs time only: every file is then compared. */
static int open_index(const char *path, git_index **ret_index, struct error *err)
{
	CLEANUP(cleanup_free) char *stale = memory_format("%s.lock", path);

	unlink(stale);
	if (git_index_open(ret_index, path) == 0)
		return 0;
	unlink(path);
	if (git_index_open(ret_index, path))
		return history_error(err, ERROR_HOST, "cannot read %s", path);
	return 0;
}

static int open_checkout(struct checkout *checkout, const struct tree_id *tree_id,
			 struct error *err)
{
	struct workspace *workspace = checkout->workspace;
	CLEANUP(cleanup_git_tree) git_tree *tree = NULL;

	checkout->place = (struct place){.root = workspace->root};
	if (workspace_tree(workspace, tree_id->hex, &tree, err) ||
	    open_index(workspace->index_path, &checkout->held, err) ||
	    open_index(workspace->index_path, &checkout->wanted, err))
		return -1;
	if (git_index_read_tree(checkout->wanted, tree))
		return history_error(err, ERROR_USAGE, "%s: tree %.12s",
				     workspace->repository->path, tree_id->hex);
	if (git_repository_odb(&checkout->store, workspace->edits))
		return history_error(err, ERROR_HOST, "%s", workspace->folder);
	return 0;
}

static int check_paths(const struct checkout *checkout, struct error *err)
{
	size_t count = git_index_entrycount(checkout->wanted);
	const char *previous = "";

	for (size_t i = 0; i < count; i++) {
		const git_index_entry *entry = git_index_get_byindex(checkout->wanted, i);

		if (place_check(entry->path, entry->mode, err))
			return -1;
		if (!strcmp(previous, entry->path))
			return error_set(err, ERROR_USAGE, "the tree holds \"%s\" twice",
					 entry->path);
		previous = entry->path;
	}
	return 0;
}

/* Of each path in old that the wanted tree lacks. Both are sorted. */
static int remove_missing(struct checkout *checkout, git_index *old, struct error *err)
{
	size_t count = git_index_entrycount(old);

	for (size_t i = 0; i < count; i++) {
		const git_index_entry *entry = git_index_get_byindex(old, i);

		if (git_index_get_bypath(checkout->wanted, entry->path, 0) ||
		    place_check(entry->path, entry->mode, err))
			continue;
		if (place_remove(&checkout->place, entry->path, err))
			return -1;
		checkout->counts.removed++;
	}
	return 0;
}

/* What checkouts that were cut short may have made. */
static int remove_pending(struct checkout *checkout, struct error *err)
{
	struct workspace *workspace = checkout->workspace;
	CLEANUP(text_finish) struct text list = {0};
	char *rest, *line;

	if (!file_exists(workspace->pending_path))
		return 0;
	if (file_read(workspace->pending_path, PENDING_LIMIT, &list, err))
		return -1;
	for (rest = list.data; (line = strsep(&rest, "\n"));) {
		CLEANUP(cleanup_git_index) git_index *index = NULL;
		CLEANUP(cleanup_git_tree) git_tree *tree = NULL;

		/* A last line that was cut off in writing: nothing was made for it. */
		if (strlen(line) != GIT_OID_HEXSZ ||
		    workspace_tree(workspace, line, &tree, err))
			continue;
		if (git_index_new(&index) || git_index_read_tree(index, tree))
			return history_error(err, ERROR_HOST, "tree %.12s", line);
		if (remove_missing(checkout, index, err))
			return -1;
	}
	return 0;
}

static int note_pending(struct workspace *workspace, const struct tree_id *tree,
			struct error *err)
{
	CLEANUP(cleanup_fd)
	int fd = open(workspace->pending_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		      0666);
	CLEANUP(cleanup_free) char *line = memory_format("%s\n", tree->hex);

	if (fd < 0)
		return error_system(err, "cannot write %s", workspace->pending_path);
	return file_write_fd(fd, line, strlen(line), workspace->pending_path, err);
}

static void record(git_index_entry *entry, const struct stat *status)
{
	entry->ctime.seconds = (int32_t)status->st_ctim.tv_sec;
	entry->ctime.nanoseconds = (uint32_t)status->st_ctim.tv_nsec;
	entry->mtime.seconds = (int32_t)status->st_mtim.tv_sec;
	entry->mtime.nanoseconds = (uint32_t)status->st_mtim.tv_nsec;
	entry->ino = (uint32_t)status->st_ino;
	entry->file_size = (uint32_t)status->st_size;
}

static int untouched(const git_index_entry *entry, const struct stat *status)
{
	git_index_entry now = *entry;

	record(&now, status);
	return entry->mtime.seconds && now.ino == entry->ino &&
	       now.file_size == entry->file_size &&
	       now.mtime.seconds == entry->mtime.seconds &&
	       now.mtime.nanoseconds == entry->mtime.nanoseconds &&
	       now.ctime.seconds == entry->ctime.seconds &&
	       now.ctime.nanoseconds == entry->ctime.nanoseconds;
}

static int same_mode(unsigned mode, const struct stat *status)
{
	if (S_ISLNK(status->st_mode) || S_ISLNK(mode))
		return S_ISLNK(status->st_mode) && S_ISLNK(mode);
	return ((mode & 0100) != 0) == ((status->st_mode & 0100) != 0);
}

/* *ret_same: the file is there with the entry's content and mode. */
static int compare(struct checkout *checkout, const git_index_entry *entry,
		   struct stat *ret_status, int *ret_same, struct error *err)
{
	git_oid id;
	int found;

	*ret_same = 0;
	if (place_read(&checkout->place, entry->path, &checkout->content, ret_status,
		       &found, err))
		return -1;
	if (!found || !same_mode(entry->mode, ret_status))
		return 0;
	if (git_odb_hash(&id, text_string(&checkout->content), checkout->content.size,
			 GIT_OBJECT_BLOB))
		return history_error(err, ERROR_HOST, "%s", entry->path);
	*ret_same = git_oid_equal(&id, &entry->id);
	return 0;
}

static int write_entry(struct checkout *checkout, const git_index_entry *entry,
		       struct stat *ret_status, struct error *err)
{
	git_odb_object *object = NULL;
	int result;

	if (git_odb_read(&object, checkout->store, &entry->id))
		return history_error(err, ERROR_HOST, "%s: content of %s",
				     checkout->workspace->repository->path, entry->path);
	result = place_write(&checkout->place, entry->path, entry->mode,
			     git_odb_object_data(object), git_odb_object_size(object),
			     ret_status, err);
	git_odb_object_free(object);
	checkout->counts.written++;
	return result;
}

static int bring(struct checkout *checkout, git_index_entry *entry, struct error *err)
{
	struct stat status;
	int same;

	if (fstatat(checkout->workspace->root, entry->path, &status,
		    AT_SYMLINK_NOFOLLOW) == 0 &&
	    untouched(entry, &status) && same_mode(entry->mode, &status))
		return 0;
	if (compare(checkout, entry, &status, &same, err))
		return -1;
	if (!same && write_entry(checkout, entry, &status, err))
		return -1;
	record(entry, &status);
	return 0;
}

static int bring_all(struct checkout *checkout, struct error *err)
{
	size_t count = checkout->counts.files;

	for (size_t i = 0; i < count; i++) {
		/* The index has no other way to set stat data without a worktree. */
		git_index_entry *entry =
			(git_index_entry *)(uintptr_t)git_index_get_byindex(
				checkout->wanted, i);

		if (i % CHECK_INTERRUPT_EVERY == 0 && interrupt_check(err))
			return -1;
		if (bring(checkout, entry, err))
			return -1;
	}
	return 0;
}

static int save(struct checkout *checkout, struct error *err)
{
	struct workspace *workspace = checkout->workspace;

	if (git_index_write(checkout->wanted))
		return history_error(err, ERROR_HOST, "cannot write %s",
				     workspace->index_path);
	if (unlink(workspace->pending_path))
		return error_system(err, "cannot remove %s", workspace->pending_path);
	return 0;
}

static int check_out(struct workspace *workspace, const struct tree_id *tree,
		     struct checkout_counts *ret_counts, struct error *err)
{
	CLEANUP(checkout_finish) struct checkout checkout = {.workspace = workspace};

	if (open_checkout(&checkout, tree, err) || check_paths(&checkout, err))
		return -1;
	checkout.counts.files = git_index_entrycount(checkout.wanted);
	if (note_pending(workspace, tree, err) || remove_pending(&checkout, err) ||
	    remove_missing(&checkout, checkout.held, err) || bring_all(&checkout, err) ||
	    save(&checkout, err))
		return -1;
	if (ret_counts)
		*ret_counts = checkout.counts;
	return 0;
}

int workspace_checkout(struct workspace *workspace, const struct tree_id *tree,
		       struct checkout_counts *ret_counts, struct error *err)
{
	if (!check_out(workspace, tree, ret_counts, err))
		return 0;
	/* Names in it are those of the tree; where that is tells whose disk is full. */
	return err->kind == ERROR_HOST ? error_prefix(err, "%s", workspace->source) : -1;
}
