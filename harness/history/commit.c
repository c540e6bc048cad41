/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/commit.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <string.h>

static char *copy_or_empty(const char *string)
{
	return memory_copy_string(string ? string : "");
}

int commit_read(struct repository *repository, const struct commit_id *id,
		struct commit_info *ret_info, struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	const git_signature *author;
	struct commit_info info = {.id = *id};

	if (history_lookup(repository, id, &commit, err))
		return -1;
	author = git_commit_author(commit);
	history_id_text(git_commit_tree_id(commit), info.tree.hex);
	info.parent_count = git_commit_parentcount(commit);
	info.parents = memory_new(info.parent_count + 1, sizeof(*info.parents));
	for (size_t i = 0; i < info.parent_count; i++)
		history_id_text(git_commit_parent_id(commit, (unsigned)i),
				info.parents[i].hex);
	info.subject = copy_or_empty(git_commit_summary(commit));
	info.message = copy_or_empty(git_commit_message(commit));
	info.author_name = copy_or_empty(author ? author->name : NULL);
	info.author_email = copy_or_empty(author ? author->email : NULL);
	info.author_time = author ? author->when.time : 0;
	info.commit_time = git_commit_time(commit);
	*ret_info = info;
	return 0;
}

void commit_info_finish(struct commit_info *info)
{
	free(info->parents);
	free(info->subject);
	free(info->message);
	free(info->author_name);
	free(info->author_email);
	*info = (struct commit_info){0};
}

static int diff_first_parent(struct repository *repository, const struct commit_id *id,
			     git_diff **ret_diff, struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	CLEANUP(cleanup_git_commit) git_commit *parent = NULL;
	CLEANUP(cleanup_git_tree) git_tree *new_tree = NULL;
	CLEANUP(cleanup_git_tree) git_tree *old_tree = NULL;

	if (history_lookup(repository, id, &commit, err))
		return -1;
	if (git_commit_tree(&new_tree, commit))
		return history_error(err, ERROR_HOST, "commit %.12s", id->hex);
	if (git_commit_parentcount(commit) &&
	    (git_commit_parent(&parent, commit, 0) || git_commit_tree(&old_tree, parent)))
		return repository_is_shallow(repository)
			       ? history_require_complete(repository, err)
			       : history_error(err, ERROR_HOST, "commit %.12s", id->hex);
	if (git_diff_tree_to_tree(ret_diff, repository->git, old_tree, new_tree, NULL) ||
	    git_diff_find_similar(*ret_diff, NULL))
		return history_error(err, ERROR_HOST, "commit %.12s", id->hex);
	return 0;
}

static char kind_of(git_delta_t status)
{
	static const struct {
		git_delta_t status;
		char kind;
	} kinds[] = {{GIT_DELTA_ADDED, 'A'},
		     {GIT_DELTA_DELETED, 'D'},
		     {GIT_DELTA_RENAMED, 'R'},
		     {GIT_DELTA_TYPECHANGE, 'T'}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].status == status)
			return kinds[i].kind;
	return 'M';
}

static int read_change(git_diff *diff, size_t index, struct commit_change *change)
{
	const git_diff_delta *delta = git_diff_get_delta(diff, index);
	CLEANUP(cleanup_git_patch) git_patch *patch = NULL;

	change->kind = kind_of(delta->status);
	change->path = memory_copy_string(delta->status == GIT_DELTA_DELETED
						  ? delta->old_file.path
						  : delta->new_file.path);
	if (git_patch_from_diff(&patch, diff, index))
		return -1;
	/* The library tells of binary content only once it has read it. */
	delta = git_diff_get_delta(diff, index);
	change->binary = (delta->flags & GIT_DIFF_FLAG_BINARY) != 0;
	if (!patch || change->binary)
		return 0;
	return git_patch_line_stats(NULL, &change->added, &change->removed, patch);
}

int commit_read_changes(struct repository *repository, const struct commit_id *id,
			struct commit_changes *ret_changes, struct error *err)
{
	CLEANUP(cleanup_git_diff) git_diff *diff = NULL;
	CLEANUP(commit_changes_finish) struct commit_changes changes = {0};

	if (diff_first_parent(repository, id, &diff, err))
		return -1;
	changes.items = memory_new(git_diff_num_deltas(diff) + 1, sizeof(*changes.items));
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		changes.count++;
		if (read_change(diff, i, &changes.items[i]))
			return history_error(err, ERROR_HOST, "commit %.12s", id->hex);
	}
	*ret_changes = changes;
	changes = (struct commit_changes){0};
	return 0;
}

void commit_changes_finish(struct commit_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		free(changes->items[i].path);
	free(changes->items);
	*changes = (struct commit_changes){0};
}

struct patch_text {
	struct text *text;
	size_t limit;
};

static int add_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		    const git_diff_line *line, void *payload)
{
	struct patch_text *patch = payload;

	(void)delta;
	(void)hunk;
	if (patch->text->size + line->content_len + 1 > patch->limit)
		return 1;
	if (strchr("+- ", line->origin))
		text_add_char(patch->text, line->origin);
	text_add_bytes(patch->text, line->content, line->content_len);
	return 0;
}

int commit_read_patch(struct repository *repository, const struct commit_id *id,
		      size_t limit, struct text *ret_patch, struct error *err)
{
	CLEANUP(cleanup_git_diff) git_diff *diff = NULL;
	struct patch_text patch = {ret_patch, limit};

	if (diff_first_parent(repository, id, &diff, err))
		return -1;
	text_clear(ret_patch);
	if (git_diff_print(diff, GIT_DIFF_FORMAT_PATCH, add_line, &patch) < 0)
		return history_error(err, ERROR_HOST, "commit %.12s", id->hex);
	return 0;
}
