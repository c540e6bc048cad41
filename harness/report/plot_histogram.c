/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "report/format.h"

#include <math.h>

enum { BINS = 60, MOST_TICKS = 8 };

/* The ends of the axis, as logarithms of ns. */
struct range {
	double low, high;
};

/* A time of 0 cannot stand on a logarithmic axis; nothing takes less than 1 ns. */
static double place(double ns)
{
	return log10(fmax(ns, 1));
}

static void widen(struct range *range, const struct series_record *histogram)
{
	for (size_t i = 0; i + 1 < histogram->count; i += 2) {
		range->low = fmin(range->low, place(histogram->values[i]));
		range->high = fmax(range->high, place(histogram->values[i]));
	}
}

/* Percent of all operations in each bin. */
static void fill(const struct range *range, const struct series_record *histogram,
		 double bins[BINS])
{
	double total = 0;

	for (size_t i = 0; i + 1 < histogram->count; i += 2) {
		double part = (place(histogram->values[i]) - range->low) /
			      (range->high - range->low);
		double at = fmin(fmax(part * BINS, 0), BINS - 1);

		bins[(size_t)at] += histogram->values[i + 1];
		total += histogram->values[i + 1];
	}
	for (size_t i = 0; i < BINS && total > 0; i++)
		bins[i] *= 100 / total;
}

/* A line at each power of ten, or at both ends where there is none between. */
static size_t make_ticks(const struct range *range, struct text_list *labels,
			 struct plot_tick *ticks)
{
	double step = ceil((range->high - range->low) / MOST_TICKS);
	size_t count = 0;

	for (double power = ceil(range->low); power <= range->high && count < MOST_TICKS;
	     power += fmax(step, 1)) {
		CLEANUP(text_finish) struct text label = {0};

		format_value(&label, pow(10, power), "ns");
		text_list_add(labels, text_string(&label));
		ticks[count].at =
			(power - range->low) / (range->high - range->low) * (BINS - 1);
		ticks[count].label = labels->items[count];
		count++;
	}
	return count;
}

static size_t make_end_ticks(const struct range *range, struct text_list *labels,
			     struct plot_tick *ticks)
{
	const double ends[] = {range->low, range->high};

	for (size_t i = 0; i < 2; i++) {
		CLEANUP(text_finish) struct text label = {0};

		format_value(&label, pow(10, ends[i]), "ns");
		text_list_add(labels, text_string(&label));
		ticks[i] = (struct plot_tick){i ? BINS - 1 : 0,
					      labels->items[labels->count - 1]};
	}
	return 2;
}

void plot_histograms(const struct series_record *good, const struct series_record *bad,
		     const char *good_name, const char *bad_name, struct text *out)
{
	CLEANUP(text_list_finish) struct text_list labels = {0};
	struct plot_tick ticks[MOST_TICKS];
	double good_bins[BINS] = {0}, bad_bins[BINS] = {0};
	struct range range = {INFINITY, -INFINITY};
	struct pair_plot plot = {
		.what = "Share of operations by their time, logarithmic",
		.unit = "%",
		.good = good_name,
		.bad = bad_name,
		.good_values = good_bins,
		.bad_values = bad_bins,
		.good_count = BINS,
		.bad_count = BINS,
		.ticks = ticks,
	};

	if (good->count < 2 || bad->count < 2)
		return;
	widen(&range, good);
	widen(&range, bad);
	if (!(range.high > range.low))
		range.high = range.low + 0.1;
	fill(&range, good, good_bins);
	fill(&range, bad, bad_bins);
	plot.tick_count = make_ticks(&range, &labels, ticks);
	if (plot.tick_count < 2) {
		text_list_finish(&labels);
		plot.tick_count = make_end_ticks(&range, &labels, ticks);
	}
	plot_pair(&plot, out);
}
