/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The versions that one section is about. A session that measures what came since the
 * last one continues its line: v5 v6 v7 after v1 ... v5 is one history, not two. Only
 * plain revisions are put together; packages, images and edited versions stay alone.
 */
#ifndef REPORT_LINE_PRIVATE_H
#define REPORT_LINE_PRIVATE_H

#include "report/report.h"

struct line {
	int64_t *versions; /* ids, oldest first */
	size_t count, capacity;
	int64_t *sessions; /* whose versions these are, newest first */
	size_t session_count, session_capacity;
};

void line_finish(struct line *line);

/*
 * The line of session number index of the model; used[i] is set for each session that
 * became a part of it. Empty where the session has no versions. A session that was cut
 * short has those that it booted.
 */
int line_collect(struct store *store, const struct report_model *model, size_t index,
		 char *used, struct line *ret_line, struct error *err);

#endif
