/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the table of a scenario looks: laid out after the report that the scenario
 * repeats. A row is one case of one version; its head are the parameters of the case.
 */
#ifndef REPORT_LAYOUT_PRIVATE_H
#define REPORT_LAYOUT_PRIVATE_H

#include "report/report.h"

enum layout_source {
	SOURCE_WHOLE,   /* the case itself, or its later runs where it has several */
	SOURCE_FIRST,   /* the first run, or the only one */
	SOURCE_LATER,   /* the median of the later runs */
	SOURCE_RUNS,    /* each run by itself */
	SOURCE_WINDOWS, /* the windows of the first run, some of them */
};

enum layout_form {
	FORM_SECONDS,
	FORM_MILLISECONDS,
	FORM_CLOCK,
	FORM_NUMBER,
	FORM_MEGABYTES,
	FORM_UNIT
};

enum { LAYOUT_KEYS = 4, LAYOUT_COLUMNS = 8 };

struct layout_column {
	const char *title;
	const char *metric; /* NULL ends the list */
	enum layout_source source;
	enum layout_form form;
	const char *plus; /* a second metric: "1986 + 3228" */
	const char *unit; /* for FORM_UNIT */
};

struct layout {
	const char *scenario;
	const char *caption; /* NULL: none */
	/* Parameters in the order of the columns; others follow as they come. */
	const char *keys[LAYOUT_KEYS];
	struct layout_column columns[LAYOUT_COLUMNS];
	/* Sentences below the table, each about a parameter; NULL: none. */
	const char *best_of; /* which value is best, and what the others cost */
	const char *against; /* what its second value costs against the first */
	int disks;           /* the fastest and the slowest disk of each case */
};

/* NULL: none of its own. */
const struct layout *layout_find(const char *scenario);

/* A cell's text. Several values are put apart by blanks. */
void layout_format(const struct layout_column *column, const double *values, size_t count,
		   struct text *out);

#endif
