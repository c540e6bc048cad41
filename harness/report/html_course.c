/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a metric over the versions, and within a run. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/label_private.h"

#include <stdlib.h>
#include <string.h>

enum { PLOTTED_CASES = 3 };

/* Series of a run that say more over its course than their median does. */
static const struct {
	const char *name, *what;
} courses[] = {
	{"window_mean", "Mean time of an operation, window by window"},
	{"throughput", "Throughput over the run"},
	{"second_bytes", "Bytes of each second of the run"},
};

static const struct series_record *find_course(const struct boot_list *boots,
					       const char *label, const char *name)
{
	CLEANUP(cleanup_free) char *whole = label_without_run(label);

	for (size_t i = 0; boots->count && i < boots->items[0].series_count; i++) {
		const struct series_record *series = &boots->items[0].series[i];

		if (!strcmp(series->name, name) && (!strcmp(series->case_label, whole) ||
						    !strcmp(series->case_label, label)))
			return series;
	}
	return NULL;
}

static void add_courses(const struct report_finding *finding,
			const struct report_case *item, struct text *out)
{
	for (size_t i = 0; i < sizeof(courses) / sizeof(*courses); i++) {
		const struct series_record *good =
			find_course(&item->good, item->case_label, courses[i].name);
		const struct series_record *bad =
			find_course(&item->bad, item->case_label, courses[i].name);
		const struct pair_plot plot = {
			.what = courses[i].what,
			.unit = good ? good->unit : "",
			.good = finding->good,
			.bad = finding->bad,
			.good_values = good ? good->values : NULL,
			.bad_values = bad ? bad->values : NULL,
			.good_count = good ? good->count : 0,
			.bad_count = bad ? bad->count : 0,
		};

		if (plot.good_count < 2 || plot.bad_count < 2)
			continue;
		markup(out, "<h4>%s</h4>\n", courses[i].what);
		plot_pair(&plot, out);
	}
}

static void add_histograms(const struct report_finding *finding,
			   const struct report_case *item, struct text *out)
{
	const struct series_record *good =
		find_course(&item->good, item->case_label, "latency_histogram");
	const struct series_record *bad =
		find_course(&item->bad, item->case_label, "latency_histogram");

	if (!good || !bad || strcmp(good->unit, "ns,hits") != 0 ||
	    strcmp(bad->unit, "ns,hits") != 0)
		return;
	text_add(out, "<h4>Time of an operation</h4>\n");
	plot_histograms(good, bad, finding->good, finding->bad, out);
}

static double *copy_values(const struct result_series *series, int version,
			   size_t *ret_count)
{
	const struct result_value *values =
		results_of_version(series, (size_t)version, ret_count);
	double *copy = memory_new(*ret_count, sizeof(*copy));

	for (size_t i = 0; i < *ret_count; i++)
		copy[i] = values[i].value;
	return copy;
}

/* Only where there is a distribution to see. */
static void add_boots(const struct report_finding *finding,
		      const struct report_case *item, struct text *out)
{
	CLEANUP(cleanup_free) double *good = NULL;
	CLEANUP(cleanup_free) double *bad = NULL;
	struct pair_plot plot = {
		.what = "Each boot",
		.unit = item->series->unit,
		.good = finding->good,
		.bad = finding->bad,
	};

	if (finding->good_index == REPORT_NONE || finding->bad_index == REPORT_NONE)
		return;
	plot.good_values = good =
		copy_values(item->series, finding->good_index, &plot.good_count);
	plot.bad_values = bad =
		copy_values(item->series, finding->bad_index, &plot.bad_count);
	if (plot.good_count < 2 && plot.bad_count < 2)
		return;
	text_add(out, "<h4>Each boot</h4>\n");
	plot_boots(&plot, out);
}

static void add_title(const struct report_finding *finding,
		      const struct report_case *item, struct text *out)
{
	text_add(out, "<figure>\n<figcaption>");
	if (!report_has_only(finding, item->scenario))
		markup(out, "%s ", item->scenario);
	markup(out, "<strong>%s</strong> ", item->metric);
	html_case(item->case_label, out);
	text_add(out, "</figcaption>\n");
}

static void add_plots(const struct html_view *view, const struct report_case *item,
		      struct text *out)
{
	const struct history_plot plot = {
		.section = view->section,
		.series = item->series,
		.good_index = view->finding->good_index,
		.bad_index = view->finding->bad_index,
	};

	add_title(view->finding, item, out);
	plot_history(&plot, out);
	plot_history_numbers(&plot, out);
	text_add(out, "</figure>\n");
	add_boots(view->finding, item, out);
	add_histograms(view->finding, item, out);
	add_courses(view->finding, item, out);
}

/* The first one at once, the others where somebody wants to see them. */
void html_finding_course(const struct html_view *view, struct text *out)
{
	const struct report_finding *finding = view->finding;
	size_t plotted = 0;

	for (size_t i = 0; i < finding->count && plotted < PLOTTED_CASES; i++) {
		if (!finding->cases[i].series)
			continue;
		if (plotted == 1)
			text_add(out, "<details><summary>More cases</summary>\n");
		add_plots(view, &finding->cases[i], out);
		plotted++;
	}
	text_add(out, plotted > 1 ? "</details>\n" : "");
}
