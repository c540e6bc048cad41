/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes next: ends, bases, search, confirmation, or the end of it all. */
#include "bisect/search_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* When it is in doubt again whether the ends differ. */
static const double ENDS_DOUBTFUL = 0.5;
/* They do not, once so many values of each say so. */
static const double ENDS_SAME = 0.9;
enum { MOST_END_VALUES = 20 };
/* Log odds that settle the state of one commit by its own values. */
static const double SURE_ODDS = 4;
enum { MOST_BASE_VALUES = 12 };
/* With broken commits about, bits below which a step is not worth its cost. */
static const double LEAST_BITS = 0.015, LEAST_SURE_BITS = 0.003;

/* A commit as people know it. */
static const char *name_of(const struct search *search, uint32_t node, char buffer[80])
{
	if (search->graph->ids)
		snprintf(buffer, 80, "%s", search->graph->ids[node].hex);
	else
		snprintf(buffer, 80, "number %u", (unsigned)node);
	return buffer;
}

__attribute__((format(printf, 5, 6))) static int finish(struct search_step *step,
							enum search_status status,
							enum search_why why,
							uint32_t node, const char *format,
							...)
{
	va_list arguments;

	*step = (struct search_step){.status = status, .why = why, .node = node};
	va_start(arguments, format);
	vsnprintf(step->reason, sizeof(step->reason), format, arguments);
	va_end(arguments);
	return 1;
}

static int measure(struct search_step *step, enum search_purpose purpose, uint32_t node,
		   double probability)
{
	*step = (struct search_step){
		.node = node, .purpose = purpose, .probability = probability};
	return 1;
}

static int finish_set(const struct search *search, struct search_step *step,
		      enum search_why why, const char *because)
{
	(void)search;
	return finish(step, SEARCH_SET, why, search->top,
		      "%s; the suspects hold at least 95 %% of the probability", because);
}

static int check_budget(const struct search *search, struct search_step *step)
{
	unsigned limit = search_boot_limit(search);

	if (search->boots >= limit)
		return finish_set(search, step, SEARCH_WHY_BUDGET,
				  search->options.max_boots
					  ? "the budget of measurements is used up"
					  : "the search's own limit of measurements is "
					    "reached (--max-boots raises it)");
	if (search->options.max_seconds > 0 &&
	    search->seconds >= search->options.max_seconds)
		return finish_set(search, step, SEARCH_WHY_BUDGET,
				  "the budget of minutes is used up");
	return 0;
}

static int check_end_fails(const struct search *search, struct search_step *step)
{
	const uint32_t ends[] = {search->graph->good, search->graph->bad};
	char name[80];

	for (int i = 0; i < 2; i++) {
		if (!search_is_left_out(search, ends[i]))
			continue;
		return finish(step, SEARCH_ABORTED, SEARCH_WHY_END_FAILS, ends[i],
			      "the %s end %s cannot be measured: %s", i ? "bad" : "good",
			      name_of(search, ends[i], name),
			      search->nodes[ends[i]].untestable
				      ? "it is untestable itself"
				      : "its measurements keep failing");
	}
	return 0;
}

/* Means of nothing but zeros are zero but for rounding. */
static double shown(double level)
{
	return fabs(level) < 1e-200 ? 0 : level;
}

static int no_difference(const struct search *search, struct search_step *step)
{
	double good, bad;

	search->options.model->levels(search->model, &good, &bad);
	return finish(step, SEARCH_NO_DIFFERENCE, SEARCH_WHY_SAME_ENDS,
		      search->graph->bad,
		      "the ends do not differ: %u values of good (level %.6g) and %u of "
		      "bad (level %.6g)",
		      search->nodes[search->graph->good].values, shown(good),
		      search->nodes[search->graph->bad].values, shown(bad));
}

/* The end with fewer values; good first. */
static int measure_end(const struct search *search, struct search_step *step)
{
	const struct graph *graph = search->graph;
	int good = search->nodes[graph->good].values <= search->nodes[graph->bad].values;

	return measure(step, SEARCH_FOR_ENDS, good ? graph->good : graph->bad,
		       good ? 0 : 1);
}

static int check_ends(const struct search *search, struct search_step *step)
{
	unsigned good = search->nodes[search->graph->good].values;
	unsigned bad = search->nodes[search->graph->bad].values;
	unsigned least = good < bad ? good : bad;

	if (check_end_fails(search, step))
		return 1;
	if (least < search->options.model->end_values)
		return measure_end(search, step);
	if (search->same < (search->ends_done ? ENDS_DOUBTFUL : ENDS_DIFFER))
		return 0;
	if (search->same > 0.999 || least >= MOST_END_VALUES ||
	    (search->same > ENDS_SAME && least >= search->options.model->same_values))
		return no_difference(search, step);
	return measure_end(search, step);
}

