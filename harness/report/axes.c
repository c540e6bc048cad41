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
	};
}

void axes_finish(struct axes *axes)
{
	text_finish(&axes->words);
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
	double room = (axes->y_high - axes->y_low) * 0.12;

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

static double part_of(double low, double high, double value)
{
	return fmin(fmax((value - low) / (high - low), 0), 1);
}

int axes_x(const struct axes *axes, double x)
{
	return (int)lround(PLOT_SCALE * part_of(axes->x_low, axes->x_high, x));
}

int axes_y(const struct axes *axes, double y)
{
	return PLOT_SCALE -
	       (int)lround(PLOT_SCALE * part_of(axes->y_low, axes->y_high, y));
}

void axes_open(const char *kind, const char *description, struct text *out)
{
	markup(out,
	       "<div class=\"plot %s\"><svg viewBox=\"0 0 %d %d\" "
	       "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s\">\n",
	       kind, PLOT_SCALE, PLOT_SCALE, description);
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

/* Of thousandths, from the other edge. */
static void add_percent(struct text *out, const char *edge, int place)
{
	text_format(out, "%s:%d.%d%%", edge, place / 10, place % 10);
}

void axes_grid(struct axes *axes, const char *unit, struct text *out)
{
	double step = choose_step(axes->y_high - axes->y_low);
	double first = ceil(axes->y_low / step);

	text_add(out, "<path class=\"grid\" d=\"");
	for (int i = 0; i < 3 * TICKS && (first + i) * step <= axes->y_high; i++) {
		CLEANUP(text_finish) struct text label = {0};
		double value = (first + i) * step;
		int y = axes_y(axes, value);

		format_value(&label, value, unit);
		trim_zeros(&label);
		text_format(out, "M0 %dH%d", y, PLOT_SCALE);
		text_add(&axes->words, "<span class=\"y\" style=\"");
		add_percent(&axes->words, "top", y);
		markup(&axes->words, "\">%s</span>", text_string(&label));
	}
	text_add(out, "\"/>\n");
}

void axes_label(struct axes *axes, double x, const char *label)
{
	int place = axes_x(axes, x);
	int at_end = place > PLOT_SCALE * 8 / 10, at_start = place < PLOT_SCALE * 2 / 10;

	markup(&axes->words, "<span class=\"x%s\" style=\"",
	       at_end     ? " end"
	       : at_start ? ""
			  : " middle");
	add_percent(&axes->words, at_end ? "right" : "left",
		    at_end ? PLOT_SCALE - place : place);
	markup(&axes->words, "\">%s</span>", label);
}

void axes_tick(struct axes *axes, double x, const char *label, struct text *out)
{
	text_format(out, "<path class=\"grid\" d=\"M%d 0V%d\"/>\n", axes_x(axes, x),
		    PLOT_SCALE);
	axes_label(axes, x, label);
}

void axes_word(struct axes *axes, double x, double y, const char *class, const char *word)
{
	int place = axes_x(axes, x);
	int at_end = place > PLOT_SCALE * 8 / 10, at_start = place < PLOT_SCALE / 8;

	markup(&axes->words, "<span class=\"%s%s\" style=\"", class,
	       at_end     ? " end"
	       : at_start ? " start"
			  : "");
	add_percent(&axes->words, at_end ? "right" : "left",
		    at_end ? PLOT_SCALE - place : place);
	text_add_char(&axes->words, ';');
	add_percent(&axes->words, "top", axes_y(axes, y));
	markup(&axes->words, "\">%s</span>", word);
}

void axes_dot(const struct axes *axes, double x, double y, const char *class,
	      const char *tip, struct text *out)
{
	markup(out, "<path class=\"%s\" d=\"M%d %dh0\"", class, axes_x(axes, x),
	       axes_y(axes, y));
	if (*tip)
		markup(out, "><title>%s</title></path>", tip);
	else
		text_add(out, "/>");
}

void axes_close(struct axes *axes, struct text *out)
{
	text_add(out, "</svg>\n<div aria-hidden=\"true\">");
	text_add(out, text_string(&axes->words));
	text_add(out, "</div></div>\n");
	text_clear(&axes->words);
}
