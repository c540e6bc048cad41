/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as the statistics want them: for each (scenario, environment, case, metric)
 * the values of each boot of each version. Only boots with outcome ok; a kernel that
 * several versions share counts for each of them.
 *
 * Made for millions of samples: 16 bytes for each in memory, one pass over the table.
 */
#ifndef STORE_RESULTS_H
#define STORE_RESULTS_H

#include "store/sessions.h"
#include "store/subjects.h"

struct results_query {
	const char *scenario, *case_label, *metric; /* NULL: any */
	int64_t environment;                        /* 0: any */
	int64_t session; /* only versions of that session, in its order; 0: any */
	/* Only these versions, in this order (session is not read then); NULL: any. */
	const int64_t *versions;
	size_t version_count;
	/* Only of this purpose; NULL: all but "reference", "calibrate" and "explain". */
	const char *purpose;
	const struct session_set *boots_of; /* only boots made in these; NULL: any */
};

/* The kind of a note that takes away the verdicts of its session. */
#define NOTE_REFERENCE_MOVED "reference-moved"

struct result_value {
	double value;
	uint32_t version; /* index into results.versions */
	uint32_t boot;    /* id of the boot */
};

/* Values are sorted by version, then by boot. */
struct result_series {
	const char *scenario, *scenario_key;
	const char *case_label, *metric, *unit, *better;
	int64_t environment;
	struct result_value *values;
	size_t count, capacity;
};

/* Series are sorted by scenario, case, metric, environment, as they first appeared. */
struct results {
	struct version_list versions;
	struct result_series *series;
	size_t count, capacity;
	/* Boots of sessions whose reference kernel moved (a note says so), ascending. */
	uint32_t *moved;
	size_t moved_count, moved_capacity;
	struct text_list strings;
};

/*
 * Another unit or sense that a metric of this case came in, as "unit, better"; NULL where
 * there is none. The caller frees.
 */
struct metric_name {
	const char *scenario_key, *case_label, *metric, *unit, *better;
};

int store_find_other_unit(struct store *store, const struct metric_name *name,
			  char **ret_other, struct error *err);

int store_load_results(struct store *store, const struct results_query *query,
		       struct results *ret_results, struct error *err);
void results_finish(struct results *results);

/* Whether a boot's session has no verdicts. */
int results_moved(const struct results *results, uint32_t boot);

/* The range of series->values that belongs to one version. */
const struct result_value *results_of_version(const struct result_series *series,
					      size_t version, size_t *ret_count);

#endif
