/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/model.h"

#include "base/memory.h"
#include "bisect/information.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RATES = 48 };

/*
 * One side rarely fails, the other mostly does, or the other way round: Beta(1/2, 1/2 +
 * 4) and its mirror image. The rates lie at sin^2 of equal angles, where Beta(1/2, 1/2)
 * has the same weight everywhere; what remains is (1 - rate)^4.
 */
static const double RARELY = 4;

enum side { LOW, HIGH };

struct counts {
	size_t passed, failed;
};

struct model {
	struct counts *tests;
	size_t test_count, capacity;
	double rates[RATES], log_rates[RATES];
	double log_priors[RATES]; /* of the side that rarely fails */
	double good, bad;         /* settled failure rates */
};

static struct model *create(double min_effect)
{
	struct model *model = memory_new(1, sizeof(*model));
	double sum = 0;

	(void)min_effect;
	for (size_t i = 0; i < RATES; i++) {
		model->rates[i] = pow(sin((double)(2 * i + 1) * M_PI / (4 * RATES)), 2);
		model->log_rates[i] = log(model->rates[i]);
		sum += pow(1 - model->rates[i], RARELY);
	}
	for (size_t i = 0; i < RATES; i++)
		model->log_priors[i] = RARELY * log1p(-model->rates[i]) - log(sum);
	return model;
}

static void destroy(struct model *model)
{
	if (model)
		free(model->tests);
	free(model);
}

static void observe(struct model *model, size_t test, double value)
{
	while (test >= model->test_count) {
		model->tests = memory_grow(model->tests, model->test_count,
					   &model->capacity, sizeof(*model->tests));
		model->tests[model->test_count++] = (struct counts){0};
	}
	if (value > 0)
		model->tests[test].failed++;
	else
		model->tests[test].passed++;
}

/* Log likelihood of these counts with the rate integrated out; and its mean. */
static double evidence(const struct model *model, struct counts counts, enum side side,
		       double *ret_rate)
{
	double logs[RATES], largest = -INFINITY, sum = 0, rate = 0;

	for (size_t i = 0; i < RATES; i++) {
		logs[i] = (double)counts.failed * model->log_rates[i] +
			  (double)counts.passed * model->log_rates[RATES - 1 - i] +
			  model->log_priors[side == LOW ? i : RATES - 1 - i];
		largest = fmax(largest, logs[i]);
	}
	for (size_t i = 0; i < RATES; i++) {
		double weight = exp(logs[i] - largest);

		sum += weight;
		rate += weight * model->rates[i];
	}
	if (ret_rate)
		*ret_rate = rate / sum;
	return largest + log(sum);
}

/* Sums of the counts of both sides. */
static void sum_sides(const struct model *model, const unsigned char *changed,
		      struct counts *with, struct counts *without)
{
	*with = *without = (struct counts){0};
	for (size_t t = 0; t < model->test_count; t++) {
		struct counts *side = changed && changed[t] ? with : without;

		side->passed += model->tests[t].passed;
		side->failed += model->tests[t].failed;
	}
}

static double log_mean(double a, double b)
{
	return fmax(a, b) + log1p(exp(-fabs(a - b))) - M_LN2;
}

static double log_likelihood(struct model *model, size_t number,
			     const unsigned char *changed)
{
	struct counts with, without;

	(void)number;
	sum_sides(model, changed, &with, &without);
	return log_mean(
		evidence(model, with, HIGH, NULL) + evidence(model, without, LOW, NULL),
		evidence(model, with, LOW, NULL) + evidence(model, without, HIGH, NULL));
}

static double log_same(struct model *model)
{
	struct counts with, without;

	sum_sides(model, NULL, &with, &without);
	return log_mean(evidence(model, without, LOW, NULL),
			evidence(model, without, HIGH, NULL));
}

/* The rates of both sides, by the more likely of the two ways round. */
static void find_rates(const struct model *model, const unsigned char *changed,
		       double *ret_good, double *ret_bad)
{
	struct counts with, without;
	double good, bad, usual, swapped;

	sum_sides(model, changed, &with, &without);
	usual = evidence(model, with, HIGH, ret_bad) +
		evidence(model, without, LOW, ret_good);
	swapped =
		evidence(model, with, LOW, &bad) + evidence(model, without, HIGH, &good);
	if (swapped > usual) {
		*ret_bad = bad;
		*ret_good = good;
	}
}

static void settle(struct model *model, size_t number, const unsigned char *changed)
{
	(void)number;
	find_rates(model, changed, &model->good, &model->bad);
}

static void view(struct model *model, size_t number, const unsigned char *changed,
		 struct model_view *ret_view)
{
	(void)number;
	*ret_view = (struct model_view){0};
	find_rates(model, changed, &ret_view->good, &ret_view->bad);
}

static double tell_apart(const struct model_source *sources, size_t count)
{
	double rate = 0, within = 0;

	for (size_t i = 0; i < count; i++) {
		rate += sources[i].weight * sources[i].level;
		within += sources[i].weight * information_entropy(sources[i].level);
	}
	return fmax(0, information_entropy(rate) - within);
}

static double information(const struct model *model, double p, unsigned values)
{
	return information_rates(p, model->good, model->bad, values);
}

static double log_odds(const struct model *model, size_t test)
{
	const struct counts *counts = &model->tests[test];

	return (double)counts->failed * log(model->bad / model->good) +
	       (double)counts->passed * log((1 - model->bad) / (1 - model->good));
}

static void levels(const struct model *model, double *ret_good, double *ret_bad)
{
	*ret_good = model->good;
	*ret_bad = model->bad;
}

static size_t strange(const struct model *model)
{
	(void)model;
	return 0;
}

static double difference(const struct model *model, size_t a, size_t b)
{
	(void)model, (void)a, (void)b;
	return INFINITY;
}

static size_t contradiction(const struct model *model)
{
	(void)model;
	return SIZE_MAX;
}

const struct model_ops model_pass_fail = {
	.name = "pass-fail",
	.create = create,
	.destroy = destroy,
	.observe = observe,
	.log_likelihood = log_likelihood,
	.log_same = log_same,
	.settle = settle,
	.view = view,
	.tell_apart = tell_apart,
	.information = information,
	.log_odds = log_odds,
	.levels = levels,
	.strange = strange,
	.difference = difference,
	.contradiction = contradiction,
	.end_values = 2,
	.same_values = 10,
};
