/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said first, in the same words in every form. */
#ifndef REPORT_HEADLINE_H
#define REPORT_HEADLINE_H

#include "report/report.h"

/* "1 new regression, 2 still open" */
void report_headline(const struct report_model *model, struct text *out);

/*
 * "7 versions, 1204 comparisons, 2 improved, 5 undecided, 3 left out"; and that a session
 * was cut short, if so.
 */
void report_section_size(const struct report_section *section, struct text *out);

/* "demo-0 to demo-6" */
void report_section_title(const struct report_section *section, struct text *out);

/* "elapsed +50.1 %", or the scenario where nothing was judged. */
void report_finding_change(const struct report_finding *finding, struct text *out);

/* Its scenarios, each once: "fsync-loop, raw-sync". */
void report_finding_scenarios(const struct report_finding *finding, struct text *out);

#endif
