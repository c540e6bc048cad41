/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who measures commits for a search: a host command, or a scenario in a lab. A const
 * struct of functions with its state.
 */
#ifndef LAB_MEASURER_H
#define LAB_MEASURER_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* What came of measuring one commit once. */
struct trial {
	const char *outcome; /* DESIGN's words: "ok", "skipped", "build-failed" ... */
	double value;        /* of an ok one; pass and fail are 0 and 1 */
	/*
	 * Not "ok", and it will fail for every commit: the search ends if a second try
	 * says so too.
	 */
	int hopeless;
	int built; /* a build was made for it */
	double build_seconds, seconds;
	int64_t started;    /* Unix seconds */
	int64_t boot;       /* row of the boot; 0: none */
	struct text detail; /* a sentence on what is not ok */
};

static inline void trial_finish(struct trial *trial)
{
	text_finish(&trial->detail);
}

struct measurer_ops {
	const char *kind; /* "command", "scenario" */
	/*
	 * Measures once. fresh: a stored result does not count (what confirms must be
	 * new). -1 where the search cannot go on: host, interrupt.
	 */
	int (*measure)(void *state, const char *commit, int fresh,
		       struct trial *ret_trial, struct error *err);
	/*
	 * May be NULL: measures a version that is no commit of the range, such as
	 * "SHA+revert:SHA". The outcome is "conflict" where there is no such version.
	 */
	int (*measure_version)(void *state, const char *version, struct trial *ret_trial,
			       struct error *err);
	/* May be NULL: whether two commits gave the same kernel, bit by bit. */
	int (*same_image)(void *state, const char *a, const char *b, int *ret_same,
			  struct error *err);
	/* May be NULL: these commits are likely next, best first; for background builds.
	 */
	void (*expect)(void *state, const char *const *commits, size_t count);
};

struct measurer {
	const struct measurer_ops *ops;
	void *state;
};

#endif
