/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/axes_private.h"

#include "base/cleanup.h"
#include "report/format.h"
#include "report/markup_private.h"

#include <math.h>
#include <string.h>

enum { TICKS = 4 };

void axes_init(struct axes *axes, double x_low, double x_high)
{
	*axes = (struct axes){
		.x_low = x_low,
		.x_high = x_high > x_low ? x_high : x_low + 1,
		.y_low = INFINITY,
		.y_high = -INFINITY,
		.height = PLOT_HEIGHT,
	};
}

void axes_include(struct axes *axes, double y)
{
	axes->y_low = fmin(axes->y_low, y);
	axes->y_high = fmax(axes->y_high, y);
}

/* A flat line gets 1 % on each side, so that noise of the last digit stays flat. */
void axes_settle(struct axes *axes)
{
	double middle = (axes->y_low + axes->y_high) / 2;
	double least = fabs(middle) * 0.01;
	double room = (axes->y_high - axes->y_low) * 0.08;

	if (!(axes->y_low <= axes->y_high)) {
		axes->y_low = 0;
		axes->y_high = 1;
		return;
	}
	if (room < least)
		room = least;
	if (!(room > 0))
		room = 1;
	/* What is never negative does not start below zero. */
	axes->y_low = axes->y_low >= 0 ? fmax(0, axes->y_low - room) : axes->y_low - room;
	axes->y_high += room;
}

double axes_x(const struct axes *axes, double x)
{
	return PLOT_LEFT + (x - axes->x_low) / (axes->x_high - axes->x_low) *
				   (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT);
}

double axes_y(const struct axes *axes, double y)
{
	return axes->height - PLOT_BOTTOM -
	       (y - axes->y_low) / (axes->y_high - axes->y_low) *
		       (axes->height - PLOT_TOP - PLOT_BOTTOM);
}

void axes_open(const struct axes *axes, const char *description, struct text *out)
{
	markup(out,
	       "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" "
	       "aria-label=\"%s\">\n<title>%s</title>\n",
	       PLOT_WIDTH, axes->height, description, description);
}

/* The step of 1, 2 or 5 times a power of ten that gives about TICKS lines. */
static double choose_step(double range)
{
	double raw = range / TICKS;
	double power = pow(10, floor(log10(raw)));
	double ratio = raw / power;

	return power * (ratio > 5 ? 10 : ratio > 2 ? 5 : ratio > 1 ? 2 : 1);
}

/* "0.5000 s" as "0.5 s": a tick is a round number. */
static void trim_zeros(struct text *label)
{
	char *point = strchr(label->data, '.'), *end, *last;

	if (!point)
		return;
	end = point + 1 + strspn(point + 1, "0123456789");
	for (last = end; last > point && strchr("0.", last[-1]); last--)
		;
	memmove(last, end, strlen(end) + 1);
	label->size = strlen(label->data);
}

void axes_grid(const struct axes *axes, const char *unit, struct text *out)
{
	double step = choose_step(axes->y_high - axes->y_low);
	double first = ceil(axes->y_low / step);

	for (int i = 0; i < 3 * TICKS && (first + i) * step <= axes->y_high; i++) {
		CLEANUP(text_finish) struct text label = {0};
		double value = (first + i) * step;
		double y = axes_y(axes, value);

		format_value(&label, value, unit);
		trim_zeros(&label);
		text_format(out,
			    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" "
			    "y2=\"%.1f\"/>",
			    PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT, y, y);
		text_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			    PLOT_LEFT - 6, y + 4);
		markup_text(out, text_string(&label));
		text_add(out, "</text>\n");
	}
}

void axes_label(const struct axes *axes, double x, const char *anchor, const char *label,
		struct text *out)
{
	text_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", axes_x(axes, x),
		    axes->height - 12, anchor);
	markup_text(out, label);
	text_add(out, "</text>\n");
}

void axes_close(struct text *out)
{
	text_add(out, "</svg>\n");
}
