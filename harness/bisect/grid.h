/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The likelihood of measured values over a grid of what is not known: the kind of noise,
 * its width, and the level (for model_robust.c).
 *
 * A cell is one level of one width under one kind of noise; the cells of one kind and
 * width are a layer. Values are kept by tested commit, and multiplied for both sides of a
 * change. Numbers are scaled so that each layer's largest is 1; the logs of what was
 * taken out add up in scale.
 */
#ifndef BISECT_GRID_H
#define BISECT_GRID_H

#include "bisect/noise.h"
#include "bisect/values.h"

#include <stddef.h>

enum { GRID_WIDTHS = 24, GRID_LAYERS = GRID_WIDTHS * NOISE_KINDS };

struct grid_width {
	double sigma, lowest, step; /* levels: lowest + i * step */
	double log_prior;           /* of one level */
	size_t start, count;        /* of its cells, within those of a kind */
};

/* Cells of all layers, with the scale of each. */
struct grid_cells {
	double *items;
	double scale[GRID_LAYERS];
};

/* The values of all commits with and of all without the change. */
struct grid_product {
	struct grid_cells with, without;
	unsigned char *changed; /* what it was made for */
	size_t tests, values;
	unsigned laid;
};

struct grid {
	struct grid_width widths[GRID_WIDTHS];
	size_t width_count;
	size_t cells;            /* of one kind */
	unsigned laid;           /* how often */
	struct grid_cells *rows; /* of tested commits */
	size_t tests, capacity;
	size_t values;            /* in all rows */
	struct grid_cells newest; /* the last value alone, of newest_test */
	size_t newest_test;
	struct grid_product *products;
	size_t product_count;
};

void grid_finish(struct grid *grid);

/*
 * Lays the grid anew over levels from low to high, for noise of about that width, and
 * takes in all the values.
 */
void grid_lay(struct grid *grid, const struct values *values, double low, double high,
	      double noise);

/* One more value of a commit that was tested before, or of the next one. */
void grid_add(struct grid *grid, size_t test, double value);

/*
 * The products if the commits t with changed[t] have the change. number: any small number
 * that stands for this set at the next call too, with more commits at its end; that makes
 * it fast.
 */
const struct grid_product *grid_multiply(struct grid *grid, size_t number,
					 const unsigned char *changed);

static inline size_t grid_layers(const struct grid *grid)
{
	return NOISE_KINDS * grid->width_count;
}

/* Layer number l: its kind is l / width_count. */
static inline const struct grid_width *grid_width_of(const struct grid *grid,
						     size_t layer)
{
	return &grid->widths[layer % grid->width_count];
}

static inline size_t grid_start_of(const struct grid *grid, size_t layer)
{
	return layer / grid->width_count * grid->cells +
	       grid_width_of(grid, layer)->start;
}

#endif
