/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/subject.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "build/lease.h"
#include "build/package.h"
#include "history/commit.h"
#include "history/range.h"
#include "measure/rows.h"
#include "store/subjects.h"

#include <stdlib.h>
#include <string.h>

enum { WORKSPACE_WAIT_SECONDS = 3600 };

static int apply_edit(struct workbench *workbench, const struct version_edit *edit,
		      struct subject *subject, struct error *err)
{
	struct tree_id before = subject->tree;
	struct commit_id commit;

	switch (edit->kind) {
	case EDIT_CONFIG:
		return config_add_setting(&subject->config, edit->value, err);
	case EDIT_PATCH:
		return workspace_patch(workbench->workspace, &before, edit->value,
				       &subject->tree, err);
	case EDIT_REVERT:
	case EDIT_PICK:
		if (repository_resolve(workbench->repository, edit->value, &commit, err))
			return -1;
		return edit->kind == EDIT_PICK
			       ? workspace_pick(workbench->workspace, &before, &commit,
						&subject->tree, err)
			       : workspace_revert(workbench->workspace, &before, &commit,
						  &subject->tree, err);
	}
	return 0;
}

/* Trees of edits are written below the build tree, which one process uses at a time. */
static int apply_edits(struct workbench *workbench, struct subject *subject,
		       struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(workbench->build_tree, "lock");
	CLEANUP(lock_release) struct lock lock = LOCK_NONE;

	if (lock_wait(path, "apply edits", WORKSPACE_WAIT_SECONDS, &lock, err))
		return -1;
	for (size_t i = 0; i < subject->version.edit_count; i++)
		if (apply_edit(workbench, &subject->version.edits[i], subject, err))
			return -1;
	return 0;
}

static int open_revision(struct workbench *workbench, struct subject *subject,
			 struct error *err)
{
	if (workbench_open_build(workbench, err) ||
	    repository_resolve(workbench->repository, subject->version.name,
			       &subject->commit, err) ||
	    repository_tree(workbench->repository, &subject->commit, &subject->tree, err))
		return -1;
	subject->has_commit = 1;
	config_request_copy(&workbench->kernel_config, &subject->config);
	return subject->version.edit_count ? apply_edits(workbench, subject, err) : 0;
}

int subject_open(struct workbench *workbench, const char *text, const char *name,
		 struct subject *ret_subject, struct error *err)
{
	struct subject subject = {0};

	if (version_parse(text, &subject.version, err))
		return -1;
	subject.name = memory_copy_string(name ? name : text);
	if (subject.version.kind == VERSION_REVISION &&
	    open_revision(workbench, &subject, err)) {
		subject_finish(&subject);
		return -1;
	}
	*ret_subject = subject;
	return 0;
}

void subject_finish(struct subject *subject)
{
	version_finish(&subject->version);
	config_request_finish(&subject->config);
	kernel_finish(&subject->kernel);
	free(subject->name);
	free(subject->detail);
	*subject = (struct subject){0};
}

void subject_list_finish(struct subject_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		subject_finish(&list->items[i]);
	free(list->items);
	*list = (struct subject_list){0};
}

static int add_one(struct workbench *workbench, const char *text, const char *name,
		   struct subject_list *list, struct error *err)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	if (subject_open(workbench, text, name, &list->items[list->count], err))
		return -1;
	list->count++;
	return 0;
}

int subject_list_add(struct workbench *workbench, const char *text,
		     const struct range_options *options, struct subject_list *list,
		     struct error *err)
{
	CLEANUP(range_finish) struct range range = {0};

	if (!range_is(text))
		return add_one(workbench, text, NULL, list, err);
	if (workbench_open_build(workbench, err) ||
	    range_list(workbench->repository, text, options, &range, err))
		return -1;
	for (size_t i = 0; i < range.count; i++)
		if (add_one(workbench, range.items[i].id.hex, range.items[i].name, list,
			    err))
			return -1;
	return 0;
}

