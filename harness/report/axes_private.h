/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a plot: scales, ticks, and the way from values to places. */
#ifndef REPORT_AXES_PRIVATE_H
#define REPORT_AXES_PRIVATE_H

#include "base/text.h"

enum {
	PLOT_WIDTH = 720,
	PLOT_HEIGHT = 240,
	PLOT_LEFT = 100,
	PLOT_RIGHT = 16,
	PLOT_TOP = 14,
	PLOT_BOTTOM = 34,
};

struct axes {
	double x_low, x_high, y_low, y_high; /* values at the edges */
	int height;
};

/* Starts empty; axes_include() widens it, axes_settle() leaves some room. */
void axes_init(struct axes *axes, double x_low, double x_high);
void axes_include(struct axes *axes, double y);
void axes_settle(struct axes *axes);

double axes_x(const struct axes *axes, double x);
double axes_y(const struct axes *axes, double y);

/* Opens the SVG; description is the text alternative. Close with axes_close(). */
void axes_open(const struct axes *axes, const char *description, struct text *out);
/* Horizontal lines with their values. */
void axes_grid(const struct axes *axes, const char *unit, struct text *out);
/* A label below the axis; anchor is "start", "middle" or "end". */
void axes_label(const struct axes *axes, double x, const char *anchor, const char *label,
		struct text *out);
void axes_close(struct text *out);

#endif
