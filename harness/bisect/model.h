/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What measured values say of the two sides of a change: a const struct of functions for
 * each kind of measurement. A model knows tested commits by number only (0, 1, 2 ...) and
 * is asked how likely all values are if a given set of them has the change and the rest
 * has not. Numbers 0 and 1 are the good and the bad end. Everything it does not know
 * (levels, noise, failure rates) is integrated out.
 *
 * robust     numbers with noise: a normal distribution of unknown width around one of two
 *            unknown levels, and an unknown share of outliers on an unknown side
 *            (bisect/noise.h). All that on a grid laid over the data. Where a commit
 * shows for sure a level between the ends, there is more than one change; values beyond
 * that level then count as that level, so that the search is for the first change.
 * pass_fail  values 0 (passed) and 1 (failed) with two unknown rates (Beta(1/2, 1/2)
 *            each, on a grid).
 * exact      numbers that repeat (to a hundredth of the distance of the ends): each is a
 *            certain vote for the end that it is nearer to.
 */
#ifndef BISECT_MODEL_H
#define BISECT_MODEL_H

#include <stddef.h>

struct model; /* the state, of the model's own form */

/* What the next value of an unchanged and of a changed commit is expected to be. */
struct model_view {
	double good, bad;             /* levels; for pass and fail the rates */
	double good_width, bad_width; /* standard deviations; unused for pass and fail */
};

/* One of several things that the next value may come from. */
struct model_source {
	double weight, level, width;
};

struct model_ops {
	const char *name;
	/* min_effect: share of the good level below which ends count as the same; 0: none
	 */
	struct model *(*create)(double min_effect);
	void (*destroy)(struct model *model);
	/* One more value of tested commit number test (at most one above the largest). */
	void (*observe)(struct model *model, size_t test, double value);
	/*
	 * Natural log of the likelihood of all values if the commits t with changed[t]
	 * have the change. Comparable between sets, and with log_same(). number stands
	 * for the set at the next call too, with more commits at its end: what is kept
	 * under it makes that fast. SIZE_MAX stands for the empty set.
	 */
	double (*log_likelihood)(struct model *model, size_t number,
				 const unsigned char *changed);
	/* The same if no commit differs from another. */
	double (*log_same)(struct model *model);
	/*
	 * Settles on the most plausible parameters for a set; what follows speaks of
	 * these.
	 */
	void (*settle)(struct model *model, size_t number, const unsigned char *changed);
	/*
	 * Bits that so many more values of a commit are expected to tell about whether
	 * it has the change, if that has the probability p now.
	 */
	double (*information)(const struct model *model, double p, unsigned values);
	/* The expectation if the commits t with changed[t] have the change. */
	void (*view)(struct model *model, size_t number, const unsigned char *changed,
		     struct model_view *ret_view);
	/* Bits that a value tells about which of the sources it came from. */
	double (*tell_apart)(const struct model_source *sources, size_t count);
	/* Log of the likelihood ratio of changed to unchanged for the values of one
	 * commit. */
	double (*log_odds)(const struct model *model, size_t test);
	/* The two levels; for pass and fail the two rates. */
	void (*levels)(const struct model *model, double *ret_good, double *ret_bad);
	/* How many tested commits have values that fit neither end. */
	size_t (*strange)(const struct model *model);
	/* How far the values of two commits are apart, as a share of the good level. */
	double (*difference)(const struct model *model, size_t a, size_t b);
	/* Values of each end that are wanted before the search leaves them. */
	unsigned end_values;
	/* The same before they count as alike. */
	unsigned same_values;
	/*
	 * A second value of a commit tells nothing that the first did not. There is no
	 * view() and no tell_apart() then.
	 */
	int certain;
	/* A commit whose values contradict each other, or SIZE_MAX; only where they must
	 * not. */
	size_t (*contradiction)(const struct model *model);
};

extern const struct model_ops model_robust, model_pass_fail, model_exact;

#endif
