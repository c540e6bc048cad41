/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_private.h"

#include "base/cleanup.h"
#include "report/axes_private.h"
#include "report/explanation.h"
#include "report/markup_private.h"

#include <math.h>

enum { BARS = 15 };

static size_t count_bars(const struct difference *difference)
{
	return difference->changed < BARS ? difference->changed : BARS;
}

static void describe(const struct difference *difference, size_t bars, struct text *out)
{
	text_add(out, "Change of instructions for each operation: ");
	for (size_t i = 0; i < bars; i++) {
		text_format(out, "%s%s ", i ? ", " : "", difference->rows[i].name);
		explanation_amount(difference->rows[i].change, 1, out);
	}
}

/* From zero to the change; the row's place is counted from the top. */
static void draw_bar(struct axes *axes, size_t row, const struct difference_row *item,
		     struct text *out)
{
	int from = axes_x(axes, fmin(item->change, 0));
	int to = axes_x(axes, fmax(item->change, 0));
	int top = axes_y(axes, axes->y_high - (double)row - 0.15);
	int bottom = axes_y(axes, axes->y_high - (double)row - 0.85);
	CLEANUP(text_finish) struct text change = {0};

	explanation_amount(item->change, 1, &change);
	text_format(out,
		    "<rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
		    item->change < 0 ? " better" : "", from, top,
		    to > from ? to - from : 1, bottom - top);
	markup(out, "<title>%s %s</title></rect>\n", item->name, text_string(&change));
	text_format(&axes->words, "<span class=\"y\" style=\"top:%d.%d%%\">",
		    (top + bottom) / 20, (top + bottom) / 2 % 10);
	markup(&axes->words, "%s</span>", item->name);
	axes_word(axes, item->change > 0 ? item->change : 0,
		  axes->y_high - (double)row - 0.5, "amount", text_string(&change));
}

void plot_difference(const struct difference *difference, struct text *out)
{
	CLEANUP(text_finish) struct text description = {0};
	CLEANUP(axes_finish) struct axes axes;
	size_t bars = count_bars(difference);
	double low = 0, high = 0;

	for (size_t i = 0; i < bars; i++) {
		low = fmin(low, difference->rows[i].change);
		high = fmax(high, difference->rows[i].change);
	}
	/* Room for the amounts behind the bars. */
	axes_init(&axes, low, high + 0.3 * (high - low));
	if (!bars)
		return;
	axes.y_low = 0;
	axes.y_high = (double)bars;
	describe(difference, bars, &description);
	text_format(out, "<div class=\"rows\" style=\"--rows:%zu\">", bars);
	axes_open("difference", text_string(&description), out);
	text_format(out, "<path class=\"grid\" d=\"M%d 0V%d\"/>\n", axes_x(&axes, 0),
		    PLOT_SCALE);
	for (size_t i = 0; i < bars; i++)
		draw_bar(&axes, i, &difference->rows[i], out);
	axes_close(&axes, out);
	text_add(out, "</div>\n");
}
