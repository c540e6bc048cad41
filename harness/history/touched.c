/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/touched.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <string.h>

/* Deeper is no source tree; what is below counts as touched as a whole. */
enum { DEEPEST = 64 };

struct trees {
	git_tree **items; /* of the parents; NULL: the folder is not there */
	size_t count;
};

static void trees_finish(struct trees *trees)
{
	for (size_t i = 0; i < trees->count; i++)
		git_tree_free(trees->items[i]);
	free(trees->items);
}

struct visit {
	git_repository *git;
	int (*call)(void *state, const char *path);
	void *state;
	int stopped;
	struct text path;
};

static void call(struct visit *visit)
{
	visit->stopped = visit->call(visit->state, text_string(&visit->path));
}

static int same(const git_tree_entry *a, const git_tree_entry *b)
{
	return a && b && git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) &&
	       git_tree_entry_filemode(a) == git_tree_entry_filemode(b);
}

static const git_tree_entry *find(const git_tree *tree, const char *name)
{
	return tree ? git_tree_entry_byname(tree, name) : NULL;
}

static int is_folder(const git_tree_entry *entry)
{
	return entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

static int as_in_a_parent(const struct trees *parents, const git_tree_entry *entry)
{
	for (size_t i = 0; i < parents->count; i++)
		if (same(entry, find(parents->items[i], git_tree_entry_name(entry))))
			return 1;
	return 0;
}

/* In none of the others either: some parent removed it, and that is not news. */
static int in_all_parents(const struct trees *parents, const char *name)
{
	for (size_t i = 0; i < parents->count; i++)
		if (!find(parents->items[i], name))
			return 0;
	return 1;
}

static int compare(struct visit *visit, git_tree *own, const struct trees *parents,
		   int depth);

static int enter(struct visit *visit, const git_tree_entry *entry,
		 const struct trees *parents, int depth)
{
	CLEANUP(cleanup_git_tree) git_tree *own = NULL;
	CLEANUP(trees_finish)
	struct trees below = {memory_new(parents->count + 1, sizeof(*below.items)),
			      parents->count};

	if (git_tree_lookup(&own, visit->git, git_tree_entry_id(entry)))
		return -1;
	for (size_t i = 0; i < parents->count; i++) {
		const git_tree_entry *theirs =
			find(parents->items[i], git_tree_entry_name(entry));

		if (is_folder(theirs) && git_tree_lookup(&below.items[i], visit->git,
							 git_tree_entry_id(theirs)))
			return -1;
	}
	text_add_char(&visit->path, '/');
	return compare(visit, own, &below, depth + 1);
}

static int compare_entry(struct visit *visit, const git_tree_entry *entry,
			 const struct trees *parents, int depth)
{
	size_t size = visit->path.size;
	int failed = 0;

	if (as_in_a_parent(parents, entry))
		return 0;
	text_add(&visit->path, git_tree_entry_name(entry));
	if (is_folder(entry) && depth < DEEPEST)
		failed = enter(visit, entry, parents, depth);
	else
		call(visit);
	text_cut(&visit->path, size);
	return failed;
}

/* What the first parent has and nobody kept. */
static void find_removed(struct visit *visit, const git_tree *own,
			 const struct trees *parents)
{
	const git_tree *first = parents->count ? parents->items[0] : NULL;
	size_t count = first ? git_tree_entrycount(first) : 0;

	for (size_t i = 0; i < count && !visit->stopped; i++) {
		const char *name = git_tree_entry_name(git_tree_entry_byindex(first, i));
		size_t size = visit->path.size;

		if (find(own, name) || !in_all_parents(parents, name))
			continue;
		text_add(&visit->path, name);
		call(visit);
		text_cut(&visit->path, size);
	}
}

static int compare(struct visit *visit, git_tree *own, const struct trees *parents,
		   int depth)
{
	size_t count = git_tree_entrycount(own);

	for (size_t i = 0; i < count && !visit->stopped; i++)
		if (compare_entry(visit, git_tree_entry_byindex(own, i), parents, depth))
			return -1;
	find_removed(visit, own, parents);
	return 0;
}

static int open_parents(const git_commit *commit, struct trees *ret_parents)
{
	ret_parents->count = git_commit_parentcount(commit);
	ret_parents->items =
		memory_new(ret_parents->count + 1, sizeof(*ret_parents->items));
	for (unsigned i = 0; i < ret_parents->count; i++) {
		CLEANUP(cleanup_git_commit) git_commit *parent = NULL;

		if (git_commit_parent(&parent, commit, i) ||
		    git_commit_tree(&ret_parents->items[i], parent))
			return -1;
	}
	return 0;
}

int commit_visit_touched(struct repository *repository, const struct commit_id *id,
			 int (*visit)(void *state, const char *path), void *state,
			 struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	CLEANUP(cleanup_git_tree) git_tree *own = NULL;
	CLEANUP(trees_finish) struct trees parents = {0};
	struct visit walk = {.git = repository->git, .call = visit, .state = state};
	int failed;

	if (history_lookup(repository, id, &commit, err))
		return -1;
	failed = git_commit_tree(&own, commit) || open_parents(commit, &parents) ||
		 compare(&walk, own, &parents, 0);
	text_finish(&walk.path);
	return failed ? history_error(err, ERROR_HOST, "commit %.12s", id->hex) : 0;
}
