/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the report for a terminal. */
#ifndef REPORT_TEXT_PRIVATE_H
#define REPORT_TEXT_PRIVATE_H

#include "report/report.h"

enum { TEXT_WIDTH = 80 };

enum paint { PAINT_NONE, PAINT_BAD, PAINT_GOOD, PAINT_BOLD };

struct page {
	struct text *out;
	int colour;
};

/*
 * A paragraph from column indent on, folded at blanks; control characters are shown as
 * "?".
 */
__attribute__((format(printf, 4, 5))) void text_line(const struct page *page,
						     enum paint paint, int indent,
						     const char *format, ...);
void text_blank(const struct page *page);

void text_finding(const struct page *page, const struct report_finding *finding);
void text_search(const struct page *page, const struct report_search *search);

#endif
