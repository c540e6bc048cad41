/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a search, for the files of bisect/ alone. */
#ifndef BISECT_SEARCH_PRIVATE_H
#define BISECT_SEARCH_PRIVATE_H

#include "bisect/partition.h"
#include "bisect/search.h"

enum { NO_TEST = -1 };

/*
 * The search leaves the ends once "same" is below this; what is measured then tells more
 * of it, and a confirmation has to rule it out.
 */
static const double ENDS_DIFFER = 0.25;

/* What happened at a node. */
struct node_state {
	int test; /* its number for the model, or NO_TEST */
	unsigned runs, values, lost;
	int untestable;
	int built;
	unsigned last_value; /* count of boots after its last value */
};

struct search {
	const struct graph *graph;
	struct search_options options;
	struct model *model;
	struct node_state *nodes; /* graph->total */
	uint32_t *test_nodes;     /* of test number */
	size_t test_count, test_capacity;
	struct partition partition;
	struct partition_weights weights;
	int hinted; /* the hint was asked */
	unsigned boots, builds;
	double seconds;
	double build_sum, boot_sum; /* for the costs learned */
	unsigned build_count, boot_count;
	/* derived from the above, worked out after each observation: */
	double *class_mass; /* posterior by class, given that the ends differ */
	double *flat_mass;  /* the same without hints */
	double same;        /* probability that the ends do not differ */
	uint32_t top;       /* most probable candidate */
	double top_mass;    /* its posterior, given that the ends differ */
	double top_flat;    /* the same without hints */
	unsigned since;     /* boots when top reached enough for a confirmation */
	int confirming;
	int is_doubted;
	uint32_t doubted;
	int ends_done;
};

/* Before the first value, and after each once both ends have one. */
void search_begin_posterior(struct search *search);
void search_update_posterior(struct search *search);

int search_is_end_known(const struct search *search);
/* Cannot be tested: said so, or lost too often without a value. */
int search_is_left_out(const struct search *search, uint32_t node);
double search_build_cost(const struct search *search);
double search_boot_cost(const struct search *search);
unsigned search_boot_limit(const struct search *search);
/*
 * The posterior of each candidate (graph->count) by which steps are chosen; hints count
 * no more once a commit is to be confirmed.
 */
void search_weights(const struct search *search, double *ret);
const double *search_class_weights(const struct search *search);

/* The step with the most expected bits for its cost. */
struct best_step {
	int found;
	uint32_t node;
	double probability; /* that it has the change */
	double bits;        /* expected of the next measurement */
	double chance;      /* that it can be tested */
};

void search_best_step(const struct search *search, struct best_step *ret);

#endif
