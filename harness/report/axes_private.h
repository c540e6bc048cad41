/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a plot: scales, ticks, and the way from values to places.
 *
 * The drawing is an SVG that stretches to whatever width the page has; strokes do not
 * stretch with it, and all words are HTML above it, so that letters and points keep
 * their size and shape on a phone as on paper. Places are whole numbers, PLOT_SCALE
 * across and down.
 */
#ifndef REPORT_AXES_PRIVATE_H
#define REPORT_AXES_PRIVATE_H

#include "base/text.h"

enum { PLOT_SCALE = 1000 };

struct axes {
	double x_low, x_high, y_low, y_high; /* values at the edges */
	struct text words;                   /* HTML that axes_close() puts on top */
};

/* Starts empty; axes_include() widens it, axes_settle() leaves some room. */
void axes_init(struct axes *axes, double x_low, double x_high);
void axes_finish(struct axes *axes);
void axes_include(struct axes *axes, double y);
void axes_settle(struct axes *axes);

int axes_x(const struct axes *axes, double x);
int axes_y(const struct axes *axes, double y);

/*
 * Opens the drawing; kind is its class ("history", "pair" ...), description the text
 * alternative. Close with axes_close().
 */
void axes_open(const char *kind, const char *description, struct text *out);
/* Horizontal lines with their values. */
void axes_grid(struct axes *axes, const char *unit, struct text *out);
/* A vertical line with its label below. */
void axes_tick(struct axes *axes, double x, const char *label, struct text *out);
/* A label below the axis, kept within it. */
void axes_label(struct axes *axes, double x, const char *label);
/* Words at a place; class gives their look. */
void axes_word(struct axes *axes, double x, double y, const char *class,
	       const char *word);
void axes_close(struct axes *axes, struct text *out);

/* A round point; tip is what pointing at it shows, "" for nothing. */
void axes_dot(const struct axes *axes, double x, double y, const char *class,
	      const char *tip, struct text *out);

#endif
