/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings for "kregress findings": as JSON, as a line, as a page. What comes from
 * repositories and people is made fit for a terminal.
 */
#ifndef CLI_FINDING_PRINT_H
#define CLI_FINDING_PRINT_H

#include "base/text.h"
#include "store/findings.h"

/* One object of a list: a comma before it where one is needed. */
void finding_add_json(const struct finding_record *finding, struct text *json);
/* "3  fsync-loop (2 cases): v6.1 to v6.2, opened on 2027-01-15" and a line end. */
void finding_add_line(const struct finding_record *finding, struct text *out);
/* That line, the culprit, cases, events, and the search that is still to be made. */
void finding_add_all(struct store *store, const struct finding_record *finding,
		     struct text *out);

#endif
