/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/model.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/grid.h"
#include "bisect/information.h"
#include "bisect/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In place of zero, so that logs stay finite. */
static const double LEAST = 1e-300;

/* The most plausible parameters for one set of changed commits. */
struct estimate {
	double good, bad, sigma;
	double kinds[NOISE_KINDS];
	size_t good_values, bad_values;
};

struct model {
	struct values values;
	struct spread_ends ends;
	struct grid grid;
	unsigned char *none; /* of all tested commits none is changed */
	size_t next_grid;    /* count of values at which the grid is laid anew */
	struct estimate settled;
};

static struct model *create(double min_effect)
{
	(void)min_effect;
	return memory_new(1, sizeof(struct model));
}

static void destroy(struct model *model)
{
	if (!model)
		return;
	grid_finish(&model->grid);
	free(model->none);
	values_finish(&model->values);
	free(model);
}

/* Beyond a level between the ends nothing is told apart. */
static double clamp(const struct model *model, double value)
{
	if (!model->ends.strange)
		return value;
	return model->ends.bad > model->ends.good ? fmin(value, model->ends.bad)
						  : fmax(value, model->ends.bad);
}

/* The values as the grid takes them; the caller ends it. */
static void copy_clamped(const struct model *model, struct values *ret_values)
{
	*ret_values = (struct values){0};
	for (size_t t = 0; t < model->values.tests; t++)
		for (size_t i = 0; i < model->values.rows[t].count; i++)
			values_add(ret_values, t,
				   clamp(model, model->values.rows[t].items[i]));
}

static void lay_grid(struct model *model)
{
	CLEANUP(values_finish) struct values clamped;

	model->ends = spread_find_ends(&model->values);
	copy_clamped(model, &clamped);
	grid_lay(&model->grid, &clamped, fmin(model->ends.good, model->ends.bad),
		 fmax(model->ends.good, model->ends.bad), spread_noise(&model->values));
	model->next_grid = model->values.count + model->values.count / 3 + 1;
}

static void observe(struct model *model, size_t test, double value)
{
	if (values_add(&model->values, test, value)) {
		model->none = memory_resize(model->none, test + 1, 1);
		model->none[test] = 0;
	}
	if (test < 2 || model->values.count >= model->next_grid)
		lay_grid(model);
	else
		grid_add(&model->grid, test, clamp(model, value));
}

static double log_sum(const double *logs, size_t count)
{
	double largest = logs[0], sum = 0;

	for (size_t i = 1; i < count; i++)
		largest = logs[i] > largest ? logs[i] : largest;
	for (size_t i = 0; i < count; i++)
		if (logs[i] > largest - 30)
			sum += exp(logs[i] - largest);
	return largest + log(sum);
}

static double log_total(const double *cells, size_t count)
{
	double sum = LEAST;

	for (size_t i = 0; i < count; i++)
		sum += cells[i];
	return log(sum);
}

/* Log evidence of each layer; levels: 1 or 2 that are integrated out. */
static double find_evidence(const struct grid *grid, const struct grid_product *product,
			    int levels, double evidence[GRID_LAYERS])
{
	for (size_t i = 0; i < grid_layers(grid); i++) {
		const struct grid_width *width = grid_width_of(grid, i);
		size_t at = grid_start_of(grid, i);

		evidence[i] = log(noise_kinds[i / grid->width_count].prior) +
			      product->with.scale[i] + product->without.scale[i] +
			      levels * width->log_prior +
			      log_total(product->without.items + at, width->count);
		if (levels > 1)
			evidence[i] += log_total(product->with.items + at, width->count);
	}
	return log_sum(evidence, grid_layers(grid)) - log((double)grid->width_count);
}

static double log_likelihood(struct model *model, size_t number,
			     const unsigned char *changed)
{
	double evidence[GRID_LAYERS];

	return find_evidence(&model->grid,
			     grid_multiply(&model->grid, number + 1, changed), 2,
			     evidence);
}

/* No two values differ, and there are enough of them to be sure. */
static int all_equal(const struct values *values)
{
	double first = values->rows[0].items[0];

	for (size_t t = 0; t < values->tests; t++)
		for (size_t i = 0; i < values->rows[t].count; i++)
			if (values->rows[t].items[i] != first)
				return 0;
	return values->tests > 1 && values->rows[0].count > 2 &&
	       values->rows[1].count > 2;
}

