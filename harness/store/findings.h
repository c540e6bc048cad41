/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: a regression with a life. The row says what and between which versions; the
 * events say what came of it, oldest first.
 *
 * There is one finding for a range, whatever regressed in it: several scenarios share it
 * and the search for its commit. Where a search shows that a scenario of it was moved by
 * another commit, its cases move to a finding of their own.
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
	 * "opened"; "still-open" (in version); "searching" (search names a bisection that
	 * goes on); "searched" (it ended without a culprit, for the reason in text);
	 * "bisected" (commit is the culprit); "split" (text says what moved to another
	 * finding); "alarmed" (a night has raised it); "recovered" (in version);
	 * "acknowledged" (accepted, for the reason in text: the new level is the baseline
	 * from there on); "suppressed" (expected, for the reason in text: never followed,
	 * never an alarm); "reopened".
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
	int64_t good_version, bad_version;    /* ids */
	const char *good, *bad;               /* their names */
	const char *good_commit, *bad_commit; /* read back only; "" where there is none */
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
/*
 * The cases of one scenario move to a new finding of the same range; ret_id is its id.
 * reason goes into the events of both.
 */
int store_split_finding(struct store *store, const struct finding_record *finding,
			const char *scenario, int64_t session, const char *reason,
			int64_t *ret_id, struct error *err);
int store_load_findings(struct store *store, struct finding_list *list,
			struct error *err);
void finding_list_finish(struct finding_list *list);

/* Where a finding stands: what was last said of it, however its search goes. */
enum finding_standing {
	FINDING_OPEN,
	FINDING_RECOVERED,
	FINDING_ACKNOWLEDGED,
	FINDING_SUPPRESSED,
};

enum finding_standing finding_standing(const struct finding_record *finding);

int finding_has_case(const struct finding_record *finding, const char *scenario,
		     const char *case_label, const char *metric);

/* The last event of that kind; NULL: none. */
const struct finding_event *finding_last(const struct finding_record *finding,
					 const char *kind);

/* The commit that the last search named; "" where none did. */
const char *finding_culprit(const struct finding_record *finding);

/*
 * One word: "opened", "still-open" (seen in later versions too), "bisected" (the culprit
 * is known), "recovered", "acknowledged" or "suppressed".
 */
const char *finding_state(const struct finding_record *finding);

/* The day of its life that a time falls on: 1 is the day on which it was opened. */
int64_t finding_day(const struct finding_record *finding, int64_t time);

#endif
