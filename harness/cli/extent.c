/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/extent.h"

#include <stdio.h>
#include <string.h>

/* The commit of "v6.1+revert:SHA" is not what was measured. */
static const char *plain_commit(const char *name, const char *commit)
{
	return strchr(name, '+') || !commit ? "" : commit;
}

static struct extent_end end_of(const struct extent_context *context, int64_t version,
				const char *name, const char *commit)
{
	return (struct extent_end){version, plain_commit(name, commit),
				   judge_place(context->options, version, NULL)};
}

struct extent extent_of_finding(const struct extent_context *context,
				const struct finding_record *finding)
{
	return (struct extent){
		end_of(context, finding->good_version, finding->good,
		       finding->good_commit),
		end_of(context, finding->bad_version, finding->bad, finding->bad_commit)};
}

static struct extent_end end_named(const struct extent_context *context, const char *name)
{
	const struct judge_options *options = context->options;
	long place = judge_place(options, 0, name);

	if (place < 0)
		return (struct extent_end){0, "", -1};
	return (struct extent_end){
		options->versions[place],
		plain_commit(name, options->commits ? options->commits[place] : ""),
		place};
}

struct extent extent_of_comparison(const struct extent_context *context,
				   const struct comparison *comparison)
{
	return (struct extent){end_named(context, comparison->a_version),
			       end_named(context, comparison->b_version)};
}

static int is_same_end(const struct extent_end *a, const struct extent_end *b)
{
	if (a->version && a->version == b->version)
		return 1;
	return *a->commit && !strcmp(a->commit, b->commit);
}

int extent_is_same(const struct extent *a, const struct extent *b)
{
	return is_same_end(&a->good, &b->good) && is_same_end(&a->bad, &b->bad);
}

static int is_ancestor(const struct extent_context *context, const char *a, const char *b)
{
	struct commit_id first, second;
	struct error ignored;
	int answer;

	if (!*a || !*b || !context->workbench->repository)
		return 0;
	snprintf(first.hex, sizeof(first.hex), "%s", a);
	snprintf(second.hex, sizeof(second.hex), "%s", b);
	return !repository_is_ancestor(context->workbench->repository, &first, &second,
				       &answer, &ignored) &&
	       answer;
}

/* a comes before b and is not b. */
static int comes_before(const struct extent_context *context, const struct extent_end *a,
			const struct extent_end *b)
{
	if (is_same_end(a, b))
		return 0;
	if (a->place >= 0 && b->place >= 0)
		return a->place < b->place;
	return is_ancestor(context, a->commit, b->commit);
}

int extent_overlaps(const struct extent_context *context, const struct extent *a,
		    const struct extent *b)
{
	return extent_is_same(a, b) || (comes_before(context, &a->good, &b->bad) &&
					comes_before(context, &b->good, &a->bad));
}

int extent_may_hold(const struct extent_context *context, const struct extent *extent,
		    const char *commit)
{
	if (!*extent->good.commit || !*extent->bad.commit ||
	    !context->workbench->repository)
		return 1;
	return is_ancestor(context, commit, extent->bad.commit) &&
	       !is_ancestor(context, commit, extent->good.commit);
}

int extent_ends_before(const struct extent_context *context, const struct extent *extent,
		       const char *version, const char *commit)
{
	const struct extent_end end = {0, plain_commit(version, commit),
				       judge_place(context->options, 0, version)};

	return comes_before(context, &extent->bad, &end);
}
