/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/axes_private.h"
#include "report/format.h"
#include "report/markup_private.h"
#include "stats/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A level that differs by less is drawn as the same one. */
#define LEAST_CHANGE 0.005

enum { LABEL_BYTES = 24, SPARK_WIDTH = 120, SPARK_HEIGHT = 22 };

static const char *version_name(const struct report_section *section, size_t index)
{
	return section->results.versions.items[index].text;
}

/* "elapsed in fsync-loop ... over 24 versions from v1 to v24: 3.1 s at v4 to ..." */
static void describe(const struct history_plot *plot, struct text *out)
{
	const struct result_series *series = plot->series;
	size_t versions = plot->section->results.versions.count;
	double low = INFINITY, high = -INFINITY;
	size_t low_at = 0, high_at = 0, count = 0;

	for (size_t i = 0; i < versions; i++) {
		double median = report_median(series, i);

		count += isfinite(median) != 0;
		if (median < low) {
			low = median;
			low_at = i;
		}
		if (median > high) {
			high = median;
			high_at = i;
		}
	}
	text_format(out, "%s of %s %s over %zu versions: ", series->metric,
		    series->scenario, series->case_label, count);
	if (!count)
		return;
	text_add(out, "lowest ");
	format_value(out, low, series->unit);
	text_format(out, " at %s, highest ", version_name(plot->section, low_at));
	format_value(out, high, series->unit);
	text_format(out, " at %s", version_name(plot->section, high_at));
	if (plot->good_index >= 0 && plot->bad_index >= 0)
		text_format(out, "; changes from %s to %s",
			    version_name(plot->section, (size_t)plot->good_index),
			    version_name(plot->section, (size_t)plot->bad_index));
}

static void draw_band(const struct history_plot *plot, const struct axes *axes,
		      struct text *out)
{
	double left, right;

	if (plot->good_index < 0 || plot->bad_index < 0)
		return;
	left = axes_x(axes, fmin(plot->good_index, plot->bad_index));
	right = axes_x(axes, fmax(plot->good_index, plot->bad_index));
	text_format(out,
		    "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
		    "height=\"%d\"/>\n",
		    left, PLOT_TOP, right - left, axes->height - PLOT_TOP - PLOT_BOTTOM);
}

static void draw_line(const struct history_plot *plot, const struct axes *axes,
		      struct text *out)
{
	text_add(out, "<polyline class=\"line\" points=\"");
	for (size_t i = 0; i < plot->section->results.versions.count; i++) {
		double median = report_median(plot->series, i);

		if (isfinite(median))
			text_format(out, "%.1f,%.1f ", axes_x(axes, (double)i),
				    axes_y(axes, median));
	}
	text_add(out, "\"/>\n");
}

static void draw_points(const struct history_plot *plot, const struct axes *axes,
			struct text *out)
{
	const struct result_series *series = plot->series;

	for (size_t i = 0; i < series->count; i++) {
		CLEANUP(text_finish) struct text value = {0};
		const struct result_value *item = &series->values[i];

		if (i && item->version == series->values[i - 1].version &&
		    item->value == series->values[i - 1].value)
			continue; /* exact boots lie on each other */
		format_value(&value, item->value, series->unit);
		text_format(out,
			    "<circle class=\"dot%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\">",
			    (int)item->version == plot->bad_index ? " worse" : "",
			    axes_x(axes, item->version), axes_y(axes, item->value));
		markup(out, "<title>%s: %s</title></circle>\n",
		       version_name(plot->section, item->version), text_string(&value));
	}
}

/* The points that a version has, for the search of levels. */
struct medians {
	double *values;
	size_t *versions;
	size_t count;
};

static void medians_finish(struct medians *medians)
{
	free(medians->values);
	free(medians->versions);
}

static struct medians collect_medians(const struct history_plot *plot)
{
	size_t versions = plot->section->results.versions.count;
	struct medians medians = {memory_new(versions, sizeof(double)),
				  memory_new(versions, sizeof(size_t)), 0};

	for (size_t i = 0; i < versions; i++) {
		double median = report_median(plot->series, i);

		if (!isfinite(median))
			continue;
		medians.values[medians.count] = median;
		medians.versions[medians.count++] = i;
	}
	return medians;
}

static void draw_level(const struct axes *axes, const struct medians *medians,
		       size_t first, size_t end, double level, struct text *out)
{
	double y = axes_y(axes, level);

	text_format(out,
		    "<line class=\"level\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
		    "y2=\"%.1f\"/>\n",
		    axes_x(axes, (double)medians->versions[first]),
		    axes_x(axes, (double)medians->versions[end - 1]), y, y);
}