static int check_direction(const struct search *search, struct search_step *step)
{
	static const char *const words[] = {
		[SEARCH_ANY] = "", [SEARCH_UP] = "higher", [SEARCH_DOWN] = "lower"};
	double good, bad;

	search->options.model->levels(search->model, &good, &bad);
	if ((search->options.direction == SEARCH_UP && bad < good) ||
	    (search->options.direction == SEARCH_DOWN && bad > good))
		return finish(
			step, SEARCH_NO_DIFFERENCE, SEARCH_WHY_WRONG_DIRECTION,
			search->graph->bad,
			"the ends differ the other way round: good %.6g, bad %.6g, "
			"but the bad end should be %s; swap the ends, or use --find "
			"improvement",
			good, bad, words[search->options.direction]);
	if (fabs(bad - good) < search->options.min_effect * fabs(good))
		return finish(
			step, SEARCH_NO_DIFFERENCE, SEARCH_WHY_SMALL_EFFECT,
			search->graph->bad,
			"the ends differ by %.3g %% (good %.6g, bad %.6g), less than "
			"the minimum effect of %.3g %%",
			100 * fabs(bad - good) / fabs(good), good, bad,
			100 * search->options.min_effect);
	return 0;
}

/* Whether the values of a commit that should be good leave that open. */
static int is_open(const struct search *search, uint32_t node)
{
	const struct node_state *state = &search->nodes[node];
	double odds = search_log_odds(search, node);

	if (search_is_left_out(search, node) || state->values >= MOST_BASE_VALUES)
		return 0;
	return !state->values || (odds > -SURE_ODDS && odds < SURE_ODDS) ||
	       (odds >= SURE_ODDS && state->values < 2);
}

static int is_bad(const struct search *search, uint32_t node)
{
	return search->nodes[node].values && search_log_odds(search, node) >= SURE_ODDS;
}

static int check_bases(const struct search *search, struct search_step *step)
{
	const struct graph *graph = search->graph;
	char base[80], good[80], again[80];

	for (size_t i = 0; i < graph->base_count; i++) {
		if (is_open(search, graph->bases[i]))
			return measure(step, SEARCH_FOR_BASE, graph->bases[i], 0.1);
		if (!is_bad(search, graph->bases[i]))
			continue;
		return finish(step, SEARCH_ABORTED, SEARCH_WHY_FIX_IN_GOOD,
			      graph->bases[i],
			      "the merge base %s is bad already: the good end holds a "
			      "fix; search for that with --find improvement --good %s "
			      "--bad %s",
			      name_of(search, graph->bases[i], base),
			      name_of(search, graph->bases[i], again),
			      name_of(search, graph->good, good));
	}
	return 0;
}

static int is_fresh(const struct search *search, uint32_t node)
{
	const struct node_state *state = &search->nodes[node];

	return state->values > 1 && state->last_value > search->since;
}

/* The culprit's own step is too small to matter, whatever the ends do. */
static int is_gradual(const struct search *search)
{
	const uint32_t *parents = graph_parents(search->graph, search->top);
	size_t culprit = (size_t)search->nodes[search->top].test;

	for (size_t k = 0; k < graph_parent_count(search->graph, search->top); k++)
		if (search->options.model->difference(
			    search->model, culprit,
			    (size_t)search->nodes[parents[k]].test) <
		    search->options.min_effect / 2)
			return 1;
	return 0;
}

static int finish_confirmed(const struct search *search, struct search_step *step)
{
	size_t parents = graph_parent_count(search->graph, search->top);
	size_t strange = search->options.model->strange(search->model);
	char name[80];

	return finish(step, SEARCH_CONFIRMED, SEARCH_WHY_CONFIRMED, search->top,
		      "%s has the change and %s%s, each measured afresh%s",
		      name_of(search, search->top, name),
		      parents > 1 ? "none of its parents has: the merge itself brought it"
		      : parents   ? "its parent has not"
				  : "it has no parent",
		      parents > 1 ? " in" : "",
		      strange ? "; other values lie between the ends, so the range holds "
				"more than one change"
			      : "");
}

