/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From likelihoods of classes to probabilities of commits. */
#include "bisect/search_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Chance, before anything is measured, that the ends do not differ. */
static const double PRIOR_SAME = 0.3;
/* The hint is not asked of what is out of question. */
static const double NO_CHANCE = 1e-9;
/* What the suspects hold together. */
static const double ENOUGH = 0.95;

/* Candidates that the values so far leave any chance. */
static size_t count_open(const struct search *search)
{
	size_t open = 0;

	for (size_t k = 0; k < search->partition.count; k++)
		if (search->flat_mass[k] > NO_CHANCE)
			open += search->partition.classes[k].size;
	return open;
}

/* Once, as soon as few enough candidates are left. */
static int ask_hint(struct search *search)
{
	const struct search_options *options = &search->options;

	if (!options->hint || search->hinted || count_open(search) > SEARCH_MOST_HINTS)
		return 0;
	search->hinted = 1;
	for (uint32_t i = 0; i < search->graph->count; i++)
		if (search->weights.flat[i] > 0 &&
		    search->flat_mass[search->partition.class_of[i]] > NO_CHANCE)
			search->weights.hinted[i] *=
				options->hint(options->hint_state, i);
	partition_weigh(&search->partition, search->graph, &search->weights);
	return 1;
}

void search_begin_posterior(struct search *search)
{
	search->class_mass = memory_new(1, sizeof(double));
	search->flat_mass = memory_new(1, sizeof(double));
	search->class_mass[0] = search->flat_mass[0] = 1;
	search->same = PRIOR_SAME;
	ask_hint(search);
}

/* The posterior of one candidate by masses of classes and weights of candidates. */
static double share_of(const struct search *search, uint32_t node, int flat)
{
	uint32_t k = search->partition.class_of[node];
	const struct candidate_class *class = &search->partition.classes[k];
	double mass = flat ? search->flat_mass[k] : search->class_mass[k];
	double whole = flat ? class->flat : class->weight;
	double own = flat ? search->weights.flat[node] : search->weights.hinted[node];

	return whole > 0 ? mass * own / whole : 0;
}

void search_weights(const struct search *search, double *ret)
{
	for (uint32_t i = 0; i < search->graph->count; i++)
		ret[i] = share_of(search, i, search->confirming);
}

const double *search_class_weights(const struct search *search)
{
	return search->confirming ? search->flat_mass : search->class_mass;
}

double search_hint(const struct search *search, uint32_t node)
{
	double flat = search->weights.flat[node];

	return flat > 0 ? search->weights.hinted[node] / flat : 1;
}

/* From logs to shares of 1; returns the log of their sum. */
static double normalise(const double *logs, size_t count, double *ret_shares)
{
	double largest = -INFINITY, sum = 0;

	for (size_t k = 0; k < count; k++)
		largest = fmax(largest, logs[k]);
	for (size_t k = 0; k < count; k++)
		sum += ret_shares[k] = exp(logs[k] - largest);
	for (size_t k = 0; k < count; k++)
		ret_shares[k] /= sum;
	return largest + log(sum);
}

static void find_top(struct search *search)
{
	search->top_mass = -1;
	for (uint32_t i = (uint32_t)search->graph->count; i-- > 0;) {
		double mass = share_of(search, i, 0);

		if (mass > search->top_mass) {
			search->top_mass = mass;
			search->top = i;
		}
	}
	search->top_flat = share_of(search, search->top, 1);
}

static void settle(struct search *search)
{
	const struct partition *partition = &search->partition;
	size_t best = 0;

	for (size_t k = 1; k < partition->count; k++)
		if (search->class_mass[k] > search->class_mass[best])
			best = k;
	search->options.model->settle(search->model, best,
				      partition->classes[best].changed);
}

/* The posterior of the classes, of which each likelihood is known. */
static void weigh_classes(struct search *search, const double *likelihoods,
			  double log_same)
{
	const struct partition *partition = &search->partition;
	CLEANUP(cleanup_free)
	double *logs = memory_new(partition->count, sizeof(*logs));
	double total = 0, flat = 0, changed;

	for (size_t k = 0; k < partition->count; k++) {
		total += partition->classes[k].weight;
		flat += partition->classes[k].flat;
	}
	for (size_t k = 0; k < partition->count; k++)
		logs[k] = log(partition->classes[k].weight / total) + likelihoods[k];
	normalise(logs, partition->count, search->class_mass);
	for (size_t k = 0; k < partition->count; k++)
		logs[k] = log(partition->classes[k].flat / flat) + likelihoods[k];
	changed = normalise(logs, partition->count, search->flat_mass) +
		  log(1 - PRIOR_SAME);
	search->same = 1 / (1 + exp(changed - log_same - log(PRIOR_SAME)));
}

void search_update_posterior(struct search *search)
{
	const struct partition *partition = &search->partition;
	const struct model_ops *ops = search->options.model;
	size_t size = partition->count * sizeof(double);
	CLEANUP(cleanup_free) double *likelihoods = memory_new(1, size);
	double log_same = ops->log_same(search->model);

	for (size_t k = 0; k < partition->count; k++)
		likelihoods[k] = ops->log_likelihood(search->model, k,
						     partition->classes[k].changed);
	search->class_mass = memory_resize(search->class_mass, 1, size);
	search->flat_mass = memory_resize(search->flat_mass, 1, size);
	weigh_classes(search, likelihoods, log_same);
	if (ask_hint(search))
		weigh_classes(search, likelihoods, log_same);
	find_top(search);
	settle(search);
}

void search_posterior(struct search *search, double *ret)
{
	for (uint32_t i = 0; i < search->graph->count; i++)
		ret[i] = share_of(search, i, 0);
}

/* Classes by the probability of one of their commits, largest first. */
struct ranked {
	double density;
	size_t class;
};

static int denser(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->density != y->density)
		return x->density < y->density ? 1 : -1;
	return (x->class > y->class) - (x->class < y->class);
}

size_t search_suspects(struct search *search, unsigned char *member)
{
	const struct partition *partition = &search->partition;
	CLEANUP(cleanup_free)
	struct ranked *ranked = memory_new(partition->count, sizeof(*ranked));
	CLEANUP(cleanup_free) unsigned char *chosen = memory_new(partition->count, 1);
	double mass = 0, flat = 0;
	size_t size = 0;

	for (size_t k = 0; k < partition->count; k++)
		ranked[k] = (struct ranked){
			search->flat_mass[k] / (double)partition->classes[k].size, k};
	qsort(ranked, partition->count, sizeof(*ranked), denser);
	for (size_t k = 0; k < partition->count && fmin(mass, flat) < ENOUGH; k++) {
		chosen[ranked[k].class] = 1;
		mass += search->class_mass[ranked[k].class];
		flat += search->flat_mass[ranked[k].class];
	}
	for (size_t i = 0; i < search->graph->count; i++) {
		member[i] = chosen[partition->class_of[i]] && search->weights.flat[i] > 0;
		size += member[i];
	}
	return size;
}
