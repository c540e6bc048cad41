/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plots as inline SVG. Colours come from the classes that the page's style sheet
 * defines; each plot carries its content as a sentence for those who do not see it.
 */
#ifndef REPORT_PLOT_PRIVATE_H
#define REPORT_PLOT_PRIVATE_H

#include "report/report.h"

/* A metric over the versions of a section, with its changes marked. */
struct history_plot {
	const struct report_section *section;
	const struct result_series *series;
	int good_index, bad_index; /* of the finding; REPORT_NONE */
};

/* Each boot is a point, so that the spread of each version is seen as it is. */
void plot_history(const struct history_plot *plot, struct text *out);

/* The numbers of that plot as a folded table. */
void plot_history_numbers(const struct history_plot *plot, struct text *out);

/* The same as a line of text height, without axes. */
void plot_spark(const struct report_section *section, const struct result_series *series,
		struct text *out);

/* Two series over the same axis: windows of a run, good against bad. */
struct pair_plot {
	const char *what; /* "mean of 50 operations over the run" */
	const char *unit;
	const char *good, *bad; /* names */
	const double *good_values, *bad_values;
	size_t good_count, bad_count;
	/* Labels below the axis at the positions of values; NULL: first and last number.
	 */
	const struct plot_tick *ticks;
	size_t tick_count;
};

struct plot_tick {
	double at;
	const char *label;
};

void plot_pair(const struct pair_plot *plot, struct text *out);

/*
 * Latency histograms, as series of pairs (ns, operations): the share of operations over
 * the logarithm of their time. Draws nothing where a side has none.
 */
void plot_histograms(const struct series_record *good, const struct series_record *bad,
		     const char *good_name, const char *bad_name, struct text *out);

/* Each boot of both sides as a point; for few boots more honest than bars. */
void plot_boots(const struct pair_plot *plot, struct text *out);

/* The largest changes as bars from zero, each with its name and amount. */
struct difference; /* profile/difference.h */
void plot_difference(const struct difference *difference, struct text *out);

/* Probability over the commits of a search, in their order. */
void plot_posterior(const struct search_record *search, struct text *out);

#endif
