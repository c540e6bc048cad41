/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: a regression with a life. The row says what and between which versions; the
 * events say what came of it, oldest first, and the last one tells its state.
 */
#ifndef STORE_FINDINGS_H
#define STORE_FINDINGS_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

/* What regressed: a finding has one or several. */
struct finding_case {
	const char *scenario, *case_label, *metric;
	int64_t verdict; /* the verdict that showed it; 0: none */
};

struct finding_event {
	int64_t session;
	/*
	 * "opened", "still-open", "searched" (search names the bisection), "bisected"
	 * (commit is the culprit), "recovered" (in version), "acknowledged",
	 * "suppressed", "reopened".
	 */
	const char *kind;
	const char *version, *commit, *text; /* "" where it does not apply */
	int64_t search;                      /* 0: none */
	int64_t at;
};

struct finding_record {
	int64_t id; /* read back only */
	int64_t session;
	const char *lab;
	int64_t good_version, bad_version; /* ids */
	const char *good, *bad;            /* their names */
	int64_t opened;
	const struct finding_case *cases;
	size_t case_count;
	const struct finding_event *events; /* read back only */
	size_t event_count;
};

struct finding_list {
	struct finding_record *items; /* by id */
	size_t count, capacity;
	struct text_list strings;
};

/* Adds the finding, its cases and its event "opened". */
int store_add_finding(struct store *store, const struct finding_record *finding,
		      int64_t *ret_id, struct error *err);
/* One more case for a finding that is there; adding it twice changes nothing. */
int store_add_finding_case(struct store *store, int64_t finding,
			   const struct finding_case *item, struct error *err);
int store_add_finding_event(struct store *store, int64_t finding,
			    const struct finding_event *event, struct error *err);
/* The finding that holds this case between these versions; ret_id 0: none. */
int store_find_finding(struct store *store, const char *lab, int64_t good_version,
		       int64_t bad_version, const struct finding_case *item,
		       int64_t *ret_id, struct error *err);
int store_load_findings(struct store *store, struct finding_list *list,
			struct error *err);
void finding_list_finish(struct finding_list *list);

/* The kind of the last event. */
const char *finding_state(const struct finding_record *finding);

#endif
