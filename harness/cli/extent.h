/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one version to another, and how two such stretches of history lie to each other.
 * What comes first is told by the list of versions that is judged, where both are in it,
 * else by the ancestry of their commits; versions that are no plain revisions (packages,
 * images, edits) have an order in the list alone.
 */
#ifndef CLI_EXTENT_H
#define CLI_EXTENT_H

#include "cli/judge.h"
#include "store/findings.h"

struct extent_context {
	struct workbench *workbench; /* its repository may not be open */
	const struct judge_options *options;
};

struct extent_end {
	int64_t version;    /* id; 0: not known */
	const char *commit; /* "" where it is no plain revision */
	long place;         /* in the list; -1: not there */
};

struct extent {
	struct extent_end good, bad;
};

struct extent extent_of_finding(const struct extent_context *context,
				const struct finding_record *finding);
struct extent extent_of_comparison(const struct extent_context *context,
				   const struct comparison *comparison);

int extent_is_same(const struct extent *a, const struct extent *b);
/* They have a step from one version to the next in common. */
int extent_overlaps(const struct extent_context *context, const struct extent *a,
		    const struct extent *b);
/* Whether the commit came in between its ends, or that cannot be told. */
int extent_may_hold(const struct extent_context *context, const struct extent *extent,
		    const char *commit);
/* Its bad end comes before that version (by its name or its commit). */
int extent_ends_before(const struct extent_context *context, const struct extent *extent,
		       const char *version, const char *commit);

#endif
