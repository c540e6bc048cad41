/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of git bisect (what "git bisect log" prints and "git bisect replay" reads).
 */
#ifndef CLI_BISECT_LOG_H
#define CLI_BISECT_LOG_H

#include "cli/search_run.h"

/* Names of commits as the log has them. */
struct bisect_log {
	char *good, *bad;       /* the first good and the first bad mark; NULL: none */
	struct text_list marks; /* "good NAME", "bad NAME", "skip NAME", the rest */
};

void bisect_log_finish(struct bisect_log *log);

/* Comments and unknown lines of git bisect are left out; other text is refused. */
int bisect_log_read(const char *path, struct bisect_log *ret_log, struct error *err);

/* The rest of the marks as commits. */
int bisect_log_marks(const struct bisect_log *log, struct repository *repository,
		     struct search_marks *ret_marks, struct error *err);

/* What the search found of each tested commit, the ends first. */
void bisect_log_text(const struct search_run *run, struct text *text);
int bisect_log_write(const char *path, const struct search_run *run, struct error *err);

#endif
