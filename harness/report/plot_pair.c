/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "report/axes_private.h"
#include "report/format.h"
#include "report/markup_private.h"

#include <math.h>

enum { BOOTS_HEIGHT = 110, MOST_POINTS = 400 };

static void summarise(const char *name, const double *values, size_t count,
		      const char *unit, struct text *out)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	text_format(out, "%s: %zu points", name, count);
	if (!count)
		return;
	text_add(out, ", first ");
	format_value(out, values[0], unit);
	text_add(out, ", last ");
	format_value(out, values[count - 1], unit);
	text_add(out, ", from ");
	format_value(out, low, unit);
	text_add(out, " to ");
	format_value(out, high, unit);
}

static void describe(const struct pair_plot *plot, struct text *out)
{
	text_format(out, "%s. ", plot->what);
	summarise(plot->good, plot->good_values, plot->good_count, plot->unit, out);
	text_add(out, ". ");
	summarise(plot->bad, plot->bad_values, plot->bad_count, plot->unit, out);
}

static void include(struct axes *axes, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		axes_include(axes, values[i]);
}

/* Of very many points every n-th one and the largest between are drawn. */
static void draw_line(const struct axes *axes, const double *values, size_t count,
		      const char *class, struct text *out)
{
	size_t step = count / MOST_POINTS + 1;

	text_format(out, "<polyline class=\"%s\" points=\"", class);
	for (size_t i = 0; i < count; i += step) {
		size_t top = i;

		for (size_t j = i; j < i + step && j < count; j++)
			top = values[j] > values[top] ? j : top;
		text_format(out, "%.1f,%.1f ", axes_x(axes, (double)top),
			    axes_y(axes, values[top]));
	}
	text_add(out, "\"/>\n");
}

static void add_legend(const struct pair_plot *plot, struct text *out)
{
	markup(out,
	       "<p class=\"legend\"><span class=\"key good\"></span> %s "
	       "<span class=\"key bad\"></span> %s</p>\n",
	       plot->good, plot->bad);
}

void plot_pair(const struct pair_plot *plot, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(text_finish) struct text last = {0};
	size_t longest =
		plot->good_count > plot->bad_count ? plot->good_count : plot->bad_count;
	struct axes axes;

	if (!longest)
		return;
	axes_init(&axes, 0, (double)longest - 1);
	include(&axes, plot->good_values, plot->good_count);
	include(&axes, plot->bad_values, plot->bad_count);
	axes_settle(&axes);
	describe(plot, &description);
	axes_open(&axes, text_string(&description), out);
	axes_grid(&axes, plot->unit, out);
	draw_line(&axes, plot->good_values, plot->good_count, "side-good", out);
	draw_line(&axes, plot->bad_values, plot->bad_count, "side-bad", out);
	text_format(&last, "%zu", longest);
	axes_label(&axes, 0, "start", plot->first_label ? plot->first_label : "1", out);
	axes_label(&axes, (double)longest - 1, "end",
		   plot->last_label ? plot->last_label : text_string(&last), out);
	axes_close(out);
	add_legend(plot, out);
}

/* The axes lie on their side here: values go from left to right, a row for each side. */
static void draw_row(const struct axes *axes, const double *values, size_t count, int y,
		     const char *class, struct text *out)
{
	for (size_t i = 0; i < count; i++)
		text_format(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>\n",
			    class, axes_x(axes, values[i]), y);
}

void plot_boots(const struct pair_plot *plot, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(text_finish) struct text low = {0};
	CLEANUP(text_finish) struct text high = {0};
	struct axes values, axes;

	axes_init(&values, 0, 1);
	include(&values, plot->good_values, plot->good_count);
	include(&values, plot->bad_values, plot->bad_count);
	axes_settle(&values);
	axes_init(&axes, values.y_low, values.y_high);
	axes.height = BOOTS_HEIGHT;
	describe(plot, &description);
	axes_open(&axes, text_string(&description), out);
	draw_row(&axes, plot->good_values, plot->good_count, 30, "point-good", out);
	draw_row(&axes, plot->bad_values, plot->bad_count, 60, "point-bad", out);
	format_value(&low, values.y_low, plot->unit);
	format_value(&high, values.y_high, plot->unit);
	axes_label(&axes, values.y_low, "start", text_string(&low), out);
	axes_label(&axes, values.y_high, "end", text_string(&high), out);
	axes_close(out);
	add_legend(plot, out);
}

static void describe_posterior(const struct search_record *search, struct text *out)
{
	size_t best = 0;

	for (size_t i = 0; i < search->suspect_count; i++)
		if (search->suspects[i].probability > search->suspects[best].probability)
			best = i;
	text_format(out, "Probability over %zu commits: %.3g for %.12s, number %zu",
		    search->suspect_count, search->suspects[best].probability,
		    search->suspects[best].commit, best + 1);
}

void plot_posterior(const struct search_record *search, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	size_t count = search->suspect_count;
	struct axes axes;
	double width;

	if (!count)
		return;
	axes_init(&axes, -0.5, (double)count - 0.5);
	axes.y_low = 0;
	axes.y_high = 1;
	width = axes_x(&axes, 1) - axes_x(&axes, 0);
	describe_posterior(search, &description);
	axes_open(&axes, text_string(&description), out);
	axes_grid(&axes, "", out);
	for (size_t i = 0; i < count; i++) {
		const struct suspect_record *suspect = &search->suspects[i];
		double top = axes_y(&axes, suspect->probability);

		if (!(suspect->probability > 0.0005))
			continue;
		text_format(out,
			    "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			    "height=\"%.1f\">",
			    axes_x(&axes, (double)i - 0.45), top, fmax(width * 0.9, 1),
			    axes_y(&axes, 0) - top);
		markup(out, "<title>%s</title></rect>\n", suspect->commit);
	}
	axes_label(&axes, -0.5, "start", "oldest", out);
	axes_label(&axes, (double)count - 0.5, "end", "newest", out);
	axes_close(out);
}