static void draw_outliers(const struct history_plot *plot, const struct axes *axes,
			  const struct medians *medians, const struct history *history,
			  struct text *out)
{
	for (size_t i = 0; i < history->outlier_count; i++) {
		size_t at = history->outliers[i];

		text_format(out,
			    "<circle class=\"outlier\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\">",
			    axes_x(axes, (double)medians->versions[at]),
			    axes_y(axes, medians->values[at]));
		markup(out, "<title>%s: outlier</title></circle>\n",
		       version_name(plot->section, medians->versions[at]));
	}
}

/* The levels between change points as dotted lines, outliers with a ring. */
static void draw_levels(const struct history_plot *plot, const struct axes *axes,
			struct text *out)
{
	CLEANUP(medians_finish) struct medians medians = collect_medians(plot);
	CLEANUP(history_finish) struct history history = {0};
	size_t begin = 0;

	history_find(medians.values, NULL, medians.count,
		     better_parse(plot->series->better), LEAST_CHANGE, &history);
	for (size_t i = 0; i < history.change_count; i++) {
		draw_level(axes, &medians, begin, history.changes[i].index,
			   history.changes[i].before, out);
		begin = history.changes[i].index;
	}
	if (history.change_count)
		draw_level(axes, &medians, begin, medians.count,
			   history.changes[history.change_count - 1].after, out);
	draw_outliers(plot, axes, &medians, &history, out);
}

/* Triangles: up or down as the metric went, in the colour of worse or better. */
static void draw_marks(const struct history_plot *plot, const struct axes *axes,
		       struct text *out)
{
	size_t versions = plot->section->results.versions.count;
	CLEANUP(cleanup_free)
	const struct verdict_record **marks = memory_new(versions, sizeof(*marks));

	report_mark_changes(plot->section, plot->series, marks);
	for (size_t i = 0; i < versions; i++) {
		double median = report_median(plot->series, i), x, y;
		int worse, up;

		if (!marks[i] || !isfinite(median))
			continue;
		worse = !strcmp(marks[i]->verdict, "regression");
		up = marks[i]->b.median > marks[i]->a.median;
		x = axes_x(axes, (double)i);
		y = axes_y(axes, median) + (up ? -8 : 8);
		text_format(out, "<path class=\"%s\" d=\"M%.1f %.1fl6 %dh-12z\">",
			    worse ? "worse" : "better", x, y + (up ? -10 : 10),
			    up ? 10 : -10);
		markup(out, "<title>%s: %s</title></path>\n",
		       version_name(plot->section, i), marks[i]->sentence);
	}
}

static void label(const struct history_plot *plot, const struct axes *axes, size_t index,
		  const char *anchor, struct text *out)
{
	CLEANUP(cleanup_free)
	char *name = memory_copy_string(version_name(plot->section, index));

	if (strlen(name) > LABEL_BYTES)
		strcpy(name + LABEL_BYTES - 2, "..");
	axes_label(axes, (double)index, anchor, name, out);
}

/* First, last, and the bad version where it is not too near to them. */
static void draw_labels(const struct history_plot *plot, const struct axes *axes,
			struct text *out)
{
	size_t last = plot->section->results.versions.count - 1;
	double part = last ? (double)plot->bad_index / (double)last : 0;

	label(plot, axes, 0, "start", out);
	if (last)
		label(plot, axes, last, "end", out);
	if (part > 0.25 && part < 0.75)
		label(plot, axes, (size_t)plot->bad_index, "middle", out);
}

void plot_history(const struct history_plot *plot, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	struct axes axes;

	axes_init(&axes, 0, (double)plot->section->results.versions.count - 1);
	for (size_t i = 0; i < plot->series->count; i++)
		axes_include(&axes, plot->series->values[i].value);
	axes_settle(&axes);
	describe(plot, &description);
	axes_open(&axes, text_string(&description), out);
	axes_grid(&axes, plot->series->unit, out);
	draw_band(plot, &axes, out);
	draw_levels(plot, &axes, out);
	draw_line(plot, &axes, out);
	draw_points(plot, &axes, out);
	draw_marks(plot, &axes, out);
	draw_labels(plot, &axes, out);
	axes_close(out);
}

void plot_spark(const struct report_section *section, const struct result_series *series,
		struct text *out)
{
	size_t versions = section->results.versions.count;
	struct axes axes;
	double width = versions > 1 ? (double)versions - 1 : 1;

	axes_init(&axes, 0, width);
	for (size_t i = 0; i < versions; i++) {
		double median = report_median(series, i);

		if (isfinite(median))
			axes_include(&axes, median);
	}
	axes_settle(&axes);
	text_format(out,
		    "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">"
		    "<polyline class=\"line\" points=\"",
		    SPARK_WIDTH, SPARK_HEIGHT);
	for (size_t i = 0; i < versions; i++) {
		double median = report_median(series, i);

		if (isfinite(median))
			text_format(out, "%.1f,%.1f ", (double)i / width * SPARK_WIDTH,
				    SPARK_HEIGHT *
					    (1 - (median - axes.y_low) /
							 (axes.y_high - axes.y_low)));
	}
	text_add(out, "\"/></svg>");
}
