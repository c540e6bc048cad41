/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report in two steps: report_collect() reads everything that any form of it shows
 * from the database into plain data; a writer turns that into one text. Writers read no
 * database, no clock and no files, so the same model gives the same bytes.
 *
 *	CLEANUP(report_model_finish) struct report_model model = {0};
 *	if (report_collect(store, &options, &model, err) < 0)
 *		return -1;
 *	report_writer_find("html")->write(&model, &out);
 *
 * A section is a line of versions: those of one session, newest sessions first, and of
 * older sessions that it continues. What it says of tonight is the newest session's.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/table.h"
#include "store/boots.h"
#include "store/findings.h"
#include "store/results.h"
#include "store/search.h"
#include "store/sessions.h"
#include "store/verdicts.h"

struct explanation; /* report/explanation.h */

enum { REPORT_NONE = -1 };

struct report_options {
	/* Only that session's section, as things stood when it ended; 0: the newest ones
	 */
	int64_t session;
	size_t sections; /* at most so many; 0: 8 */
	int64_t now;     /* "made at"; 0: the clock */
};

/* Where a finding stands, and whether that is news: the order in which it is told. */
enum report_stage {
	REPORT_OPENED,     /* since model->since, or again since then */
	REPORT_BISECTED,   /* its commit was named since then */
	REPORT_RECOVERED,  /* since then */
	REPORT_STILL_OPEN, /* from earlier */
	REPORT_OVER,       /* recovered earlier, acknowledged or suppressed */
	REPORT_STAGES
};

/* "new", "commit found", "recovered", "still open", "over" */
const char *report_stage_name(enum report_stage stage);

/* What differs between two resolved kernel configurations. */
struct report_config {
	struct report_config_change {
		char *symbol, *good, *bad; /* values; "" where it is not set */
	} * changes;                       /* by symbol */
	size_t count, capacity;
	size_t symbols; /* of both together; 0: the files are not there */
};

/* A commit and some boots of it. */
struct report_commit {
	const char *id;          /* "" where there is none */
	struct commit_list info; /* one, or none where it is not stored */
	struct boot_list boots;
};

/* A search with its steps and what is known of its culprit. */
struct report_search {
	const struct search_record *record;
	const char *command; /* of its session; NULL: not known */
	struct step_list steps;
	struct commit_list culprit; /* one or none */
	int shown;                  /* belongs to a finding of a section */
	int listed;                 /* to none: told by itself */
	char *reason;               /* why it ended; "" where it does not say */
	char *bisect_log;           /* as git writes it; "" where it was not stored */
	/* Of a shown one with a culprit: the two that its confirmation booted. */
	struct report_commit parent, child;
	/* The culprit against a version before it; the same cases as were searched. */
	struct explanation *explanations;
	size_t explanation_count;
};

/* One (scenario, case, metric) that regressed between two versions. */
struct report_case {
	const struct verdict_record *verdict; /* NULL: not in this section */
	const char *scenario, *case_label, *metric;
	const struct result_series *series; /* NULL: no samples in this section */
	struct boot_list good, bad;         /* one boot each with its series, or none */
};

struct report_finding {
	int64_t id;        /* 0: seen by the verdicts, not filed */
	const char *state; /* of a filed one: the kind of its last event; else "" */
	const struct finding_record *record; /* NULL: not filed */
	const char *good, *bad;
	int good_index, bad_index; /* in the section's versions; REPORT_NONE */
	struct report_case *cases; /* the largest change first */
	size_t count, capacity;
	const struct report_search *search; /* NULL: none */
	enum report_stage stage;
	int64_t days; /* since it was opened, from 1; 0: not filed */
	struct report_config config;
};

struct report_section {
	const struct session_record *session; /* the newest of the line */
	int is_cut_short; /* it ended before it judged what it had measured */
	struct results results;
	struct verdict_list changes; /* all verdicts but "same" */
	struct judged_list judged;
	int64_t verdict_count; /* of all */
	struct failure_list failures;
	struct note_list notes;
	struct remark_list remarks;       /* see report/remarks.h */
	struct environment *environments; /* of the series, each once */
	size_t environment_count;
	struct report_finding *findings;
	size_t finding_count, finding_capacity;
	struct report_table {
		const char *scenario;
		struct table table;
	} * tables; /* one a scenario, laid out after its model */
	size_t table_count, table_capacity;
};

struct report_model {
	int64_t made;
	int64_t since;                /* what came later is news */
	size_t stages[REPORT_STAGES]; /* how many findings are at each */
	char *database;               /* its path */
	const char *index; /* the page over all sessions, as a link; NULL: none */
	struct session_list sessions;
	struct finding_list findings;
	struct search_list search_records;
	struct report_search *searches; /* one for each record */
	struct report_section *sections;
	size_t section_count;
};

/* In one read transaction. What the database does not hold is empty, not an error. */
int report_collect(struct store *store, const struct report_options *options,
		   struct report_model *ret_model, struct error *err);
void report_model_finish(struct report_model *model);

struct mail_draft; /* report/mail.h */

struct report_writer {
	const char *name; /* of --format */
	const char *extension;
	const char *summary; /* what it is good for, in one line */
	void (*write)(const struct report_model *model, struct text *out);
	/* Instead of write: a document for each finding. */
	void (*write_draft)(const struct mail_draft *draft, struct text *out);
};

extern const struct report_writer report_writer_text, report_writer_html,
	report_writer_json, report_writer_csv, report_writer_junit,
	report_writer_markdown, report_writer_mail;

/* NULL where there is none of that name. */
const struct report_writer *report_writer_find(const char *name);
/* "text, html, json" */
void report_writer_names(struct text *out);
/* A line for each, with what it is good for. */
void report_writer_list(struct text *out);

/* Only the tables of the scenarios, for a terminal. */
void report_print_tables(const struct report_model *model, struct text *out);

/* The text form for a terminal: with colours or without. */
void report_print(const struct report_model *model, int colour, struct text *out);

/* Where a version stands in the line; without an id by its name; REPORT_NONE. */
int report_find_version(const struct report_section *section, int64_t id,
			const char *text);

/*
 * Fills marks[version] with the regression or improvement that a series shows there,
 * against the version before it or as one of a pair; NULL: none.
 */
void report_mark_changes(const struct report_section *section,
			 const struct result_series *series,
			 const struct verdict_record **marks);

/*
 * Whether a verdict says something that no other says. A loss stays visible against the
 * baseline in each later version; only a gradual one shows nowhere else.
 */
int report_is_news(const struct verdict_record *verdict);

/* How far a finding regressed at most; NULL where nothing was judged. */
const struct verdict_record *report_worst(const struct report_finding *finding);

int report_has_scenario(const struct report_finding *finding, const char *scenario);
/* No case of another one. */
int report_has_only(const struct report_finding *finding, const char *scenario);
/* Whether a case is the first one of its scenario. */
int report_brings_scenario(const struct report_finding *finding, size_t index);

/*
 * Whether a report shows this series: it was judged, or nothing was and the metric has a
 * sense.
 */
int report_shows(const struct report_section *section,
		 const struct result_series *series);

/* Median of the boots of one version; NAN where there are none. */
double report_median(const struct result_series *series, size_t version);

#endif
