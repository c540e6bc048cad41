/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/range.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/repository_private.h"

#include <string.h>

struct ends {
	struct commit_id from, to;
};

int range_is(const char *text)
{
	const char *dots = strstr(text, "..");

	/* "image:../bzImage" and "v6.1+patch:../fix.patch" are versions. */
	return dots && dots != text && dots[2] && dots[2] != '.' &&
	       dots < text + strcspn(text, ":");
}

static int resolve_ends(struct repository *repository, const char *text,
			struct ends *ret_ends, struct error *err)
{
	const char *dots = strstr(text, "..");
	CLEANUP(cleanup_free)
	char *from = memory_copy_bytes(text, dots ? (size_t)(dots - text) : 0);
	struct ends ends;
	int forward, backward;

	if (!range_is(text))
		return error_set(err, ERROR_USAGE, "\"%s\" is no range A..B", text);
	if (history_require_complete(repository, err) ||
	    repository_resolve(repository, from, &ends.from, err) ||
	    repository_resolve(repository, dots + 2, &ends.to, err) ||
	    repository_is_ancestor(repository, &ends.from, &ends.to, &forward, err) ||
	    repository_is_ancestor(repository, &ends.to, &ends.from, &backward, err))
		return -1;
	if (!forward && backward)
		return error_set(err, ERROR_USAGE,
				 "range %s is backward; %s..%s is meant?", text, dots + 2,
				 from);
	if (!forward)
		return error_set(err, ERROR_USAGE,
				 "range %s: %s is not an ancestor of %s", text, from,
				 dots + 2);
	*ret_ends = ends;
	return 0;
}

struct builder {
	struct repository *repository;
	struct tag_list tags; /* sorted by commit */
	struct range range;
	size_t capacity;
};

static int by_commit(const void *a, const void *b)
{
	const struct tag *first = a, *second = b;
	int order = strcmp(first->commit.hex, second->commit.hex);

	return order ? order : strcmp(first->name, second->name);
}

static const struct tag *find_tag(const struct builder *builder,
				  const struct commit_id *id)
{
	size_t low = 0, high = builder->tags.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(builder->tags.items[middle].commit.hex, id->hex) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < builder->tags.count &&
	    !strcmp(builder->tags.items[low].commit.hex, id->hex))
		return &builder->tags.items[low];
	return NULL;
}

/* To describe each commit by its distance from a tag would walk history each time. */
static void add(struct builder *builder, const struct commit_id *id)
{
	const struct tag *tag = find_tag(builder, id);
	struct range *range = &builder->range;

	range->items = memory_grow(range->items, range->count, &builder->capacity,
				   sizeof(*range->items));
	range->items[range->count++] =
		(struct range_item){.id = *id,
				    .name = tag ? memory_copy_string(tag->name)
						: memory_format("%.12s", id->hex)};
}

static int wanted(const struct builder *builder, const struct range_options *options,
		  const struct ends *ends, const struct commit_id *id, size_t number)
{
	if (!strcmp(id->hex, ends->to.hex))
		return 1;
	if (options->mode == RANGE_TAGS)
		return find_tag(builder, id) != NULL;
	return options->mode == RANGE_COMMITS || number % options->every == 0;
}

static int start_walk(struct repository *repository, const struct ends *ends,
		      int first_parent, git_revwalk **ret_walk, struct error *err)
{
	git_oid from, to;

	if (history_id_parse(ends->from.hex, &from, err) ||
	    history_id_parse(ends->to.hex, &to, err))
		return -1;
	if (git_revwalk_new(ret_walk, repository->git) ||
	    git_revwalk_sorting(*ret_walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE) ||
	    (first_parent && git_revwalk_simplify_first_parent(*ret_walk)) ||
	    git_revwalk_push(*ret_walk, &to) || git_revwalk_hide(*ret_walk, &from))
		return history_error(err, ERROR_HOST, "%s", repository->path);
	return 0;
}

static int walk_range(struct builder *builder, const struct range_options *options,
		      const struct ends *ends, struct error *err)
{
	CLEANUP(cleanup_git_revwalk) git_revwalk *walk = NULL;
	size_t number = 0;
	git_oid oid;
	int code;

	if (start_walk(builder->repository, ends, options->mode == RANGE_EVERY, &walk,
		       err))
		return -1;
	add(builder, &ends->from);
	while ((code = git_revwalk_next(&oid, walk)) == 0) {
		struct commit_id id;

		history_id_text(&oid, id.hex);
		if (wanted(builder, options, ends, &id, ++number))
			add(builder, &id);
	}
	if (code != GIT_ITEROVER)
		return history_error(err, ERROR_HOST, "%s", builder->repository->path);
	return 0;
}

int range_list(struct repository *repository, const char *text,
	       const struct range_options *options, struct range *ret_range,
	       struct error *err)
{
	struct builder builder = {.repository = repository};
	struct ends ends;
	int result;

	if (options->mode == RANGE_EVERY && options->every == 0)
		return error_set(err, ERROR_USAGE,
				 "--every needs a number of at least 1");
	if (resolve_ends(repository, text, &ends, err) ||
	    repository_tags(repository, &builder.tags, err))
		return -1;
	if (builder.tags.count)
		qsort(builder.tags.items, builder.tags.count, sizeof(*builder.tags.items),
		      by_commit);
	result = walk_range(&builder, options, &ends, err);
	tag_list_finish(&builder.tags);
	if (result)
		range_finish(&builder.range);
	else
		*ret_range = builder.range;
	return result;
}

void range_finish(struct range *range)
{
	for (size_t i = 0; i < range->count; i++)
		free(range->items[i].name);
	free(range->items);
	*range = (struct range){0};
}
