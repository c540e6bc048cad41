/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/model.h"

#include "base/memory.h"
#include "bisect/information.h"
#include "bisect/values.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Log of what cannot be: large, but finite so that sums stay numbers. */
static const double NEVER = -200;

struct model {
	struct values values;
	double min_effect;
};

static struct model *create(double min_effect)
{
	struct model *model = memory_new(1, sizeof(*model));

	model->min_effect = min_effect;
	return model;
}

static void destroy(struct model *model)
{
	if (model)
		values_finish(&model->values);
	free(model);
}

static void observe(struct model *model, size_t test, double value)
{
	values_add(&model->values, test, value);
}

static double value_of(const struct model *model, size_t test)
{
	return model->values.tests > test ? model->values.rows[test].items[0] : NAN;
}

/* How far from the good level, where the bad one is 1. */
static double position(const struct model *model, size_t test)
{
	double good = value_of(model, 0), bad = value_of(model, 1);

	return bad != good ? (value_of(model, test) - good) / (bad - good) : 0;
}

static double log_likelihood(struct model *model, size_t number,
			     const unsigned char *changed)
{
	double sum = 0;

	(void)number;
	for (size_t t = 0; t < model->values.tests; t++)
		if ((position(model, t) > 0.5) != changed[t])
			sum += NEVER;
	return sum;
}

static double log_same(struct model *model)
{
	double good = value_of(model, 0), bad = value_of(model, 1);

	if (!(fabs(bad - good) > model->min_effect * fabs(good)))
		return -NEVER; /* surely the same, also where an end is missing */
	return NEVER;
}

static void settle(struct model *model, size_t number, const unsigned char *changed)
{
	(void)model, (void)number, (void)changed;
}

static double information(const struct model *model, double p, unsigned values)
{
	(void)model, (void)values;
	return information_entropy(p);
}

static double log_odds(const struct model *model, size_t test)
{
	return position(model, test) > 0.5 ? -NEVER : NEVER;
}

static void levels(const struct model *model, double *ret_good, double *ret_bad)
{
	*ret_good = value_of(model, 0);
	*ret_bad = value_of(model, 1);
}

static size_t strange(const struct model *model)
{
	double least = fmax(0.02, model->min_effect * fabs(value_of(model, 0)) /
					  fabs(value_of(model, 1) - value_of(model, 0)));
	size_t count = 0;

	for (size_t t = 2; t < model->values.tests; t++)
		count += fabs(position(model, t)) > least &&
			 fabs(position(model, t) - 1) > least;
	return count;
}

static double difference(const struct model *model, size_t a, size_t b)
{
	double good = fabs(value_of(model, 0));
	double apart = fabs(value_of(model, a) - value_of(model, b));

	return good > 0 ? apart / good : apart > 0 ? INFINITY : 0;
}

/*
 * A guest's timers can move a value by some ns in a second. That is no doubt about a
 * vote, for which the side of the middle counts: a hundredth of the ends' distance is
 * one.
 */
static size_t contradiction(const struct model *model)
{
	double apart = fabs(value_of(model, 1) - value_of(model, 0));
	double most = isfinite(apart) ? apart / 100 : 0;

	for (size_t t = 0; t < model->values.tests; t++)
		for (size_t i = 1; i < model->values.rows[t].count; i++)
			if (fabs(model->values.rows[t].items[i] -
				 model->values.rows[t].items[0]) > most)
				return t;
	return SIZE_MAX;
}

const struct model_ops model_exact = {
	.name = "exact",
	.create = create,
	.destroy = destroy,
	.observe = observe,
	.log_likelihood = log_likelihood,
	.log_same = log_same,
	.settle = settle,
	.information = information,
	.log_odds = log_odds,
	.levels = levels,
	.strange = strange,
	.difference = difference,
	.contradiction = contradiction,
	.end_values = 1,
	.same_values = 1,
	.certain = 1,
};
