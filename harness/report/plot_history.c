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

/* Of more points none tells its value: the table of numbers does. */
enum { MOST_TIPS = 600, MANY_POINTS = 250 };

enum { LABEL_BYTES = 24, SPARK_WIDTH = 120, SPARK_HEIGHT = 20 };

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
	int left, right;

	if (plot->good_index < 0 || plot->bad_index < 0)
		return;
	left = axes_x(axes, fmin(plot->good_index, plot->bad_index));
	right = axes_x(axes, fmax(plot->good_index, plot->bad_index));
	text_format(out,
		    "<rect class=\"band\" x=\"%d\" y=\"0\" width=\"%d\" "
		    "height=\"%d\"/>\n",
		    left, right - left, PLOT_SCALE);
}

static void draw_line(const struct history_plot *plot, const struct axes *axes,
		      struct text *out)
{
	text_add(out, "<polyline class=\"line\" points=\"");
	for (size_t i = 0; i < plot->section->results.versions.count; i++) {
		double median = report_median(plot->series, i);

		if (isfinite(median))
			text_format(out, "%d,%d ", axes_x(axes, (double)i),
				    axes_y(axes, median));
	}
	text_add(out, "\"/>\n");
}

static void draw_points(const struct history_plot *plot, const struct axes *axes,
			struct text *out)
{
	const struct result_series *series = plot->series;

	for (size_t i = 0; i < series->count; i++) {
		CLEANUP(text_finish) struct text tip = {0};
		const struct result_value *item = &series->values[i];

		if (i && item->version == series->values[i - 1].version &&
		    item->value == series->values[i - 1].value)
			continue; /* exact boots lie on each other */
		if (series->count <= MOST_TIPS) {
			text_format(&tip,
				    "%s: ", version_name(plot->section, item->version));
			format_value(&tip, item->value, series->unit);
		}
		axes_dot(axes, item->version, item->value,
			 (int)item->version == plot->bad_index ? "dot worse" : "dot",
			 text_string(&tip), out);
	}
	text_add_char(out, '\n');
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
	text_format(out, "<path class=\"level\" d=\"M%d %dH%d\"/>\n",
		    axes_x(axes, (double)medians->versions[first]), axes_y(axes, level),
		    axes_x(axes, (double)medians->versions[end - 1]));
}

