/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the HTML report. Each appends whole elements. */
#ifndef REPORT_HTML_PRIVATE_H
#define REPORT_HTML_PRIVATE_H

#include "report/markup_private.h"
#include "report/plot_private.h"
#include "report/report.h"

extern const char html_style[];

/* number: of the finding in its section, from 0; makes its anchor. */
void html_finding(const struct report_section *section, size_t number, struct text *out);
void html_section(const struct report_section *section, struct text *out);
/* level: of its heading, 2 to 5. */
void html_search(const struct report_search *search, int level, struct text *out);
void html_table(const struct table *table, struct text *out);

/* <time datetime="...">...</time> */
void html_time(int64_t time, struct text *out);

#endif
