/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Revisions to commits: repository_resolve() with its refusals. */
#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <string.h>

enum { MOST_CANDIDATES = 10, SHORTEST_ID = 4 /* as git has it */ };

/* The name that a revision starts with: up to "~", "^", "@{" or ":". */
static char *leading_name(const char *revision)
{
	size_t length = strcspn(revision, "~^:");
	const char *at = strstr(revision, "@{");

	if (at && (size_t)(at - revision) < length)
		length = (size_t)(at - revision);
	return memory_copy_bytes(revision, length);
}

static int peel(git_object *object, git_oid *ret_id)
{
	CLEANUP(cleanup_git_object) git_object *commit = NULL;
	int code = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);

	if (code == 0)
		*ret_id = *git_object_id(commit);
	return code;
}

/* The commit of a full reference name; not there is GIT_ENOTFOUND. */
static int reference_commit(struct repository *repository, const char *name,
			    git_oid *ret_id)
{
	CLEANUP(cleanup_git_object) git_object *object = NULL;
	CLEANUP(cleanup_git_reference) git_reference *reference = NULL;
	int code = git_reference_lookup(&reference, repository->git, name);

	if (code)
		return code;
	code = git_reference_peel(&object, reference, GIT_OBJECT_COMMIT);
	if (code == 0)
		*ret_id = *git_object_id(object);
	return code;
}

struct candidates {
	struct repository *repository;
	struct text text;
	git_oid first;
	size_t count;
	int differ; /* they are not all the same commit */
	git_oid prefix;
	size_t prefix_length;
};

static void add_candidate(struct candidates *candidates, const char *name,
			  const git_oid *id)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	char hex[COMMIT_ID_SIZE];
	const char *subject = NULL;

	if (candidates->count++ == 0)
		candidates->first = *id;
	else if (!git_oid_equal(&candidates->first, id))
		candidates->differ = 1;
	if (candidates->count > MOST_CANDIDATES)
		return;
	history_id_text(id, hex);
	if (git_commit_lookup(&commit, candidates->repository->git, id) == 0)
		subject = git_commit_summary(commit);
	text_format(&candidates->text, "\n  %s%s%.16s %s", name ? name : "",
		    name ? " = " : "", hex, subject ? subject : "");
}

static int refuse(const struct candidates *candidates, const char *what,
		  const char *revision, const char *cure, struct error *err)
{
	return error_set(err, ERROR_USAGE, "%s \"%s\" is ambiguous; %s:%s%s", what,
			 revision, cure, text_string(&candidates->text),
			 candidates->count > MOST_CANDIDATES ? "\n  ..." : "");
}

/* A tag, a branch and a short id of one name that mean different commits. */
static int refuse_ambiguous_name(struct repository *repository, const char *revision,
				 struct error *err)
{
	static const char *const forms[] = {"refs/%s", "refs/tags/%s", "refs/heads/%s",
					    "refs/remotes/%s", NULL};
	CLEANUP(cleanup_free) char *name = leading_name(revision);
	struct candidates candidates = {.repository = repository};
	int result = 0;

	for (int i = 0; *name && forms[i]; i++) {
		CLEANUP(text_finish) struct text full = {0};
		git_oid id;

		text_add_bytes(&full, forms[i], strlen(forms[i]) - 2);
		text_add(&full, name);
		if (reference_commit(repository, full.data, &id) == 0)
			add_candidate(&candidates, full.data, &id);
	}
	if (candidates.differ)
		result = refuse(&candidates, "name", name, "give one of the full names",
				err);
	text_finish(&candidates.text);
	return result;
}

static int collect_prefixed(const git_oid *id, void *payload)
{
	struct candidates *candidates = payload;
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;

	if (git_oid_ncmp(id, &candidates->prefix, candidates->prefix_length) == 0 &&
	    git_commit_lookup(&commit, candidates->repository->git, id) == 0)
		add_candidate(candidates, NULL, id);
	return 0;
}

/*
 * A short id of several objects: the only commit among them is meant, as git does it;
 * several commits are refused. Returns 1 where *ret_full is the id to use instead.
 */
static int widen_short_id(struct repository *repository, const char *name,
			  char ret_full[COMMIT_ID_SIZE], struct error *err)
{
	CLEANUP(cleanup_git_odb) git_odb *odb = NULL;
	struct candidates candidates = {.repository = repository,
					.prefix_length = strlen(name)};
	int result = 0;

	if (git_oid_fromstrp(&candidates.prefix, name) ||
	    git_repository_odb(&odb, repository->git) ||
	    git_odb_foreach(odb, collect_prefixed, &candidates)) {
		text_finish(&candidates.text);
		return history_error(err, ERROR_USAGE, "\"%s\" is ambiguous", name);
	}
	if (candidates.count && !candidates.differ) {
		history_id_text(&candidates.first, ret_full);
		result = 1;
	} else {
		result = refuse(&candidates, "short id", name, "give more digits", err);
	}
	text_finish(&candidates.text);
	return result;
}