static int prepare_source(void *context, const char *tree, struct error *err)
{
	const struct subject_build *build = context;

	(void)tree; /* the workspace knows its folder */
	return workspace_checkout(build->workspace, &build->tree, NULL, err);
}

static void fill_request(const struct workbench *workbench, const struct subject *subject,
			 struct build_request *request)
{
	*request = (struct build_request){
		.store = workbench->kernel_store,
		.tree = workbench->build_tree,
		.tree_id = subject->tree.hex,
		.origin = subject->name,
		.config = &subject->config,
		.toolchain = &workbench->toolchain,
		.prepare = prepare_source,
		.jobs = (unsigned)workbench->config.build.jobs,
		.ccache = workbench->ccache,
		.timeout_seconds = (double)workbench->config.build.timeout_minutes * 60,
	};
}

int subject_find_kernel(struct workbench *workbench, struct subject *subject,
			struct error *err)
{
	CLEANUP(cleanup_free) char *downloads = file_join(workbench->cache, "downloads");
	struct build_request request;
	struct kernel kernel = {0};
	char key[HASH_HEX_SIZE];
	int found = 1;
	int failed = 0;

	switch (subject->version.kind) {
	case VERSION_PACKAGE:
		failed = package_kernel(workbench->kernel_store, downloads,
					subject->version.name, &kernel, err);
		break;
	case VERSION_IMAGE:
		failed = image_kernel(workbench->kernel_store, subject->version.name,
				      subject->version.modules, &kernel, err);
		break;
	case VERSION_REVISION:
		fill_request(workbench, subject, &request);
		build_key(&request, key);
		failed = kernel_store_find(workbench->kernel_store, key, &kernel, &found,
					   err);
		break;
	}
	if (failed) /* packages and images name themselves */
		return subject->version.kind == VERSION_REVISION
			       ? error_prefix(err, "%s", subject->name)
			       : -1;
	return found ? subject_take_kernel(workbench, subject, &kernel, err) : 0;
}

int subject_start_build(struct workbench *workbench, const struct subject *subject,
			struct subject_build *build, struct error *err)
{
	build->workspace = workbench->workspace;
	build->tree = subject->tree;
	fill_request(workbench, subject, &build->request);
	build->request.context = build;
	if (build_start(&build->request, &build->build, err))
		return error_prefix(err, "%s", subject->name);
	return 0;
}

void subject_fail(struct subject *subject, enum outcome outcome, const char *detail)
{
	subject->state = SUBJECT_FAILED;
	subject->outcome = outcome;
	free(subject->detail);
	subject->detail = memory_copy_string(detail);
}

/* The first error, and where the others are. */
static void fail_build(struct subject *subject)
{
	const struct kernel *kernel = &subject->kernel;
	CLEANUP(cleanup_free)
	char *detail =
		kernel->log ? memory_format("%s (log: %s)", kernel->failure, kernel->log)
			    : memory_copy_string(kernel->failure);

	subject_fail(subject, OUTCOME_BUILD_FAILED, detail);
}

int subject_take_kernel(struct workbench *workbench, struct subject *subject,
			struct kernel *kernel, struct error *err)
{
	int there;

	if (kernel_lease_hold(workbench->lease, kernel->key, &there, err))
		return -1;
	if (!there) { /* removed by another command just now */
		kernel_finish(kernel);
		return subject->version.kind == VERSION_REVISION
			       ? 0
			       : error_set(err, ERROR_HOST,
					   "%s: its kernel was removed meanwhile; once "
					   "more, please",
					   subject->name);
	}
	kernel_finish(&subject->kernel);
	subject->kernel = *kernel;
	*kernel = (struct kernel){0};
	subject->state = SUBJECT_READY;
	if (subject->kernel.failure)
		fail_build(subject);
	return rows_add_subject(workbench, subject, err);
}
