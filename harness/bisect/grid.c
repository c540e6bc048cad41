/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/grid.h"

#include "base/memory.h"
#include "bisect/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WIDTH_RATIO = 1.35;
/* Levels are integrated in steps of a quarter of the width; three widths beyond ends. */
static const double STEPS = 4, MARGIN = 3;
/* Before anything is known, two levels are up to six widths apart in either way. */
static const double PRIOR_REACH = 12;
/* In place of zero, so that logs stay finite. */
static const double LEAST = 1e-300;

static void finish_product(struct grid_product *product)
{
	free(product->with.items);
	free(product->without.items);
	free(product->changed);
}

void grid_finish(struct grid *grid)
{
	for (size_t t = 0; t < grid->tests; t++)
		free(grid->rows[t].items);
	for (size_t i = 0; i < grid->product_count; i++)
		finish_product(&grid->products[i]);
	free(grid->rows);
	free(grid->products);
	free(grid->newest.items);
	*grid = (struct grid){0};
}

static size_t all_cells(const struct grid *grid)
{
	return NOISE_KINDS * grid->cells;
}

/* Nothing is known: all alike. */
static void clear(const struct grid *grid, struct grid_cells *cells)
{
	size_t count = all_cells(grid);

	cells->items = memory_resize(cells->items, count + 1, sizeof(*cells->items));
	for (size_t i = 0; i < count; i++)
		cells->items[i] = 1;
	memset(cells->scale, 0, sizeof(cells->scale));
}

static void multiply(const struct grid *grid, struct grid_cells *cells,
		     const struct grid_cells *by)
{
	size_t count = all_cells(grid), layers = grid_layers(grid);
	double *items = cells->items;
	const double *factors = by->items;

	for (size_t i = 0; i < count; i++)
		items[i] *= factors[i];
	for (size_t i = 0; i < layers; i++)
		cells->scale[i] += by->scale[i];
}

/* The largest cell of each layer becomes 1. */
static void scale_layers(const struct grid *grid, struct grid_cells *cells)
{
	for (size_t layer = 0; layer < grid_layers(grid); layer++) {
		double *items = cells->items + grid_start_of(grid, layer);
		size_t count = grid_width_of(grid, layer)->count;
		double largest = LEAST;

		for (size_t i = 0; i < count; i++)
			largest = items[i] > largest ? items[i] : largest;
		for (size_t i = 0; i < count; i++)
			items[i] /= largest;
		cells->scale[layer] += log(largest);
	}
}

static void find_densities(const struct grid *grid, double value,
			   struct grid_cells *ret_cells)
{
	clear(grid, ret_cells);
	for (size_t w = 0; w < grid->width_count; w++) {
		const struct grid_width *width = &grid->widths[w];
		double z = (value - width->lowest) / width->sigma;
		double step = width->step / width->sigma;

		for (size_t i = 0; i < width->count; i++) {
			double densities[NOISE_KINDS];

			noise_densities(z - (double)i * step, densities);
			for (size_t k = 0; k < NOISE_KINDS; k++)
				ret_cells->items[k * grid->cells + width->start + i] =
					densities[k];
		}
		for (size_t k = 0; k < NOISE_KINDS; k++)
			ret_cells->scale[k * grid->width_count + w] = -log(width->sigma);
	}
	scale_layers(grid, ret_cells);
}

static void take_value(struct grid *grid, size_t test, double value)
{
	find_densities(grid, value, &grid->newest);
	grid->newest_test = test;
	multiply(grid, &grid->rows[test], &grid->newest);
	scale_layers(grid, &grid->rows[test]);
	grid->values++;
}

static void add_row(struct grid *grid)
{
	grid->rows = memory_grow(grid->rows, grid->tests, &grid->capacity,
				 sizeof(*grid->rows));
	grid->rows[grid->tests].items = NULL;
	clear(grid, &grid->rows[grid->tests++]);
}

void grid_add(struct grid *grid, size_t test, double value)
{
	if (test == grid->tests)
		add_row(grid);
	take_value(grid, test, value);
}

static void lay_widths(struct grid *grid, double low, double high, double noise)
{
	double span = high - low;
	double tiny = 1e-13 * fmax(fmax(fabs(low), fabs(high)), 1e-290);
	double finest = fmax(fmax(span / SPREAD_FINEST, noise / 5), tiny);
	double widest = fmax(fmax(span / 1.5, noise * 5), finest);

	grid->width_count = grid->cells = 0;
	for (double sigma = finest;
	     sigma < widest * WIDTH_RATIO && grid->width_count < GRID_WIDTHS;
	     sigma *= WIDTH_RATIO) {
		struct grid_width *width = &grid->widths[grid->width_count++];

		*width = (struct grid_width){
			.sigma = sigma,
			.lowest = low - MARGIN * sigma,
			.step = sigma / STEPS,
			.start = grid->cells,
			.count = (size_t)(STEPS * (span / sigma + 2 * MARGIN)) + 1,
			.log_prior = -log(STEPS * (span / sigma + PRIOR_REACH)),
		};
		grid->cells += width->count;
	}
}

void grid_lay(struct grid *grid, const struct values *values, double low, double high,
	      double noise)
{
	lay_widths(grid, low, high, noise);
	grid->laid++;
	grid->values = 0;
	for (size_t t = 0; t < values->tests; t++) {
		if (t == grid->tests)
			add_row(grid);
		else
			clear(grid, &grid->rows[t]);
		for (size_t i = 0; i < values->rows[t].count; i++)
			take_value(grid, t, values->rows[t].items[i]);
	}
}

/* What a product lacks is the newest value alone. */
static int lacks_newest(const struct grid *grid, const struct grid_product *product,
			const unsigned char *changed)
{
	return product->laid == grid->laid && product->values + 1 == grid->values &&
	       product->tests && !memcmp(product->changed, changed, product->tests);
}

static int is_ready(const struct grid *grid, const struct grid_product *product,
		    const unsigned char *changed)
{
	return product->laid == grid->laid && product->values == grid->values &&
	       product->tests == grid->tests &&
	       !memcmp(product->changed, changed, product->tests);
}

static void multiply_all(const struct grid *grid, struct grid_product *product,
			 const unsigned char *changed)
{
	clear(grid, &product->with);
	clear(grid, &product->without);
	for (size_t t = 0; t < grid->tests; t++)
		multiply(grid, changed[t] ? &product->with : &product->without,
			 &grid->rows[t]);
}

static void remember(const struct grid *grid, struct grid_product *product,
		     const unsigned char *changed)
{
	product->laid = grid->laid;
	product->values = grid->values;
	product->tests = grid->tests;
	product->changed = memory_resize(product->changed, grid->tests + 1, 1);
	memcpy(product->changed, changed, grid->tests);
}

static struct grid_product *find_product(struct grid *grid, size_t number)
{
	if (number >= grid->product_count) {
		grid->products = memory_resize(grid->products, number + 1,
					       sizeof(*grid->products));
		memset(grid->products + grid->product_count, 0,
		       (number + 1 - grid->product_count) * sizeof(*grid->products));
		grid->product_count = number + 1;
	}
	return &grid->products[number];
}

const struct grid_product *grid_multiply(struct grid *grid, size_t number,
					 const unsigned char *changed)
{
	struct grid_product *product = find_product(grid, number);

	if (is_ready(grid, product, changed))
		return product;
	if (lacks_newest(grid, product, changed))
		multiply(grid,
			 changed[grid->newest_test] ? &product->with : &product->without,
			 &grid->newest);
	else
		multiply_all(grid, product, changed);
	remember(grid, product, changed);
	return product;
}