/* "v6.1" for "origin/v6.1" and the like; NULL where there is none. */
static const char *same_last_part(const char *name, const struct text_list *names)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < names->count; i++) {
		size_t size = strlen(names->items[i]);

		if (size > length && names->items[i][size - length - 1] == '/' &&
		    !strcmp(names->items[i] + size - length, name))
			return names->items[i];
	}
	return NULL;
}

static int collect_name(git_reference *reference, void *payload)
{
	text_list_add(payload, git_reference_shorthand(reference));
	git_reference_free(reference);
	return 0;
}

/* What the user may have meant by a name that nothing has; NULL where nothing is near. */
static const char *guess(struct repository *repository, const char *name,
			 struct text_list *names)
{
	CLEANUP(cleanup_git_object) git_object *object = NULL;
	const char *near;

	/* The name is fine: what stands behind it is not. */
	if (git_revparse_single(&object, repository->git, name) == 0)
		return NULL;
	if (git_reference_foreach(repository->git, collect_name, names) || !names->count)
		return NULL;
	near = same_last_part(name, names);
	return near ? near : text_nearest(name, (const char *const *)names->items);
}

static int refuse_unknown(struct repository *repository, const char *revision,
			  struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	CLEANUP(cleanup_free) char *name = leading_name(revision);
	const char *near = guess(repository, name, &names);

	if (near && !strcmp(near, name))
		return error_set(err, ERROR_USAGE,
				 "\"%s\" in %s: the object that it names cannot be read",
				 revision, repository->path);
	if (near)
		return error_set(err, ERROR_USAGE,
				 "unknown revision \"%s\" in %s; did you mean \"%s\"?",
				 revision, repository->path, near);
	if (repository_is_shallow(repository))
		return history_require_complete(repository, err);
	return error_set(err, ERROR_USAGE, "unknown revision \"%s\" in %s", revision,
			 repository->path);
}

/* "c5" is a typing error, not the only commit that happens to begin so. */
static int is_too_short(struct repository *repository, const char *revision)
{
	CLEANUP(cleanup_git_reference) git_reference *reference = NULL;
	CLEANUP(cleanup_free) char *name = leading_name(revision);
	size_t length = strlen(name);

	return length > 0 && length < SHORTEST_ID &&
	       strspn(name, "0123456789abcdefABCDEF") == length &&
	       git_reference_dwim(&reference, repository->git, name) != 0;
}

static int parse(struct repository *repository, const char *revision, git_oid *ret_id,
		 struct error *err)
{
	CLEANUP(cleanup_git_object) git_object *object = NULL;
	int code = git_revparse_single(&object, repository->git, revision);

	if (is_too_short(repository, revision))
		return refuse_unknown(repository, revision, err);
	if (code == GIT_EAMBIGUOUS)
		return GIT_EAMBIGUOUS;
	if (code)
		return refuse_unknown(repository, revision, err);
	if (peel(object, ret_id))
		return error_set(err, ERROR_USAGE,
				 "\"%s\" in %s names a %s, not a commit", revision,
				 repository->path,
				 git_object_type2string(git_object_type(object)));
	return 0;
}

int repository_resolve(struct repository *repository, const char *revision,
		       struct commit_id *ret_id, struct error *err)
{
	CLEANUP(cleanup_free) char *name = leading_name(revision);
	CLEANUP(cleanup_free) char *whole = NULL;
	char full[COMMIT_ID_SIZE];
	git_oid id;
	int code;

	if (!*revision)
		return error_set(err, ERROR_USAGE, "empty revision");
	if (refuse_ambiguous_name(repository, revision, err))
		return -1;
	code = parse(repository, revision, &id, err);
	if (code == GIT_EAMBIGUOUS) {
		if (widen_short_id(repository, name, full, err) < 0)
			return -1;
		whole = memory_format("%s%s", full, revision + strlen(name));
		code = parse(repository, whole, &id, err);
	}
	if (code == GIT_EAMBIGUOUS)
		return history_error(err, ERROR_USAGE, "\"%s\" is ambiguous", revision);
	if (code)
		return -1;
	history_id_text(&id, ret_id->hex);
	return 0;
}
