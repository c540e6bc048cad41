/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/lineage.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <stdlib.h>
#include <string.h>

enum { DAY_SECONDS = 24 * 60 * 60 };

struct candidate {
	const char *hex;
	size_t place;
};

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct candidate *)a)->hex,
		      ((const struct candidate *)b)->hex);
}

static struct candidate *sort(const struct commit_id *ids, size_t count)
{
	struct candidate *sorted = memory_new(count, sizeof(*sorted));

	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct candidate){ids[i].hex, i};
	qsort(sorted, count, sizeof(*sorted), by_id);
	return sorted;
}

static int read_times(struct repository *repository, const struct commit_id *ids,
		      size_t count, int64_t *times, int64_t *ret_oldest,
		      struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(cleanup_git_commit) git_commit *commit = NULL;

		if (history_lookup(repository, &ids[i], &commit, err))
			return -1;
		times[i] = git_commit_time(commit);
		if (!i || times[i] < *ret_oldest)
			*ret_oldest = times[i];
	}
	return 0;
}

/* The last commit below all of the oldest candidates; *ret_found 0 where none is. */
static int find_base(struct repository *repository, const struct commit_id *ids,
		     size_t count, git_oid *ret_base, int *ret_found, struct error *err)
{
	CLEANUP(cleanup_free) int64_t *times = memory_new(count, sizeof(*times));
	CLEANUP(cleanup_free) git_oid *oldest = memory_new(count, sizeof(*oldest));
	int64_t first = 0;
	size_t few = 0;
	int code = 0;

	if (read_times(repository, ids, count, times, &first, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (times[i] <= first + DAY_SECONDS &&
		    history_id_parse(ids[i].hex, &oldest[few++], err))
			return -1;
	git_oid_cpy(ret_base, &oldest[0]);
	if (few > 1)
		code = git_merge_base_octopus(ret_base, repository->git, few, oldest);
	if (code && code != GIT_ENOTFOUND)
		return history_error(err, ERROR_HOST, "%s", repository->path);
	*ret_found = !code;
	return 0;
}

static int hide_parents(struct repository *repository, git_revwalk *steps,
			const git_oid *base, struct error *err)
{
	CLEANUP(cleanup_git_commit) git_commit *commit = NULL;
	struct commit_id id;

	history_id_text(base, id.hex);
	if (history_lookup(repository, &id, &commit, err))
		return -1;
	for (unsigned i = 0; i < git_commit_parentcount(commit); i++)
		if (git_revwalk_hide(steps, git_commit_parent_id(commit, i)))
			return history_error(err, ERROR_HOST, "%s", repository->path);
	return 0;
}

static int start(struct repository *repository, const struct commit_id *tip,
		 git_revwalk **ret_walk, struct error *err)
{
	git_oid top;

	if (history_id_parse(tip->hex, &top, err))
		return -1;
	if (git_revwalk_new(ret_walk, repository->git) ||
	    git_revwalk_sorting(*ret_walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE) ||
	    git_revwalk_push(*ret_walk, &top))
		return history_error(err, ERROR_HOST, "%s", repository->path);
	return 0;
}

static int walk(struct repository *repository, git_revwalk *steps,
		const struct candidate *sorted, size_t count, struct lineage *line,
		struct error *err)
{
	char hex[COMMIT_ID_SIZE];
	git_oid oid;
	int code;

	while ((code = git_revwalk_next(&oid, steps)) == 0) {
		const struct candidate wanted = {hex, 0};
		const struct candidate *found;

		history_id_text(&oid, hex);
		found = bsearch(&wanted, sorted, count, sizeof(*sorted), by_id);
		if (found)
			line->items[line->count++] = found->place;
	}
	return code == GIT_ITEROVER
		       ? 0
		       : history_error(err, ERROR_HOST, "%s", repository->path);
}

int lineage_find(struct repository *repository, const struct commit_id *tip,
		 const struct commit_id *candidates, size_t count,
		 struct lineage *ret_lineage, struct error *err)
{
	CLEANUP(cleanup_free) struct candidate *sorted = NULL;
	CLEANUP(cleanup_git_revwalk) git_revwalk *steps = NULL;
	CLEANUP(lineage_finish) struct lineage line = {0};
	git_oid base;
	int has_base = 0;

	if (!count) {
		*ret_lineage = line;
		return 0;
	}
	sorted = sort(candidates, count);
	line.items = memory_new(count, sizeof(*line.items));
	if (history_require_complete(repository, err) ||
	    find_base(repository, candidates, count, &base, &has_base, err) ||
	    start(repository, tip, &steps, err) ||
	    (has_base && hide_parents(repository, steps, &base, err)) ||
	    walk(repository, steps, sorted, count, &line, err))
		return -1;
	*ret_lineage = line;
	line = (struct lineage){0};
	return 0;
}

void lineage_finish(struct lineage *line)
{
	free(line->items);
	*line = (struct lineage){0};
}
