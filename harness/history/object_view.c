/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Git's own way to share objects, an alternate, touches the files of the other store
 * ("freshens" them) when an object is written that it has. This view only reads.
 */
#include "base/memory.h"
#include "history/workspace_private.h"

#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include <string.h>

struct object_view {
	git_odb_backend backend;
	git_odb *store;
};

static int view_read(void **ret_data, size_t *ret_size, git_object_t *ret_type,
		     git_odb_backend *backend, const git_oid *id)
{
	struct object_view *view = (struct object_view *)backend;
	git_odb_object *object = NULL;
	int code = git_odb_read(&object, view->store, id);

	if (code)
		return code;
	*ret_size = git_odb_object_size(object);
	*ret_type = git_odb_object_type(object);
	*ret_data = git_odb_backend_data_alloc(backend, *ret_size + 1);
	if (*ret_data)
		memcpy(*ret_data, git_odb_object_data(object), *ret_size);
	git_odb_object_free(object);
	return *ret_data ? 0 : -1;
}

static int view_read_header(size_t *ret_size, git_object_t *ret_type,
			    git_odb_backend *backend, const git_oid *id)
{
	return git_odb_read_header(ret_size, ret_type,
				   ((struct object_view *)backend)->store, id);
}

static int view_exists(git_odb_backend *backend, const git_oid *id)
{
	return git_odb_exists(((struct object_view *)backend)->store, id);
}

static int view_refresh(git_odb_backend *backend)
{
	return git_odb_refresh(((struct object_view *)backend)->store);
}

static void view_free(git_odb_backend *backend)
{
	git_odb_free(((struct object_view *)backend)->store);
	free(backend);
}

int object_view_create(git_odb *store, git_odb_backend **ret_backend)
{
	struct object_view *view = memory_new(1, sizeof(*view));

	if (git_odb_init_backend(&view->backend, GIT_ODB_BACKEND_VERSION)) {
		free(view);
		return -1;
	}
	view->store = store;
	view->backend.read = view_read;
	view->backend.read_header = view_read_header;
	view->backend.exists = view_exists;
	view->backend.refresh = view_refresh;
	view->backend.free = view_free;
	*ret_backend = &view->backend;
	return 0;
}
