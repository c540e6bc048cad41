/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/model.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/information.h"
#include "bisect/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTHS = 24 };

/* A value is an outlier with this probability, whatever its commit. */
static const double OUTLIERS = 0.05;
/* Outliers lie some 6 widths away (Laplace), a tenth of them anywhere (Cauchy). */
static const double OUTLIER_REACH = 6, WILD = 0.1, WILD_REACH = 10;
static const double WIDTH_RATIO = 1.35;
/* Levels are integrated in steps of a quarter of the width; three widths beyond ends. */
static const double STEPS = 4, MARGIN = 3;
/* Before anything is known, two levels are up to six widths apart in either way. */
static const double PRIOR_REACH = 12;

/* One width of the noise with its grid of levels. */
struct width {
	double sigma, lowest, step;
	double log_prior; /* of one level on the grid */
	size_t start, count;
};

struct model {
	struct values values;
	struct width widths[MOST_WIDTHS];
	size_t width_count, cells;
	struct spread_ends ends;
	size_t next_grid;    /* count of values at which the grid is laid anew */
	double **likelihood; /* row of test: log likelihood of its values by cell */
	size_t rows, row_capacity;
	double *with, *without; /* scratch, cells each */
	/* settled */
	double good, bad, sigma;
	size_t good_values, bad_values;
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
	for (size_t i = 0; i < model->rows; i++)
		free(model->likelihood[i]);
	free(model->likelihood);
	free(model->with);
	free(model->without);
	values_finish(&model->values);
	free(model);
}

/* Log density of a value z widths from its level, in units of the width. */
static double log_density(double z)
{
	double distance = fabs(z);
	double usual = exp(-0.5 * z * z) * 0.3989422804014327;
	double wild = 1 / (M_PI * WILD_REACH * (1 + z * z / (WILD_REACH * WILD_REACH)));
	double far = exp(-distance / OUTLIER_REACH) / (2 * OUTLIER_REACH);

	return log((1 - OUTLIERS) * usual + OUTLIERS * ((1 - WILD) * far + WILD * wild));
}

/* Beyond a level between the ends nothing is told apart. */
static double clamp(const struct model *model, double value)
{
	if (!model->ends.strange)
		return value;
	return model->ends.bad > model->ends.good ? fmin(value, model->ends.bad)
						  : fmax(value, model->ends.bad);
}

static void add_value(const struct model *model, double *row, double value)
{
	value = clamp(model, value);
	for (size_t w = 0; w < model->width_count; w++) {
		const struct width *width = &model->widths[w];
		double scale = 1 / width->sigma, log_sigma = log(width->sigma);
		double z = (value - width->lowest) * scale, step = width->step * scale;

		for (size_t i = 0; i < width->count; i++)
			row[width->start + i] +=
				log_density(z - (double)i * step) - log_sigma;
	}
}

static void lay_widths(struct model *model, double low, double high)
{
	double span = high - low, noise = spread_noise(&model->values);
	double tiny = 1e-13 * fmax(fmax(fabs(low), fabs(high)), 1e-290);
	double finest = fmax(fmax(span / SPREAD_FINEST, noise / 5), tiny);
	double widest = fmax(fmax(span / 1.5, noise * 5), finest);

	model->width_count = model->cells = 0;
	for (double sigma = finest;
	     sigma < widest * WIDTH_RATIO && model->width_count < MOST_WIDTHS;
	     sigma *= WIDTH_RATIO) {
		struct width *width = &model->widths[model->width_count++];

		*width = (struct width){
			.sigma = sigma,
			.lowest = low - MARGIN * sigma,
			.step = sigma / STEPS,
			.start = model->cells,
			.count = (size_t)(STEPS * (span / sigma + 2 * MARGIN)) + 1,
			.log_prior = -log(STEPS * (span / sigma + PRIOR_REACH)),
		};
		model->cells += width->count;
	}
}

/* Lays the grid over the ends' values and works out every row anew. */
static void lay_grid(struct model *model)
{
	const struct values *values = &model->values;

	model->ends = spread_find_ends(values);
	lay_widths(model, fmin(model->ends.good, model->ends.bad),
		   fmax(model->ends.good, model->ends.bad));
	model->with = memory_resize(model->with, model->cells, sizeof(double));
	model->without = memory_resize(model->without, model->cells, sizeof(double));
	for (size_t t = 0; t < values->tests; t++) {
		free(model->likelihood[t]);
		model->likelihood[t] = memory_new(model->cells, sizeof(double));
		for (size_t i = 0; i < values->rows[t].count; i++)
			add_value(model, model->likelihood[t], values->rows[t].items[i]);
	}
	model->next_grid = values->count + values->count / 3 + 1;
}

