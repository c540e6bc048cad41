/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page over all sessions: when, what was new, what was open then. */
#ifndef REPORT_INDEX_H
#define REPORT_INDEX_H

#include "report/report.h"

struct report_index {
	int64_t made;
	const struct session_list *sessions; /* newest first */
	const struct finding_list *findings;
	char *const *pages; /* one for each session: its file, or NULL */
};

void report_index_write(const struct report_index *index, struct text *out);

#endif
