/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was found out about the noise of a lab (stats/noise.h), and the floors that it
 * sets: no later judgement in the same environment takes a smaller change for real.
 */
#ifndef STORE_NOISE_H
#define STORE_NOISE_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

enum { NOISE_LOOKS = 3 };

/* One metric of a case. Percentages may be NAN: "no value". */
struct noise_record {
	const char *case_label, *metric;
	double median, spread_percent, floor_percent;
	double finds_percent[NOISE_LOOKS]; /* smallest change that 5, 8, 12 boots show */
	int trials, alarms;
};

/* One scenario on one kernel in one environment. */
struct calibration_record {
	int64_t session, environment;
	const char *version, *scenario;
	int boots;
	int64_t seed;
	const struct noise_record *rows;
	size_t count;
};

/* All of it or nothing. */
int store_add_calibration(struct store *store, const struct calibration_record *record,
			  struct error *err);

/* Of each metric what its newest calibration says. */
struct floor_record {
	int64_t environment;
	const char *scenario, *case_label, *metric;
	double floor_percent;
};

struct floor_list {
	struct floor_record *items; /* sorted, for floor_find() */
	size_t count, capacity;
	struct text_list strings;
};

int store_load_floors(struct store *store, struct floor_list *list, struct error *err);
void floor_list_finish(struct floor_list *list);

/* 0 where nothing is known. */
double floor_find(const struct floor_list *list, int64_t environment,
		  const char *scenario, const char *case_label, const char *metric);

#endif
