/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real search, played against made-up measurements: what it costs and how often it
 * is right, before anything is built.
 *
 * The culprit is any commit of the range with equal chance. Values are normal with
 * sigma 1, `effect` higher where the culprit is among the ancestors; a share `outliers`
 * of them has an exponential of mean 6 on top. With pass_fail, values are 0 or 1 with the
 * given failure rates.
 */
#ifndef BISECT_SIMULATION_H
#define BISECT_SIMULATION_H

#include "bisect/search.h"

struct simulation {
	double effect, outliers;
	int pass_fail;
	double good_rate, bad_rate; /* share of failures */
	double skips;               /* share of commits that cannot be tested */
	unsigned trials;
	uint64_t seed;
	struct search_options options; /* model and all */
	double build_cost,
		boot_cost; /* seconds they really take; 0: the options' guess */
};

enum { SIMULATION_BINS = 10 };

/* Searches that ended with the most probable commit at a probability in one bin. */
struct simulation_bin {
	unsigned count, right;
	double probability; /* sum */
};

struct simulation_result {
	unsigned trials, correct, confirmed, confirmed_wrong, sets, undecided;
	unsigned set_holds; /* sets that hold the culprit */
	double boots_mean, boots_p95, builds_mean, seconds_mean;
	/* by probability: [0, 0.5), [0.5, 0.6), ... [0.95, 0.99), [0.99, 0.997), above */
	struct simulation_bin bins[SIMULATION_BINS];
};

extern const double simulation_bin_starts[SIMULATION_BINS];

void simulation_run(const struct simulation *simulation, const struct graph *graph,
		    struct simulation_result *ret_result);

#endif
