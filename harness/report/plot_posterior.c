/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "report/axes_private.h"
#include "report/markup_private.h"

#include <math.h>

/* Less is no bar that anybody could see. */
#define LEAST_PROBABILITY 0.0005

static size_t find_best(const struct search_record *search)
{
	size_t best = 0;

	for (size_t i = 0; i < search->suspect_count; i++)
		if (search->suspects[i].probability > search->suspects[best].probability)
			best = i;
	return best;
}

static void describe(const struct search_record *search, size_t best, struct text *out)
{
	text_format(out, "Probability over %zu commits: %.3g for %.12s, number %zu",
		    search->suspect_count, search->suspects[best].probability,
		    search->suspects[best].commit, best + 1);
}

static void draw_bar(const struct axes *axes, size_t i,
		     const struct suspect_record *suspect, struct text *out)
{
	int left = axes_x(axes, (double)i - 0.45), right = axes_x(axes, (double)i + 0.45);
	int top = axes_y(axes, suspect->probability);

	text_format(out,
		    "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
		    left, top, right > left ? right - left : 1, PLOT_SCALE - top);
	markup(out, "<title>%s</title></rect>\n", suspect->commit);
}

static void name_best(struct axes *axes, const struct search_record *search, size_t best)
{
	const struct suspect_record *suspect = &search->suspects[best];
	CLEANUP(text_finish) struct text word = {0};

	text_format(&word, "%.12s: %.3g", suspect->commit, suspect->probability);
	axes_word(axes, (double)best, suspect->probability, "mark worse",
		  text_string(&word));
}

void plot_posterior(const struct search_record *search, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(axes_finish) struct axes axes;
	size_t count = search->suspect_count, best = find_best(search);

	axes_init(&axes, -0.5, (double)count - 0.5);
	if (!count)
		return;
	axes.y_low = 0;
	axes.y_high = fmin(fmax(search->suspects[best].probability * 1.3, 0.05), 1.15);
	describe(search, best, &description);
	axes_open("posterior", text_string(&description), out);
	axes_grid(&axes, "", out);
	for (size_t i = 0; i < count; i++)
		if (search->suspects[i].probability > LEAST_PROBABILITY)
			draw_bar(&axes, i, &search->suspects[i], out);
	name_best(&axes, search, best);
	axes_label(&axes, -0.5, "oldest");
	axes_label(&axes, (double)count - 0.5, "newest");
	axes_close(&axes, out);
}
