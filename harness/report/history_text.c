/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/history_text.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

enum { ROWS = 9, MOST_COLUMNS = 200, LABEL = 12, TABLE_WIDTH = 100 };

static const char *version_at(const struct measurements *measurements,
			      const struct series *series, size_t index)
{
	return measurements->versions[series->levels[index].version];
}

static void add_title(const struct series *series, const struct history *history,
		      struct text *out)
{
	if (out->size)
		text_add_char(out, '\n');
	utf8_add_plain_string(out, series->name.scenario);
	text_add(out, "  ");
	utf8_add_plain_string(out, series->name.case_label);
	text_add(out, "  ");
	utf8_add_plain_string(out, series->name.metric);
	text_add(out, ": ");
	format_count(out, series->count, "version");
	text_add(out, ", ");
	format_count(out, history->change_count, "change");
	text_add(out, ", ");
	format_count(out, history->outlier_count, "outlier");
	text_add_char(out, '\n');
}

static void add_value_cell(struct table *table, double value, const char *unit)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_value(&cell, value, unit);
	table_add_cell(table, text_string(&cell));
}

static void add_change(const char *version, const char *unit,
		       const struct change_point *change, struct table *table)
{
	CLEANUP(text_finish) struct text name = {0};
	CLEANUP(text_finish) struct text percent = {0};

	utf8_add_plain_string(&name, version);
	format_change(&percent, change->change_percent);
	table_add_cell(table, text_string(&name));
	add_value_cell(table, change->before, unit);
	add_value_cell(table, change->after, unit);
	table_add_cell(table, text_string(&percent));
	table_add_cell(table, !change->worse         ? "improvement"
			      : change->acknowledged ? "regression, acknowledged"
						     : "regression");
}

static void add_changes(const struct measurements *measurements,
			const struct series *series, const struct history *history,
			struct text *out)
{
	static const char *const titles[] = {"from", "before", "after", "change", ""};
	CLEANUP(table_finish) struct table table = {0};

	for (int i = 0; i < 5; i++)
		table_add_column(&table, titles[i], i > 0 && i < 4);
	for (size_t i = 0; i < history->change_count; i++)
		add_change(version_at(measurements, series, history->changes[i].index),
			   series->name.unit, &history->changes[i], &table);
	if (history->change_count)
		table_print(&table, TABLE_WIDTH, out);
}

static void add_outliers(const struct measurements *measurements,
			 const struct series *series, const struct history *history,
			 struct text *out)
{
	for (size_t i = 0; i < history->outlier_count; i++) {
		text_add(out, i ? ", " : "outliers: ");
		utf8_add_plain_string(
			out, version_at(measurements, series, history->outliers[i]));
	}
	if (history->outlier_count)
		text_add_char(out, '\n');
}

static void add_trend(const struct trend *trend, struct text *out)
{
	/* A trend that rounds to nothing is none to people. */
	if (!trend->found || fabs(trend->change_percent) < 0.05)
		return;
	text_format(out, "slowly getting %s at the newest level",
		    trend->worse ? "worse" : "better");
	if (!isnan(trend->change_percent))
		text_format(out, ": %+.1f %% between its halves", trend->change_percent);
	text_format(out, " (p %.2g)\n", trend->p);
}

void history_text(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *out)
{
	add_title(series, history, out);
	add_changes(measurements, series, history, out);
	add_outliers(measurements, series, history, out);
	add_trend(&history->trend, out);
}

/* --- the picture */

struct chart {
	char cells[ROWS + 1][MOST_COLUMNS]; /* the last row: changes */
	size_t columns, points;
	double low, high;
};

static size_t column_of(const struct chart *chart, size_t point)
{
	return point * chart->columns / chart->points;
}

/* From the top; the middle where all is one value. */
static size_t row_of(const struct chart *chart, double value)
{
	double span = chart->high - chart->low;

	if (!(span > 0))
		return ROWS / 2;
	return (size_t)lround((chart->high - value) / span * (ROWS - 1));
}

static void draw_levels(struct chart *chart, const struct history *history)
{
	for (size_t i = 0; i < history->level_count; i++) {
		size_t end = i + 1 < history->level_count ? history->levels[i + 1].first
							  : chart->points;
		size_t row = row_of(chart, history->levels[i].value);

		for (size_t k = history->levels[i].first; k < end; k++)
			chart->cells[row][column_of(chart, k)] = '-';
	}
}

static void draw_points(struct chart *chart, const double *values,
			const struct history *history)
{
	for (size_t i = 0; i < chart->points; i++)
		chart->cells[row_of(chart, values[i])][column_of(chart, i)] = '*';
	for (size_t i = 0; i < history->outlier_count; i++) {
		size_t at = history->outliers[i];

		chart->cells[row_of(chart, values[at])][column_of(chart, at)] = 'o';
	}
	for (size_t i = 0; i < history->change_count; i++) {
		const struct change_point *change = &history->changes[i];

		chart->cells[ROWS][column_of(chart, change->index)] =
			change->acknowledged ? 'a'
			: change->worse      ? '!'
					     : '+';
	}
}

static void add_row(const struct chart *chart, size_t row, const char *label,
		    struct text *out)
{
	size_t columns = chart->columns;

	while (columns && chart->cells[row][columns - 1] == ' ')
		columns--;
	text_format(out, "%*s |%.*s\n", LABEL, label, (int)columns, chart->cells[row]);
}

static void print(const struct chart *chart, const char *unit, struct text *out)
{
	CLEANUP(text_finish) struct text top = {0};
	CLEANUP(text_finish) struct text bottom = {0};

	format_value(&top, chart->high, unit);
	format_value(&bottom, chart->low, unit);
	for (size_t row = 0; row < ROWS; row++)
		add_row(chart, row,
			row == 0          ? text_string(&top)
			: row == ROWS - 1 ? text_string(&bottom)
					  : "",
			out);
	add_row(chart, ROWS, "", out);
}

void history_chart(const struct series *series, const double *values,
		   const struct history *history, size_t width, struct text *out)
{
	struct chart chart = {.points = series->count};
	size_t room = width > LABEL + 12 ? width - LABEL - 3 : 10;

	if (!series->count)
		return;
	memset(chart.cells, ' ', sizeof(chart.cells));
	chart.columns = chart.points < room ? chart.points : room;
	chart.columns = chart.columns < MOST_COLUMNS ? chart.columns : MOST_COLUMNS;
	chart.low = chart.high = values[0];
	for (size_t i = 1; i < chart.points; i++) {
		chart.low = fmin(chart.low, values[i]);
		chart.high = fmax(chart.high, values[i]);
	}
	draw_levels(&chart, history);
	draw_points(&chart, values, history);
	print(&chart, series->name.unit, out);
}
