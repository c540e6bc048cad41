/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the HTML report, each in a file of its own. Each appends whole elements
 * that are well-formed XML too, and nothing where it has nothing to show. There are no
 * scripts, and nothing is loaded: what folds is <details>.
 */
#ifndef REPORT_HTML_PRIVATE_H
#define REPORT_HTML_PRIVATE_H

#include "report/markup_private.h"
#include "report/plot_private.h"
#include "report/report.h"

/* What a part of a finding is about. */
struct html_view {
	const struct report_section *section;
	const struct report_finding *finding;
};

typedef void html_part(const struct html_view *view, struct text *out);

/* In the order of the page; the table stands in html_finding.c. */
html_part html_finding_course, html_finding_cases, html_finding_commit,
	html_finding_config, html_finding_life, html_finding_reproduce;

void html_news(const struct report_model *model, struct text *out);
/* The findings of a section. */
void html_findings(const struct report_section *section, struct text *out);
/* What was measured besides. */
void html_section(const struct report_section *section, struct text *out);
void html_left_out(const struct report_section *section, struct text *out);
void html_environments(const struct report_model *model, struct text *out);

/* level: of its heading, 2 to 5. */
void html_search(const struct report_search *search, int level, struct text *out);
void html_commit(const struct commit_record *commit, struct text *out);
/* Sentence, bars, costs and functions. */
void html_explanation(const struct explanation *explanation, struct text *out);
void html_table(const struct table *table, const char *label, struct text *out);

/* Document and style up to <body>; everything from the last element to </html>. */
void html_begin(const char *title, struct text *out);
void html_end(struct text *out);

/*
 * A table in a frame that scrolls by itself. The titles end with NULL; one that begins
 * with '#' is of a column of numbers.
 */
void html_table_begin(const char *label, const char *const *titles, struct text *out);
void html_table_end(struct text *out);
/* <td class="num"> with a value in its unit; with a change in percent. */
void html_value_cell(double value, const char *unit, struct text *out);
void html_change_cell(double percent, struct text *out);

/* <time datetime="2026-01-31T23:59:59Z">2026-01-31 23:59 UTC</time> */
void html_time(int64_t time, struct text *out);
/* "a=1,b=2" in small letters, where lines may break behind the commas. */
void html_case(const char *label, struct text *out);
/* "c0ffee00c0ff" with the whole id as title. */
void html_commit_id(const char *id, struct text *out);
/* "finding-3" or, for one that is not filed, "finding-S-N". */
void html_anchor(const struct report_section *section,
		 const struct report_finding *finding, struct text *out);

#endif
