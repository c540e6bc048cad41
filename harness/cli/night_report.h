/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a night says at its end: which findings are an alarm, a summary, the report.
 *
 * An alarm is raised once for each finding that a night opened; where the night was
 * killed before it could raise it, by the next one.
 */
#ifndef CLI_NIGHT_REPORT_H
#define CLI_NIGHT_REPORT_H

#include "cli/night.h"

/* Of all labs. Start from {0}. */
struct night_summary {
	struct finding_list findings; /* as they are at the end */
	int64_t *sessions;
	size_t session_count, session_capacity;
	size_t measured, failed, searched, boots;
	size_t left; /* items of the queues */
	size_t wanted;
	struct text_list fetch_errors;
	char *report; /* path of the HTML file; NULL: none was written */
};

void night_summary_finish(struct night_summary *summary);

/* One night is over; its queue is stored. */
int night_summary_add(struct night_summary *summary, const struct night *night,
		      struct error *err);

/* Loads the findings; how many of them are an alarm that is still to be raised. */
int night_count_alarms(struct night_summary *summary, struct store *store,
		       size_t *ret_alarms, struct error *err);
/* They are raised; the findings are loaded again. */
int night_raise_alarms(struct night_summary *summary, struct store *store,
		       struct error *err);

/*
 * The page of the night's last session and the index (cli/report_pages.h), and the same
 * report as session-N.txt and session-N.json beside it.
 */
int night_write_reports(struct night_summary *summary, struct store *store,
			const char *results, struct error *err);

void night_print(const struct night_summary *summary, int json);

#endif
