/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search for the commit that changed a measured value. Pure: it says what to measure
 * next and is told what came out; it never measures, stores, or looks at a clock. The
 * same graph, options and observations give the same answers bit by bit, so a search is
 * resumed by telling it again what was observed.
 *
 * The candidates are the commits of the graph's range. A commit has the change if the
 * culprit is among its ancestors; so candidates with the same tested descendants are
 * told apart by no value so far, and form a class. The posterior of a class is the sum
 * of its priors times the model's likelihood. The next step is the one with the most
 * expected bits of information for its cost.
 *
 * Order of a search: the ends, until they differ for sure (or do not); the merge bases,
 * where good is no ancestor of bad; the search itself; when one commit holds 0.95, the
 * culprit and each of its parents afresh, until the whole evidence holds `confirm`.
 */
#ifndef BISECT_SEARCH_H
#define BISECT_SEARCH_H

#include "bisect/model.h"
#include "history/graph.h"

#include <stddef.h>
#include <stdint.h>

enum search_direction {
	SEARCH_ANY,  /* whatever makes the ends differ */
	SEARCH_UP,   /* the value at the bad end must be higher */
	SEARCH_DOWN, /* lower */
};

/* Of more suspects the hint is not asked. */
enum { SEARCH_MOST_HINTS = 4096 };

struct search_options {
	const struct model_ops *model;
	enum search_direction direction;
	double min_effect;  /* share of the good level, 0.03 for 3 %; 0: any */
	unsigned max_boots; /* 0: the program's own limit */
	double max_seconds; /* of builds and measurements; 0: none */
	double build_cost;  /* seconds expected of a build and of a measurement */
	double boot_cost;   /* until they were seen; 0: 25 and 10 */
	double confirm;     /* probability that confirms; 0: 0.998 */
	/* 0 for candidates that are ruled out, else 1; graph->count; NULL: all are in. */
	const double *prior;
	/*
	 * NULL, or a hint where to look first: how much more likely than others a commit
	 * is, before anything is measured. Asked once of each commit that is still
	 * suspected when these are few enough to look at all. It decides what is tested
	 * next; an answer has to hold without it.
	 */
	double (*hint)(void *state, uint32_t node);
	void *hint_state;
};

enum search_outcome {
	SEARCH_MEASURED,   /* a value */
	SEARCH_UNTESTABLE, /* the commit itself: no build, no boot, exit 125 */
	SEARCH_LOST,       /* a failure of something else; says nothing of the commit */
};

struct search_observation {
	uint32_t node;
	enum search_outcome outcome;
	double value; /* SEARCH_MEASURED: finite; 0 or 1 for pass_fail */
	double build_seconds, seconds;
	int built;
};

enum search_purpose {
	SEARCH_FOR_ENDS,
	SEARCH_FOR_BASE, /* does the good end hold a fix? */
	SEARCH_FOR_CULPRIT,
	SEARCH_FOR_CONFIRMATION,
	SEARCH_FOR_RECHECK, /* a confirmation that was doubted */
};

enum search_status {
	SEARCH_RUNNING,
	SEARCH_CONFIRMED,
	SEARCH_SET,
	SEARCH_NO_DIFFERENCE,
	SEARCH_ABORTED,
};

/* Why a search ended; the sentence is in search_step.reason. */
enum search_why {
	SEARCH_WHY_NONE,
	SEARCH_WHY_CONFIRMED,
	SEARCH_WHY_SAME_ENDS,
	SEARCH_WHY_SMALL_EFFECT,
	SEARCH_WHY_WRONG_DIRECTION,
	SEARCH_WHY_END_FAILS,
	SEARCH_WHY_FIX_IN_GOOD,   /* a merge base is bad */
	SEARCH_WHY_GOOD_IS_WRONG, /* a parent outside the range is bad */
	SEARCH_WHY_SKIPS,
	SEARCH_WHY_BUDGET,
	SEARCH_WHY_NOT_REPEATABLE, /* exact model only */
};

struct search_step {
	enum search_status status;
	uint32_t
		node; /* RUNNING: measure this once; CONFIRMED: the culprit;
			 for SEARCH_WHY_FIX_IN_GOOD and its like the commit in question */
	enum search_purpose purpose;
	double probability; /* that node has the change, by what is known */
	enum search_why why;
	char reason[600]; /* a plain sentence; commits by their full ids */
};

struct search;

/* graph and options' pointers must outlive it. */
struct search *search_create(const struct graph *graph,
			     const struct search_options *options);
void search_destroy(struct search *search); /* takes NULL */

static inline void cleanup_search(struct search **search)
{
	search_destroy(*search);
}

void search_observe(struct search *search, const struct search_observation *observation);

/*
 * Others found that this commit cannot be tested. Not counted as a measurement; to be
 * said before the first observation.
 */
void search_leave_out(struct search *search, uint32_t node);

/*
 * The commit that is confirmed is doubted for reasons outside: it and its parents are to
 * be measured once more. Say it again before the same observation when it is resumed.
 */
void search_doubt(struct search *search, uint32_t node);
int search_is_doubted(const struct search *search, uint32_t node);

/* What to do now. Asking changes nothing that a second question would not find. */
void search_next(struct search *search, struct search_step *ret_step);

/* ret[i] for i < graph->count: the probability that commit i is the culprit. */
void search_posterior(struct search *search, double *ret);

/*
 * The smallest set of whole classes that holds at least 0.95, with and without hints:
 * member[i] becomes 1 for its commits. Returns how many.
 */
size_t search_suspects(struct search *search, unsigned char *member);

/* What the hint said of a candidate; 1 before it was asked. */
double search_hint(const struct search *search, uint32_t node);

/* Measurements so far, and different commits they were made for. */
unsigned search_boots(const struct search *search);
unsigned search_builds(const struct search *search);
/* Seconds that builds and measurements took so far. */
double search_seconds(const struct search *search);

/* Values measured at a node; whether it said that it cannot be tested. */
unsigned search_values(const struct search *search, uint32_t node);
int search_skipped(const struct search *search, uint32_t node);
/*
 * Log of the likelihood ratio of changed to unchanged by the node's own values alone; 0
 * without values.
 */
double search_log_odds(const struct search *search, uint32_t node);

/* For people: bits that are missing, and an estimate of boots and seconds to come. */
struct search_outlook {
	double bits;
	double boots, seconds;
	uint32_t best; /* most probable candidate */
	double best_probability;
	double good_level, bad_level; /* NAN before both ends are measured */
};

void search_look_ahead(struct search *search, struct search_outlook *ret_outlook);

/*
 * The commit that halves the candidates best when nothing but the ends is known: what
 * --dry-run prints. prior: weights (graph->count), skipped: what cannot be tested
 * (graph->total); each may be NULL. Where one candidate is left, that one.
 */
uint32_t search_first_split(const struct graph *graph, const double *prior,
			    const unsigned char *skipped);

#endif
