/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/split.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/tails.h"

#include <math.h>

enum {
	BLOCK_LEAST = 3,      /* two points that come back are outliers */
	BLOCK_MOST = 32,      /* longer ones are left to the ranks ... */
	BLOCK_ANY_BELOW = 64, /* ... unless there are few points */
};

/* Chance of a false split on either ground in a series of noise. */
static const double chance = 0.002;

struct range {
	double low, high;
};

/* The points without spikes, with what makes every stretch cheap to judge. */
struct stretch {
	size_t count;
	size_t *index;         /* in the values given */
	double *y;             /* centred */
	double *sum, *squares; /* of the first i */
	struct range *before;  /* of the first i */
	struct range *behind;  /* of i and all later ones */
};

static void stretch_finish(struct stretch *s)
{
	free(s->index);
	free(s->y);
	free(s->sum);
	free(s->squares);
	free(s->before);
	free(s->behind);
}

static struct range with(struct range range, double value)
{
	return (struct range){fmin(range.low, value), fmax(range.high, value)};
}

static const struct range nothing = {INFINITY, -INFINITY};

static void fill_ranges(struct stretch *s)
{
	s->before[0] = s->behind[s->count] = nothing;
	for (size_t i = 0; i < s->count; i++)
		s->before[i + 1] = with(s->before[i], s->y[i]);
	for (size_t i = s->count; i--;)
		s->behind[i] = with(s->behind[i + 1], s->y[i]);
}

static void fill(struct stretch *s, const double *values, const unsigned char *spikes,
		 size_t count)
{
	double mean = 0;

	s->index = memory_new(count, sizeof(*s->index));
	s->y = memory_new(count, sizeof(*s->y));
	s->sum = memory_new(count + 1, sizeof(*s->sum));
	s->squares = memory_new(count + 1, sizeof(*s->squares));
	s->before = memory_new(count + 1, sizeof(*s->before));
	s->behind = memory_new(count + 1, sizeof(*s->behind));
	for (size_t i = 0; i < count; i++) {
		if (spikes && spikes[i])
			continue;
		s->index[s->count] = i;
		s->y[s->count++] = values[i];
		mean += values[i] / (double)count;
	}
	for (size_t i = 0; i < s->count; i++) {
		s->y[i] -= mean;
		s->sum[i + 1] = s->sum[i] + s->y[i];
		s->squares[i + 1] = s->squares[i] + s->y[i] * s->y[i];
	}
	fill_ranges(s);
}

/* Squares around the mean of points from..to-1. */
static double rest(const struct stretch *s, size_t from, size_t to)
{
	double sum = s->sum[to] - s->sum[from];

	return fmax(0,
		    s->squares[to] - s->squares[from] - sum * sum / (double)(to - from));
}

static int apart(struct range a, struct range b)
{
	return a.high < b.low || b.high < a.low;
}

struct proposal {
	double squares; /* that are left */
	size_t count;
	size_t places[SPLIT_MOST];
};

static struct proposal one_step(const struct stretch *s)
{
	struct proposal best = {.squares = INFINITY};

	for (size_t at = SPLIT_SIDE; at + SPLIT_SIDE <= s->count; at++) {
		double squares;

		if (!apart(s->before[at], s->behind[at]))
			continue;
		squares = rest(s, 0, at) + rest(s, at, s->count);
		if (squares < best.squares)
			best = (struct proposal){squares, 1, {at}};
	}
	return best;
}

static size_t longest_block(const struct stretch *s)
{
	return s->count < BLOCK_ANY_BELOW ? s->count : BLOCK_MOST;
}

/* Blocks that begin at "from". */
static void try_blocks(const struct stretch *s, size_t from, struct proposal *best)
{
	size_t most = longest_block(s);
	struct range block = nothing;

	for (size_t to = from; to + SPLIT_SIDE <= s->count && to - from <= most; to++) {
		double squares;

		if (to - from >= BLOCK_LEAST && apart(s->before[from], block) &&
		    apart(block, s->behind[to])) {
			squares = rest(s, 0, from) + rest(s, from, to) +
				  rest(s, to, s->count);
			if (squares < best->squares)
				*best = (struct proposal){squares, 2, {from, to}};
		}
		block = with(block, s->y[to]);
	}
}

static struct proposal two_steps(const struct stretch *s)
{
	struct proposal best = {.squares = INFINITY};

	for (size_t from = SPLIT_SIDE; from + BLOCK_LEAST + SPLIT_SIDE <= s->count;
	     from++)
		try_blocks(s, from, &best);
	return best;
}

/* log p of a proposal among all the places where it could have been. */
static double corrected(const struct stretch *s, const struct proposal *proposal)
{
	double all = rest(s, 0, s->count), n = (double)s->count;
	double freedom = n - 1 - (double)proposal->count;
	double places = proposal->count == 1 ? n : n * (double)longest_block(s);

	if (!proposal->count || all <= 0 || freedom < 1)
		return 0;
	/* Below this share there is only rounding. */
	return tails_log_steps(fmax(proposal->squares / all, 1e-14), freedom,
			       (double)proposal->count) +
	       log(places);
}

static size_t find_levels(const struct stretch *s, size_t places[SPLIT_MOST])
{
	struct proposal one = one_step(s), two = two_steps(s), *best = &one;
	double p = corrected(s, &one), p_two = corrected(s, &two);

	if (p_two < p) {
		p = p_two;
		best = &two;
	}
	if (p > log(chance))
		return 0;
	for (size_t i = 0; i < best->count; i++)
		places[i] = s->index[best->places[i]];
	return best->count;
}

/* The mean of points that are no spikes; NAN where all are. */
static double level_of(const double *values, const unsigned char *spikes, size_t from,
		       size_t to)
{
	double sum = 0, used = 0;

	for (size_t i = from; i < to; i++) {
		if (spikes && spikes[i])
			continue;
		sum += values[i];
		used++;
	}
	return sum / used;
}

/*
 * Spikes that reach as far as the shorter level at a border make it one more of their
 * kind: two of them in a row will happen. One may be chance.
 */
static int is_one_of_spikes(const double *values, const unsigned char *spikes,
			    size_t count, const size_t border[3])
{
	double left = level_of(values, spikes, border[0], border[1]);
	double right = level_of(values, spikes, border[1], border[2]);
	int short_left = border[1] - border[0] < border[2] - border[1];
	double block = short_left ? left : right, middle = left / 2 + right / 2;
	int echoes = 0;

	for (size_t i = 0; spikes && i < count; i++)
		echoes += spikes[i] && (values[i] - middle) * (block - middle) > 0;
	return echoes > 1;
}

static int only_spikes(const double *values, const unsigned char *spikes, size_t count,
		       const size_t *places, size_t found)
{
	for (size_t i = 0; i < found; i++) {
		size_t border[] = {i ? places[i - 1] : 0, places[i],
				   i + 1 < found ? places[i + 1] : count};

		if (is_one_of_spikes(values, spikes, count, border))
			return 1;
	}
	return 0;
}

size_t split_find(const double *values, const unsigned char *spikes, size_t count,
		  size_t places[SPLIT_MOST])
{
	CLEANUP(stretch_finish) struct stretch stretch = {0};
	size_t found;

	if (split_rank_statistic(values, count, &places[0]) > split_rank_bound(count))
		return 1;
	if (count < 2 * SPLIT_SIDE)
		return 0;
	fill(&stretch, values, spikes, count);
	found = find_levels(&stretch, places);
	return only_spikes(values, spikes, count, places, found) ? 0 : found;
}
