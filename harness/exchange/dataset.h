/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of numbers become measurements (stats/series.h): rows of one boot are reduced to
 * their median, boots and versions keep the order of their first appearance.
 *
 *	CLEANUP(dataset_finish) struct dataset data = {0};
 *	dataset_add(&data, &row, &err) for each row
 *	dataset_complete(&data);
 *	... data.measurements
 */
#ifndef EXCHANGE_DATASET_H
#define EXCHANGE_DATASET_H

#include "base/error.h"
#include "exchange/intern.h"
#include "stats/series.h"

struct dataset_row {
	const char *version;
	const char *scenario;
	const char *case_label;
	const char *metric;
	const char *unit;
	enum better better;
	const char *boot;        /* belongs to its version */
	const char *environment; /* key; empty: none */
	double value;            /* finite */
};

struct dataset {
	struct measurements measurements; /* after dataset_complete() */
	/* private */
	struct intern versions, names, units, boots, environments, groups;
	struct dataset_series *series;
	size_t series_capacity;
	struct dataset_sample *samples;
	size_t sample_count, sample_capacity;
	struct dataset_group *group_data;
	size_t group_capacity;
	double *medians;
	const char **boot_names;
	const char **version_names;
	struct level *levels;
	uint32_t *order; /* of the medians: which group each is */
};

/* Copies; fails (ERROR_USAGE, naming the column) where a series changes unit or sense. */
int dataset_add(struct dataset *dataset, const struct dataset_row *row,
		struct error *err);

/* Reduces and orders. Nothing can be added afterwards. */
void dataset_complete(struct dataset *dataset);

void dataset_finish(struct dataset *dataset);

/*
 * Of boot number i of a level of this dataset: its environment (NULL where its rows name
 * several), and its place in the order in which boots came.
 */
const char *dataset_boot_environment(const struct dataset *dataset,
				     const struct level *level, size_t i);
size_t dataset_boot_order(const struct dataset *dataset, const struct level *level,
			  size_t i);

/* The number of a version by its name; -1 where there is none. */
long dataset_find_version(const struct dataset *dataset, const char *name);

#endif