static void observe(struct model *model, size_t test, double value)
{
	if (values_add(&model->values, test, value)) {
		model->likelihood =
			memory_grow(model->likelihood, model->rows, &model->row_capacity,
				    sizeof(*model->likelihood));
		model->likelihood[model->rows++] =
			memory_new(model->cells + 1, sizeof(double));
	}
	if (test < 2 || model->values.count >= model->next_grid)
		lay_grid(model);
	else
		add_value(model, model->likelihood[test], value);
}

static void add_rows(const struct model *model, const unsigned char *changed)
{
	memset(model->with, 0, model->cells * sizeof(double));
	memset(model->without, 0, model->cells * sizeof(double));
	for (size_t t = 0; t < model->rows; t++) {
		double *sum = changed[t] ? model->with : model->without;
		const double *row = model->likelihood[t];

		for (size_t i = 0; i < model->cells; i++)
			sum[i] += row[i];
	}
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

static double width_evidence(const struct model *model, const struct width *width)
{
	return 2 * width->log_prior + log_sum(model->with + width->start, width->count) +
	       log_sum(model->without + width->start, width->count);
}

static double log_likelihood(struct model *model, const unsigned char *changed)
{
	double evidence[MOST_WIDTHS];

	add_rows(model, changed);
	for (size_t w = 0; w < model->width_count; w++)
		evidence[w] = width_evidence(model, &model->widths[w]);
	return log_sum(evidence, model->width_count) - log((double)model->width_count);
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
	double evidence[MOST_WIDTHS];

	for (size_t i = 0; i < model->cells; i++)
		model->with[i] = 0;
	for (size_t t = 0; t < model->rows; t++)
		for (size_t i = 0; i < model->cells; i++)
			model->with[i] += model->likelihood[t][i];
	for (size_t w = 0; w < model->width_count; w++)
		evidence[w] = model->widths[w].log_prior +
			      log_sum(model->with + model->widths[w].start,
				      model->widths[w].count);
	return log_sum(evidence, model->width_count) - log((double)model->width_count) +
	       (all_equal(&model->values) ? 50 : 0);
}

/* Mean level over the grid of one width. */
static double mean_level(const struct width *width, const double *logs)
{
	double largest = logs[0], sum = 0, mean = 0;

	for (size_t i = 1; i < width->count; i++)
		largest = fmax(largest, logs[i]);
	for (size_t i = 0; i < width->count; i++) {
		double weight = exp(logs[i] - largest);

		sum += weight;
		mean += weight * (width->lowest + (double)i * width->step);
	}
	return mean / sum;
}

struct estimate {
	double good, bad, sigma;
	size_t good_values, bad_values;
};

static struct estimate estimate(struct model *model, const unsigned char *changed)
{
	double evidence[MOST_WIDTHS] = {0}, total, sum = 0;
	struct estimate result = {0};

	add_rows(model, changed);
	for (size_t w = 0; w < model->width_count; w++)
		evidence[w] = width_evidence(model, &model->widths[w]);
	total = log_sum(evidence, model->width_count);
	for (size_t w = 0; w < model->width_count; w++) {
		const struct width *width = &model->widths[w];
		double share = exp(evidence[w] - total);

		if (share < 1e-6)
			continue;
		sum += share * log(width->sigma);
		result.good += share * mean_level(width, model->without + width->start);
		result.bad += share * mean_level(width, model->with + width->start);
	}
	result.sigma = exp(sum);
	for (size_t t = 0; t < model->rows; t++)
		*(changed[t] ? &result.bad_values : &result.good_values) +=
			model->values.rows[t].count;
	return result;
}

static void settle(struct model *model, const unsigned char *changed)
{
	struct estimate found = estimate(model, changed);

	model->good = found.good;
	model->bad = found.bad;
	model->sigma = found.sigma;
	model->good_values = found.good_values;
	model->bad_values = found.bad_values;
}

static void view(struct model *model, const unsigned char *changed,
		 struct model_view *ret_view)
{
	struct estimate found = estimate(model, changed);

	*ret_view = (struct model_view){
		.good = found.good,
		.bad = found.bad,
		.good_width = found.sigma * sqrt(1 + 1 / (double)(found.good_values + 1)),
		.bad_width = found.sigma * sqrt(1 + 1 / (double)(found.bad_values + 1)),
	};
}

static double information(const struct model *model, double p, unsigned values)
{
	double unsure = 0.25 / (double)(model->good_values + 1) +
			0.25 / (double)(model->bad_values + 1);

	return information_normal(p, fabs(model->bad - model->good) / model->sigma /
					     sqrt(1 / (double)values + unsure));
}

static double log_odds(const struct model *model, size_t test)
{
	const struct value_row *row = &model->values.rows[test];
	double odds = 0;

	for (size_t i = 0; i < row->count; i++) {
		double value = clamp(model, row->items[i]);

		odds += log_density((value - model->bad) / model->sigma) -
			log_density((value - model->good) / model->sigma);
	}
	return odds;
}

static void levels(const struct model *model, double *ret_good, double *ret_bad)
{
	*ret_good = model->good;
	*ret_bad = model->bad;
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
