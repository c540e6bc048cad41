/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workspace from inside: see checkout.h. */
#ifndef HISTORY_WORKSPACE_PRIVATE_H
#define HISTORY_WORKSPACE_PRIVATE_H

#include "history/checkout.h"
#include "history/repository_private.h"

#include <git2/sys/odb_backend.h>
#include <sys/stat.h>

struct workspace {
	struct repository *repository;
	char *folder;
	char *source;
	char *index_path;
	char *pending_path;
	int root; /* descriptor of source/ */
	/* edits.git, whose object store also reads the user's repository. */
	git_repository *edits;
};

int workspace_tree(struct workspace *workspace, const char *hex, git_tree **ret_tree,
		   struct error *err);

/* A read-only view of another object store for git_odb_add_backend(); takes it on
 * success. */
int object_view_create(git_odb *store, git_odb_backend **ret_backend);

/*
 * Files below a root descriptor by their path, never through a symbolic link. Errors
 * name the path. "mode" is git's: 0100644, 0100755 or 0120000 (content is the target).
 */
struct place {
	int root;
	char *parent; /* path of the folder that parent_fd is; NULL: none yet */
	int parent_fd;
};

void place_finish(struct place *place);
/* Creates folders as needed, replaces what is there. ret_status is of the new file. */
int place_write(struct place *place, const char *path, unsigned mode, const void *content,
		size_t size, struct stat *ret_status, struct error *err);
/* The content as git would store it; *ret_found 0 where no such file or link is there. */
int place_read(struct place *place, const char *path, struct text *ret_content,
	       struct stat *ret_status, int *ret_found, struct error *err);
/* Removes a file or link, then folders that became empty. Not there is no error. */
int place_remove(struct place *place, const char *path, struct error *err);

/* ERROR_USAGE for a path or mode that must not be checked out. */
int place_check(const char *path, unsigned mode, struct error *err);

#endif
