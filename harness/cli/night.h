/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One night in one lab, step by step; "kregress nightly" takes the steps in this order:
 *
 *	night_find_points()     what is followed, and the lines that it forms
 *	night_plan()            what of it is to be measured, first things first; stored
 *	night_measure()         as far as the budget goes
 *	night_judge()           each line; findings are opened, followed and closed
 *	night_search()          the commits behind open findings
 *	... measuring and judging go on with what the searches left of the budget
 *	night_end()             what is left over is stored for the next night
 *
 * What was measured, judged and searched is in the database after each step, and the plan
 * is made anew each night from what is there: a night that was killed is gone on with by
 * the next one, whatever it had done.
 */
#ifndef CLI_NIGHT_H
#define CLI_NIGHT_H

#include "cli/command.h"
#include "cli/judge.h"
#include "measure/rows.h"
#include "measure/scenario_set.h"
#include "measure/schedule.h"
#include "store/findings.h"
#include "store/subjects.h"

/* Why a version is of interest; the first that fits counts. */
enum night_kind {
	NIGHT_HEAD,     /* the newest commit of a branch */
	NIGHT_BASELINE, /* of the configuration */
	NIGHT_TAG,
	NIGHT_FINDING, /* an end of a finding */
	NIGHT_EARLIER, /* measured in an earlier night, or left over from it */
};

struct night_point {
	struct commit_id commit;
	char *name;
	enum night_kind kind;
	int64_t date;
	int is_placed;          /* on some line, in its window or not */
	struct subject subject; /* where it is measured */
	int is_open;            /* subject is */
	int64_t version;        /* its row; 0: nothing is known of it */
};

/* Versions that follow each other, oldest first: places in the list of points. */
struct night_line {
	char *name; /* of the branch or tag at its end */
	size_t *points;
	size_t count;
};

/* One scenario on one version. */
struct night_work {
	size_t point, scenario;
	unsigned boots; /* wanted in all; 0: by the sampling plan of a noisy lab */
	const char *reason;
	int is_done;
};

struct night {
	struct workbench *bench;
	struct scenario_set scenarios;
	struct rows_place *places; /* of the scenarios: where boots are looked for */
	struct night_point *points;
	size_t point_count, point_capacity;
	struct night_line *lines;
	size_t line_count, line_capacity;
	struct night_work *work;
	size_t work_count, work_capacity;
	struct budget budget; /* of the whole night */
	/* What came of it: */
	size_t measured, failed, searched;
	size_t boots; /* made */
	int is_cut;   /* the budget ended something */
};

/* Scenarios and their places; the lab is open then. */
int night_open(struct workbench *bench, const struct budget *budget, struct night *night,
	       struct error *err);
void night_finish(struct night *night);

/* A remark for the report and on stderr. */
int night_note(struct night *night, const char *kind, const char *version,
	       const char *text, struct error *err);

int night_find_points(struct night *night, struct error *err);
/* The place of a commit in the list; point_count: not there. */
size_t night_find_commit(const struct night *night, const char *hex);
/* Adds one where the repository has it; *ret_point is point_count - 1 or where it was. */
int night_add_point(struct night *night, const char *hex, const char *name,
		    enum night_kind kind, size_t *ret_point, struct error *err);
/* All that is known of a point in a scenario's place; fills in its version. */
int night_look_up(struct night *night, size_t point, size_t scenario,
		  struct measured *ret_measured, struct error *err);

int night_plan(struct night *night, struct error *err);
/*
 * Adds work that is not known or planned already. boots 0: as many as the scenario or the
 * lab want.
 */
int night_want(struct night *night, size_t point, size_t scenario, unsigned boots,
	       const char *reason, struct error *err);
/* In a noisy lab only boots that were made side by side are compared. */
int night_is_noisy(const struct night *night);
/* Stores what is not done yet. */
int night_store_queue(struct night *night, struct error *err);

/* Boots and minutes that are kept for what comes later do not count as available. */
int night_measure(struct night *night, double reserved_share, struct error *err);

/*
 * Judges the lines and files what is found. With is_final the verdicts are stored, which
 * is done once a night; before that, work is added for what is undecided.
 */
int night_judge(struct night *night, int is_final, struct error *err);

/* It is open, of this lab, between revisions, and no search of it has ended. */
int night_is_to_search(const struct night *night, const struct finding_record *finding);
/* Searches for findings without a culprit, within what is left of the budget. */
int night_search(struct night *night, struct error *err);

int night_is_spent(const struct night *night);

#endif