static double log_same(struct model *model)
{
	double evidence[GRID_LAYERS];

	return find_evidence(&model->grid, grid_multiply(&model->grid, 0, model->none), 1,
			     evidence) +
	       (all_equal(&model->values) ? 50 : 0);
}

/* Mean level over the grid of one width. */
static double mean_level(const struct grid_width *width, const double *cells)
{
	double sum = LEAST, mean = 0;

	for (size_t i = 0; i < width->count; i++) {
		sum += cells[i];
		mean += cells[i] * (width->lowest + (double)i * width->step);
	}
	return mean / sum;
}

static struct estimate estimate(struct model *model, size_t number,
				const unsigned char *changed)
{
	struct grid *grid = &model->grid;
	const struct grid_product *product = grid_multiply(grid, number + 1, changed);
	double evidence[GRID_LAYERS], total, sum = 0;
	struct estimate result = {0};

	total = find_evidence(grid, product, 2, evidence) +
		log((double)grid->width_count);
	for (size_t i = 0; i < grid_layers(grid); i++) {
		const struct grid_width *width = grid_width_of(grid, i);
		size_t at = grid_start_of(grid, i);
		double share = exp(evidence[i] - total);

		if (share < 1e-6)
			continue;
		sum += share * log(width->sigma);
		result.kinds[i / grid->width_count] += share;
		result.good += share * mean_level(width, product->without.items + at);
		result.bad += share * mean_level(width, product->with.items + at);
	}
	result.sigma = exp(sum);
	for (size_t t = 0; t < model->values.tests; t++)
		*(changed[t] ? &result.bad_values : &result.good_values) +=
			model->values.rows[t].count;
	return result;
}

static void settle(struct model *model, size_t number, const unsigned char *changed)
{
	model->settled = estimate(model, number, changed);
}

static void view(struct model *model, size_t number, const unsigned char *changed,
		 struct model_view *ret_view)
{
	struct estimate found = estimate(model, number, changed);

	*ret_view = (struct model_view){
		.good = found.good,
		.bad = found.bad,
		.good_width = found.sigma * sqrt(1 + 1 / (double)(found.good_values + 1)),
		.bad_width = found.sigma * sqrt(1 + 1 / (double)(found.bad_values + 1)),
	};
}

static double information(const struct model *model, double p, unsigned values)
{
	const struct estimate *settled = &model->settled;
	double unsure = 0.25 / (double)(settled->good_values + 1) +
			0.25 / (double)(settled->bad_values + 1);

	return information_normal(p, fabs(settled->bad - settled->good) / settled->sigma /
					     sqrt(1 / (double)values + unsure));
}

/* Log density at z widths with the settled kinds of noise. */
static double log_density(const struct model *model, double z)
{
	double densities[NOISE_KINDS], sum = LEAST;

	noise_densities(z, densities);
	for (size_t k = 0; k < NOISE_KINDS; k++)
		sum += model->settled.kinds[k] * densities[k];
	return log(sum);
}

static double log_odds(const struct model *model, size_t test)
{
	const struct value_row *row = &model->values.rows[test];
	double odds = 0;

	for (size_t i = 0; i < row->count; i++) {
		double value = clamp(model, row->items[i]);

		odds += log_density(model,
				    (value - model->settled.bad) / model->settled.sigma) -
			log_density(model,
				    (value - model->settled.good) / model->settled.sigma);
	}
	return odds;
}

static void levels(const struct model *model, double *ret_good, double *ret_bad)
{
	*ret_good = model->settled.good;
	*ret_bad = model->settled.bad;
}

static size_t strange(const struct model *model)
{
	return model->ends.strange;
}

static double difference(const struct model *model, size_t a, size_t b)
{
	double good = fabs(values_median(&model->values.rows[0]));
	double apart = fabs(values_median(&model->values.rows[a]) -
			    values_median(&model->values.rows[b]));

	return good > 0 ? apart / good : apart > 0 ? INFINITY : 0;
}

static size_t contradiction(const struct model *model)
{
	(void)model;
	return SIZE_MAX;
}

const struct model_ops model_robust = {
	.name = "robust",
	.create = create,
	.destroy = destroy,
	.observe = observe,
	.log_likelihood = log_likelihood,
	.log_same = log_same,
	.settle = settle,
	.view = view,
	.tell_apart = information_sources,
	.information = information,
	.log_odds = log_odds,
	.levels = levels,
	.strange = strange,
	.difference = difference,
	.contradiction = contradiction,
	.end_values = 2,
	.same_values = 6,
};
