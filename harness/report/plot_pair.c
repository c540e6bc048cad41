/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "report/axes_private.h"
#include "report/format.h"
#include "report/markup_private.h"

#include <math.h>
#include <stdio.h>

enum { MOST_POINTS = 400 };

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
		text_format(out, "%d,%d ", axes_x(axes, (double)top),
			    axes_y(axes, values[top]));
	}
	text_add(out, "\"/>\n");
}

/* kind: "lines" or "dots" */
static void add_legend(const struct pair_plot *plot, const char *kind, struct text *out)
{
	markup(out,
	       "<p class=\"legend %s\"><span class=\"key\">%s</span> "
	       "<span class=\"key bad\">%s</span></p>\n",
	       kind, plot->good, plot->bad);
}

static void add_ticks(const struct pair_plot *plot, size_t longest, struct axes *axes,
		      struct text *out)
{
	char last[24];

	for (size_t i = 0; i < plot->tick_count; i++)
		axes_tick(axes, plot->ticks[i].at, plot->ticks[i].label, out);
	if (plot->ticks)
		return;
	snprintf(last, sizeof(last), "%zu", longest);
	axes_label(axes, 0, "1");
	axes_label(axes, (double)longest - 1, last);
}

void plot_pair(const struct pair_plot *plot, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(axes_finish) struct axes axes;
	size_t longest =
		plot->good_count > plot->bad_count ? plot->good_count : plot->bad_count;

	axes_init(&axes, 0, (double)longest - 1);
	if (!longest)
		return;
	include(&axes, plot->good_values, plot->good_count);
	include(&axes, plot->bad_values, plot->bad_count);
	axes_settle(&axes);
	describe(plot, &description);
	axes_open("pair", text_string(&description), out);
	axes_grid(&axes, plot->unit, out);
	add_ticks(plot, longest, &axes, out);
	draw_line(&axes, plot->good_values, plot->good_count, "side-good", out);
	draw_line(&axes, plot->bad_values, plot->bad_count, "side-bad", out);
	axes_close(&axes, out);
	add_legend(plot, "lines", out);
}

/* Neighbours stand a little apart, so that equal boots are seen as several. */
static void draw_row(const struct axes *axes, const double *values, size_t count,
		     double row, const char *class, struct text *out)
{
	for (size_t i = 0; i < count; i++)
		axes_dot(axes, values[i], row + 0.09 * (double)((i * 5) % 7) - 0.27,
			 class, "", out);
}

/* The axes lie on their side here: values go from left to right, a row for each side. */
void plot_boots(const struct pair_plot *plot, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(text_finish) struct text low = {0};
	CLEANUP(text_finish) struct text high = {0};
	CLEANUP(axes_finish) struct axes values;
	CLEANUP(axes_finish) struct axes axes;

	axes_init(&values, 0, 1);
	include(&values, plot->good_values, plot->good_count);
	include(&values, plot->bad_values, plot->bad_count);
	axes_settle(&values);
	axes_init(&axes, values.y_low, values.y_high);
	axes.y_low = 0;
	axes.y_high = 2;
	describe(plot, &description);
	axes_open("boots", text_string(&description), out);
	draw_row(&axes, plot->good_values, plot->good_count, 1.5, "point-good", out);
	draw_row(&axes, plot->bad_values, plot->bad_count, 0.5, "point-bad", out);
	format_value(&low, values.y_low, plot->unit);
	format_value(&high, values.y_high, plot->unit);
	axes_label(&axes, values.y_low, text_string(&low));
	axes_label(&axes, values.y_high, text_string(&high));
	axes_close(&axes, out);
	add_legend(plot, "dots", out);
}
