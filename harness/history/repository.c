/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/repository.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CACHE_BYTES = 32 << 20 };

int history_error(struct error *err, enum error_kind kind, const char *format, ...)
{
	const git_error *cause = git_error_last();
	char text[ERROR_TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(err, kind, "%s: %s", text,
			 cause && cause->message ? cause->message : "no cause given");
}

void history_id_text(const git_oid *id, char hex[COMMIT_ID_SIZE])
{
	git_oid_tostr(hex, COMMIT_ID_SIZE, id);
}

int history_id_parse(const char *hex, git_oid *ret_id, struct error *err)
{
	if (strlen(hex) != GIT_OID_HEXSZ || git_oid_fromstr(ret_id, hex))
		return error_set(err, ERROR_USAGE, "\"%s\" is no object id", hex);
	return 0;
}

int history_lookup(struct repository *repository, const struct commit_id *id,
		   git_commit **ret_commit, struct error *err)
{
	git_oid oid;

	if (history_id_parse(id->hex, &oid, err))
		return -1;
	if (git_commit_lookup(ret_commit, repository->git, &oid))
		return history_error(err, ERROR_HOST, "%s: commit %.12s",
				     repository->path, id->hex);
	return 0;
}

int history_require_complete(struct repository *repository, struct error *err)
{
	if (!repository_is_shallow(repository))
		return 0;
	return error_set(
		err, ERROR_USAGE,
		"%s is a shallow clone, its history is cut off; complete it with "
		"\"git -C %s fetch --unshallow\"",
		repository->path, repository->path);
}

/*
 * These extensions change nothing in what we read; we run nothing that an owner could
 * plant; and results must not depend on the user's configuration of git.
 */
static void set_library_options(void)
{
	static const int levels[] = {GIT_CONFIG_LEVEL_PROGRAMDATA,
				     GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
				     GIT_CONFIG_LEVEL_GLOBAL};
	const char *names[] = {"worktreeconfig", "partialclone", "preciousobjects"};

	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, sizeof(names) / sizeof(*names));
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_BYTES);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
}

static int refuse_path(const char *path, struct error *err)
{
	git_buf found = {0};
	int inside = git_repository_discover(&found, path, 0, NULL) == 0;

	if (!file_exists(path))
		error_set(err, ERROR_USAGE, "%s: no such folder", path);
	else if (inside)
		error_set(err, ERROR_USAGE,
			  "%s is not the top of a git repository (it lies inside %s)",
			  path, found.ptr);
	else
		error_set(err, ERROR_USAGE,
			  "%s is not a git repository; --tree DIR names the kernel's",
			  path);
	git_buf_dispose(&found);
	return -1;
}

int repository_open(const char *path, struct repository **ret_repository,
		    struct error *err)
{
	git_repository *git = NULL;
	struct repository *repository;
	int code;

	git_libgit2_init();
	set_library_options();
	code = git_repository_open_ext(&git, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (code) {
		if (code == GIT_ENOTFOUND)
			refuse_path(path, err);
		else
			history_error(err, ERROR_HOST, "cannot open %s", path);
		git_libgit2_shutdown();
		return -1;
	}
	repository = memory_new(1, sizeof(*repository));
	repository->git = git;
	repository->path = memory_copy_string(path);
	*ret_repository = repository;
	return 0;
}

void repository_close(struct repository *repository)
{
	if (!repository)
		return;
	git_repository_free(repository->git);
	free(repository->path);
	free(repository);
	git_libgit2_shutdown();
}

const char *repository_path(const struct repository *repository)
{
	return repository->path;
}

int repository_is_shallow(const struct repository *repository)
{
	return git_repository_is_shallow(repository->git) == 1;
}

int repository_tree(struct repository *repository, const struct commit_id *id,
		    struct tree_id *ret_tree, struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;

	if (history_lookup(repository, id, &commit, err))
		return -1;
	history_id_text(git_commit_tree_id(commit), ret_tree->hex);
	return 0;
}

int repository_is_ancestor(struct repository *repository,
			   const struct commit_id *ancestor,
			   const struct commit_id *commit, int *ret_answer,
			   struct error *err)
{
	git_oid first, second;
	int answer;

