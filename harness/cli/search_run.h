/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search from its first measurement to its answer: bisect/ says what to measure, a
 * measurer does it, the database keeps every step. What was stored before is told to the
 * search first, so that a search goes on where it was left, whatever ended it.
 */
#ifndef CLI_SEARCH_RUN_H
#define CLI_SEARCH_RUN_H

#include "bisect/search.h"
#include "cli/path_hints.h"
#include "cli/search_marks.h"
#include "history/repository.h"
#include "lab/measurer.h"
#include "measure/budget.h"
#include "store/store.h"

struct search_request {
	struct repository *repository;
	struct store *store;
	int64_t session;
	struct commit_id good, bad;
	int first_parent;
	/*
	 * What makes it the same search besides tree, ends and first_parent: the command
	 * or scenario and all that changes what a value means. Budgets are no part of it.
	 */
	const char *identity;
	int again; /* start anew, whatever is stored */
	int hints; /* commits are looked at by the files that they touch */
	struct search_options options;
	struct measurer measurer;
	/* Commits of the range that were marked elsewhere; NULL for none. */
	const struct search_marks *marks;
	/*
	 * What this run may cost (the search's own options bound all of its runs
	 * together): when it is spent the search is left as it is, to be gone on with.
	 * Counts its measurements. NULL: no end.
	 */
	struct budget *budget;
};

/* On which side of the change a version is. */
enum search_side { SIDE_UNKNOWN, SIDE_GOOD, SIDE_BAD, SIDE_CONFLICT };

/* One run of the measurer. */
struct search_run_step {
	uint32_t node;
	char *version; /* instead of the node, for what is asked afterwards */
	char *outcome;
	double value;  /* of an ok one */
	char *purpose; /* "end", "search", "confirm" ... */
	char *detail;  /* "", or the first line of what went wrong */
};

/* What was asked of a confirmed commit (cli/search_after.h). */
struct search_after {
	char *doubt; /* why it hardly can be; NULL: nothing speaks against it */
	int asked;   /* what follows was asked */
	enum search_side revert; /* the bad end without the commit */
	int has_head;            /* HEAD lies behind the bad end */
	struct commit_id head;
	enum search_side head_side;
	struct search_run_step *steps;
	size_t step_count, step_capacity;
};

struct search_run {
	const struct search_request *request;
	struct graph graph;
	struct search_options options; /* the request's, with the priors of the marks */
	double *prior;
	struct path_hints hints;
	struct search *search;
	struct search_run_step *steps;
	size_t step_count, step_capacity;
	struct search_after after;
	size_t stored_steps; /* of all: made by earlier runs */
	int is_paused;       /* the budget of this run is spent; end.status is running */
	int64_t id;          /* row of the search */
	struct search_step end;
	int hopeless; /* ended because the measurer cannot work at all; end.reason says
			 why */
};

/*
 * Runs to the end: ret_run->end holds it. -1 where it was interrupted or could not go on;
 * every finished measurement is stored then.
 */
int search_run(const struct search_request *request, struct search_run *ret_run,
	       struct error *err);
void search_run_finish(struct search_run *run);

/* Stores and keeps a measurement of a version that is asked for afterwards. */
int search_run_keep_after(struct search_run *run, const char *purpose,
			  const char *version, const struct trial *trial,
			  struct error *err);

/* What came of it as an exit code of the program. */
int search_run_exit_code(const struct search_run *run);

/* "confirmed", "set", ...: the words of JSON and of the database. */
const char *search_status_name(enum search_status status);

/* The contract's JSON object; the caller frees. */
char *search_run_json(const struct search_run *run);

/* A page for people on stdout. */
void search_run_print(const struct search_run *run);

#endif
