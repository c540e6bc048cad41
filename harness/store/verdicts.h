/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts as they were given, with every figure, so that a report can repeat them.
 * Figures that could not be computed are NAN.
 */
#ifndef STORE_VERDICTS_H
#define STORE_VERDICTS_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

struct verdict_side {
	int64_t version;  /* id; 0 where unknown */
	const char *text; /* the version's name */
	int boots;
	double median, min, max;
};

struct verdict_record {
	int64_t id; /* read back only */
	int64_t session;
	const char *role; /* "pair", "neighbour", "baseline" */
	struct verdict_side a, b;
	const char *scenario, *case_label, *metric, *unit, *better;
	double change_percent, ci_low_percent, ci_high_percent;
	double p, q, superiority;
	int boots_needed;           /* 0: decided */
	const char *verdict;        /* DESIGN's list */
	const char *sentence;       /* for people */
	const char *const *reasons; /* codes */
	size_t reason_count;
};

struct verdict_list {
	struct verdict_record *items; /* in the order they were added */
	size_t count, capacity;
	struct text_list strings;
};

/* All or none. */
int store_add_verdicts(struct store *store, const struct verdict_record *verdicts,
		       size_t count, struct error *err);
/* session 0: all. */
int store_load_verdicts(struct store *store, int64_t session, struct verdict_list *list,
			struct error *err);
/* The same without those that say "same". */
int store_load_changes(struct store *store, int64_t session, struct verdict_list *list,
		       struct error *err);
/*
 * Of several sessions: where they judged the same (versions, role, scenario, case and
 * metric), only what the newest one said. Newest sessions first.
 */
int store_load_latest_changes(struct store *store, const int64_t *sessions, size_t count,
			      struct verdict_list *list, struct error *err);
void verdict_list_finish(struct verdict_list *list);

/*
 * What a session judged (0: all of them), whatever came of it: each (scenario, case,
 * metric) once.
 */
struct judged_series {
	const char *scenario, *case_label, *metric;
	int64_t verdicts; /* how many were given */
};

struct judged_list {
	struct judged_series *items; /* sorted by scenario, case, metric */
	size_t count, capacity;
	struct text_list strings;
};

int store_load_judged(struct store *store, int64_t session, struct judged_list *list,
		      struct error *err);
void judged_list_finish(struct judged_list *list);

#endif