	if (history_require_complete(repository, err) ||
	    history_id_parse(ancestor->hex, &first, err) ||
	    history_id_parse(commit->hex, &second, err))
		return -1;
	answer = git_oid_equal(&first, &second) ||
		 git_graph_descendant_of(repository->git, &second, &first);
	if (answer < 0)
		return history_error(err, ERROR_HOST, "%s", repository->path);
	*ret_answer = answer;
	return 0;
}

int repository_merge_base(struct repository *repository, const struct commit_id *a,
			  const struct commit_id *b, struct commit_id *ret_base,
			  struct error *err)
{
	git_oid first, second, base;
	int code;

	if (history_require_complete(repository, err) ||
	    history_id_parse(a->hex, &first, err) ||
	    history_id_parse(b->hex, &second, err))
		return -1;
	code = git_merge_base(&base, repository->git, &first, &second);
	if (code == GIT_ENOTFOUND)
		return error_set(err, ERROR_USAGE,
				 "%.12s and %.12s have no common ancestor", a->hex,
				 b->hex);
	if (code)
		return history_error(err, ERROR_HOST, "%s", repository->path);
	history_id_text(&base, ret_base->hex);
	return 0;
}

int repository_describe(struct repository *repository, const struct commit_id *id,
			char **ret_name, struct error *err)
{
	git_describe_options options = GIT_DESCRIBE_OPTIONS_INIT;
	git_describe_format_options format = GIT_DESCRIBE_FORMAT_OPTIONS_INIT;
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	git_describe_result *result = NULL;
	git_buf name = {0};

	if (history_lookup(repository, id, &commit, err))
		return -1;
	options.describe_strategy = GIT_DESCRIBE_TAGS;
	format.abbreviated_size = 12;
	if (git_describe_commit(&result, (git_object *)commit, &options) == 0 &&
	    git_describe_format(&name, result, &format) == 0)
		*ret_name = memory_copy_string(name.ptr);
	else
		*ret_name = memory_format("%.12s", id->hex);
	git_describe_result_free(result);
	git_buf_dispose(&name);
	return 0;
}

struct tag_collector {
	struct repository *repository;
	struct tag_list tags;
	size_t capacity;
};

static int collect_tag(const char *name, git_oid *id, void *payload)
{
	struct tag_collector *collector = payload;
	CLEANUP(cleanup_git_object) git_object *object = NULL;
	CLEANUP(cleanup_git_object) git_object *commit = NULL;
	struct tag_list *tags = &collector->tags;

	/* Tags of blobs and trees are not ours to judge: they lead to no version. */
	if (git_object_lookup(&object, collector->repository->git, id, GIT_OBJECT_ANY) ||
	    git_object_peel(&commit, object, GIT_OBJECT_COMMIT))
		return 0;
	tags->items = memory_grow(tags->items, tags->count, &collector->capacity,
				  sizeof(*tags->items));
	tags->items[tags->count].name = memory_copy_string(name + strlen("refs/tags/"));
	history_id_text(git_object_id(commit), tags->items[tags->count].commit.hex);
	tags->count++;
	return 0;
}

static int by_tag_name(const void *a, const void *b)
{
	return strcmp(((const struct tag *)a)->name, ((const struct tag *)b)->name);
}

int repository_tags(struct repository *repository, struct tag_list *ret_tags,
		    struct error *err)
{
	struct tag_collector collector = {.repository = repository};

	if (git_tag_foreach(repository->git, collect_tag, &collector)) {
		tag_list_finish(&collector.tags);
		return history_error(err, ERROR_HOST, "%s: tags", repository->path);
	}
	if (collector.tags.count)
		qsort(collector.tags.items, collector.tags.count,
		      sizeof(*collector.tags.items), by_tag_name);
	*ret_tags = collector.tags;
	return 0;
}

void tag_list_finish(struct tag_list *tags)
{
	for (size_t i = 0; i < tags->count; i++)
		free(tags->items[i].name);
	free(tags->items);
	*tags = (struct tag_list){0};
}