static void draw_outliers(const struct history_plot *plot, const struct axes *axes,
			  const struct medians *medians, const struct history *history,
			  struct text *out)
{
	for (size_t i = 0; i < history->outlier_count; i++) {
		size_t at = history->outliers[i];
		CLEANUP(cleanup_free)
		char *tip =
			memory_format("%s: outlier",
				      version_name(plot->section, medians->versions[at]));

		axes_dot(axes, (double)medians->versions[at], medians->values[at],
			 "outlier", tip, out);
		axes_dot(axes, (double)medians->versions[at], medians->values[at],
			 "outlier hole", tip, out);
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

/* Up or down as the metric went, in the colour of worse or better. */
static void draw_marks(const struct history_plot *plot, struct axes *axes)
{
	size_t versions = plot->section->results.versions.count;
	CLEANUP(cleanup_free)
	const struct verdict_record **marks = memory_new(versions, sizeof(*marks));

	report_mark_changes(plot->section, plot->series, marks);
	for (size_t i = 0; i < versions; i++) {
		double median = report_median(plot->series, i);
		CLEANUP(text_finish) struct text word = {0};

		if (!marks[i] || !isfinite(median))
			continue;
		text_add(&word, marks[i]->b.median > marks[i]->a.median ? "\xe2\x96\xb2"
									: "\xe2\x96\xbc");
		if ((int)i == plot->bad_index) {
			text_add(&word, " ");
			format_change(&word, marks[i]->change_percent);
		}
		axes_word(axes, (double)i, median,
			  !strcmp(marks[i]->verdict, "regression") ? "mark worse"
								   : "mark better",
			  text_string(&word));
	}
}

static void label(const struct history_plot *plot, struct axes *axes, size_t index)
{
	CLEANUP(cleanup_free)
	char *name = memory_copy_string(version_name(plot->section, index));

	if (strlen(name) > LABEL_BYTES)
		strcpy(name + LABEL_BYTES - 2, "..");
	axes_label(axes, (double)index, name);
}

/* First, last, and the bad version where it is not too near to them. */
static void draw_labels(const struct history_plot *plot, struct axes *axes)
{
	double part = (plot->bad_index - axes->x_low) / (axes->x_high - axes->x_low);

	label(plot, axes, (size_t)axes->x_low);
	if (plot->series->values[0].version !=
	    plot->series->values[plot->series->count - 1].version)
		label(plot, axes, (size_t)axes->x_high);
	if (part > 0.3 && part < 0.7)
		label(plot, axes, (size_t)plot->bad_index);
}

void plot_history(const struct history_plot *plot, struct text *out)
{
	const struct result_series *series = plot->series;
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(axes_finish) struct axes axes;

	axes_init(&axes, series->values[0].version,
		  series->values[series->count - 1].version);
	for (size_t i = 0; i < series->count; i++)
		axes_include(&axes, series->values[i].value);
	axes_settle(&axes);
	describe(plot, &description);
	axes_open(series->count > MANY_POINTS ? "history many" : "history",
		  text_string(&description), out);
	axes_grid(&axes, series->unit, out);
	draw_band(plot, &axes, out);
	draw_levels(plot, &axes, out);
	draw_line(plot, &axes, out);
	draw_points(plot, &axes, out);
	draw_marks(plot, &axes);
	draw_labels(plot, &axes);
	axes_close(&axes, out);
}

static void add_number(double value, const char *unit, struct text *out)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_value(&cell, value, unit);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
}

static void add_version_row(const struct history_plot *plot, size_t version,
			    struct text *out)
{
	const char *unit = plot->series->unit;
	double low = INFINITY, high = -INFINITY;
	size_t count;
	const struct result_value *values =
		results_of_version(plot->series, version, &count);

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, values[i].value);
		high = fmax(high, values[i].value);
	}
	if (!count)
		return;
	markup(out, "<tr><th scope=\"row\">%s</th><td class=\"num\">%zu</td>",
	       version_name(plot->section, version), count);
	add_number(report_median(plot->series, version), unit, out);
	add_number(low, unit, out);
	add_number(high, unit, out);
	text_add(out, "</tr>\n");
}

void plot_history_numbers(const struct history_plot *plot, struct text *out)
{
	text_add(out, "<details><summary>Numbers of this plot</summary>"
		      "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>"
		      "<th scope=\"col\">version</th>"
		      "<th scope=\"col\" class=\"num\">boots</th>"
		      "<th scope=\"col\" class=\"num\">median</th>"
		      "<th scope=\"col\" class=\"num\">least</th>"
		      "<th scope=\"col\" class=\"num\">most</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < plot->section->results.versions.count; i++)
		add_version_row(plot, i, out);
	text_add(out, "</tbody></table></div></details>\n");
}

/* Of very many versions every n-th: a line of this size shows no more. */
void plot_spark(const struct report_section *section, const struct result_series *series,
		struct text *out)
{
	size_t versions = section->results.versions.count;
	size_t step = versions / SPARK_WIDTH + 1;
	CLEANUP(axes_finish) struct axes axes;

	axes_init(&axes, 0, (double)versions - 1);
	for (size_t i = 0; i < series->count; i++)
		axes_include(&axes, series->values[i].value);
	axes_settle(&axes);
	text_format(out,
		    "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">"
		    "<polyline class=\"line\" points=\"",
		    SPARK_WIDTH, SPARK_HEIGHT);
	for (size_t i = 0; i < versions; i += step) {
		double median = report_median(series, i);

		if (isfinite(median))
			text_format(out, "%d,%d ",
				    axes_x(&axes, (double)i) * SPARK_WIDTH / PLOT_SCALE,
				    axes_y(&axes, median) * SPARK_HEIGHT / PLOT_SCALE);
	}
	text_add(out, "\"/></svg>");
}