static int check_parent(const struct search *search, struct search_step *step,
			uint32_t parent)
{
	char name[80], again[80];

	if (parent < search->graph->count)
		return 0;
	if (is_open(search, parent))
		return measure(step, SEARCH_FOR_CONFIRMATION, parent, 0.05);
	if (!is_bad(search, parent))
		return 0;
	return finish(step, SEARCH_ABORTED, SEARCH_WHY_GOOD_IS_WRONG, parent,
		      "%s is bad though it is reachable from the good end: the change is "
		      "older, or the good end holds a fix; search again with an older "
		      "good end than %s",
		      name_of(search, parent, name), name_of(search, parent, again));
}

static int check_confirmation(const struct search *search, struct search_step *step)
{
	uint32_t culprit = search->top;
	const uint32_t *parents = graph_parents(search->graph, culprit);
	size_t count = graph_parent_count(search->graph, culprit);
	enum search_purpose purpose = search_is_doubted(search, culprit)
					      ? SEARCH_FOR_RECHECK
					      : SEARCH_FOR_CONFIRMATION;
	char name[80], text[160];

	for (size_t k = 0; k <= count; k++) {
		uint32_t node = k ? parents[k - 1] : culprit;

		if (!search_is_left_out(search, node))
			continue;
		snprintf(text, sizeof(text), "%s %s cannot be tested",
			 k ? "the parent" : "the commit", name_of(search, node, name));
		return finish_set(search, step, SEARCH_WHY_SKIPS, text);
	}
	for (size_t k = 0; k <= count; k++) {
		uint32_t node = k ? parents[k - 1] : culprit;

		if (!is_fresh(search, node))
			return measure(step, purpose, node, k ? 0 : 1);
		if (k && check_parent(search, step, node))
			return 1;
	}
	if (fmin(search->top_mass, search->top_flat) * (1 - search->same) <
	    search->options.confirm)
		return 0;
	return is_gradual(search)
		       ? finish_set(search, step, SEARCH_WHY_SMALL_EFFECT,
				    "no commit alone makes the minimum effect: "
				    "the change crept in")
		       : finish_confirmed(search, step);
}

static int check_contradiction(const struct search *search, struct search_step *step)
{
	size_t test = search->options.model->contradiction(search->model);
	char name[80];

	if (test == SIZE_MAX)
		return 0;
	return finish(step, SEARCH_ABORTED, SEARCH_WHY_NOT_REPEATABLE,
		      search->test_nodes[test],
		      "two measurements of %s differ, so its values are not exact",
		      name_of(search, search->test_nodes[test], name));
}

static int any_left_out(const struct search *search)
{
	for (uint32_t i = 0; i < search->graph->total; i++)
		if (search_is_left_out(search, i))
			return 1;
	return 0;
}

static int continue_search(const struct search *search, struct search_step *step)
{
	struct best_step best;

	search_best_step(search, &best);
	if (!best.found ||
	    (any_left_out(search) &&
	     best.bits < (best.chance > 0.9 ? LEAST_SURE_BITS : LEAST_BITS)))
		return finish_set(
			search, step, SEARCH_WHY_SKIPS,
			"what is left cannot be told apart by a commit that can "
			"be tested");
	return measure(step, SEARCH_FOR_CULPRIT, best.node, best.probability);
}

void search_next(struct search *search, struct search_step *ret_step)
{
	if (check_contradiction(search, ret_step))
		return;
	if (search_is_end_known(search) && search->ends_done && search->confirming &&
	    search->boots >= search_boot_limit(search) &&
	    check_confirmation(search, ret_step) && ret_step->status != SEARCH_RUNNING)
		return;
	if (check_budget(search, ret_step) || check_ends(search, ret_step))
		return;
	if (check_direction(search, ret_step) || check_bases(search, ret_step))
		return;
	if (search->confirming && check_confirmation(search, ret_step))
		return;
	continue_search(search, ret_step);
}

void search_look_ahead(struct search *search, struct search_outlook *ret_outlook)
{
	const struct partition *partition = &search->partition;
	struct search_outlook outlook = {.good_level = NAN, .bad_level = NAN};
	double rate = 1;

	for (size_t k = 0; k < partition->count; k++)
		if (search->class_mass[k] > 0)
			outlook.bits -= search->class_mass[k] *
					log2(search->class_mass[k] /
					     (double)partition->classes[k].size);
	if (search_is_end_known(search)) {
		rate = search->options.model->information(search->model, 0.5, 1);
		search->options.model->levels(search->model, &outlook.good_level,
					      &outlook.bad_level);
	}
	outlook.best = search->top;
	outlook.best_probability = search->top_mass;
	outlook.boots = outlook.bits / fmax(rate, 0.02) + 4;
	outlook.seconds = outlook.boots * search_boot_cost(search) +
			  (outlook.bits + 1) * search_build_cost(search);
	*ret_outlook = outlook;
}
