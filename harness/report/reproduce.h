/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines that repeat what a report says, fit for a shell. */
#ifndef REPORT_REPRODUCE_H
#define REPORT_REPRODUCE_H

#include "report/report.h"

/* Measures both versions of a finding and compares them. */
void reproduce_comparison(const struct report_section *section,
			  const struct report_finding *finding, struct text *out);

/* Searches for the commit. */
void reproduce_search(const struct report_section *section,
		      const struct report_finding *finding, struct text *out);

#endif
