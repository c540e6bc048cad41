/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of an explanation, and its form for terminals. */
#include "report/explanation_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/format.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WIDTH = 80, NAME_WIDTH = 16, LISTED_NAMES = 8, LISTED_MOVES = 5 };

/* A commit's whole name is too wide for the head of a column. */
static void add_version(struct table *table, const char *version)
{
	CLEANUP(text_finish) struct text title = {0};

	text_format(&title, "%.*s", strlen(version) == 40 ? 12 : NAME_WIDTH, version);
	table_add_column(table, text_string(&title), 1);
}

static void add_amount(struct table *table, double value, int with_sign)
{
	CLEANUP(text_finish) struct text cell = {0};

	explanation_amount(value, with_sign, &cell);
	table_add_cell(table, text_string(&cell));
}

static void add_time(struct table *table, double value, int with_sign)
{
	CLEANUP(text_finish) struct text cell = {0};

	if (with_sign && value > 0)
		text_add_char(&cell, '+');
	format_value(&cell, value, "ns");
	table_add_cell(table, text_string(&cell));
}

const struct explanation_cost explanation_cost_list[EXPLANATION_COSTS] = {
	{"guest time", "elapsed_ns", offsetof(struct difference_side, elapsed), 1},
	{"waiting", "waiting_ns", offsetof(struct difference_side, waiting), 1},
	{"instructions", "instructions", offsetof(struct difference_side, executed), 0},
	{"- in user code", "user_instructions", offsetof(struct difference_side, user),
	 0},
	{"- in the idle loop", "idle_instructions",
	 offsetof(struct difference_side, idle), 0},
	{"block reads", "read_requests", offsetof(struct difference_side, read_requests),
	 0},
	{"block writes", "write_requests",
	 offsetof(struct difference_side, write_requests), 0},
	{"flushes", "flush_requests", offsetof(struct difference_side, flush_requests),
	 0},
};

double explanation_cost_of(const struct difference_side *side,
			   const struct explanation_cost *cost)
{
	return *(const double *)(const void *)((const char *)side + cost->offset);
}

void explanation_costs(const struct explanation *explanation, struct table *table)
{
	const struct difference *difference = &explanation->functions;

	table_add_column(table, "per operation", 0);
	add_version(table, explanation->a);
	add_version(table, explanation->b);
	table_add_column(table, "change", 1);
	for (size_t i = 0; i < EXPLANATION_COSTS; i++) {
		const struct explanation_cost *cost = &explanation_cost_list[i];
		double a = explanation_cost_of(&difference->a, cost);
		double b = explanation_cost_of(&difference->b, cost);
		void (*add)(struct table *, double, int) =
			cost->is_time ? add_time : add_amount;

		if (isnan(a) && isnan(b))
			continue;
		table_add_cell(table, cost->title);
		add(table, a, 0);
		add(table, b, 0);
		add(table, b - a, 1);
	}
}

/* "new", "gone" or how much more often it is called. */
static void add_calls(struct table *table, const struct difference_row *row)
{
	if (row->state == DIFFERENCE_NEW || row->state == DIFFERENCE_GONE)
		table_add_cell(table, difference_state_name(row->state));
	else if (fabs(row->b_calls - row->a_calls) < 0.005)
		table_add_cell(table, "");
	else
		add_amount(table, row->b_calls - row->a_calls, 1);
}

static void add_row(struct table *table, const struct difference_row *row,
		    int by_function)
{
	CLEANUP(text_finish) struct text name = {0};

	text_format(&name, "%s%s", row->code_differs && by_function ? "* " : "",
		    row->name);
	if (row->before)
		text_format(&name, " (was %s)", row->before);
	table_add_cell(table, text_string(&name));
	if (by_function)
		table_add_cell(table, row->file);
	add_amount(table, row->a_instructions, 0);
	add_amount(table, row->b_instructions, 0);
	add_amount(table, row->change, 1);
	if (by_function)
		add_calls(table, row);
}

/* --- remarks */

/* Rows come by size, but for these, where they are few. */
static void remark_code(const struct difference *difference, struct table *table)
{
	CLEANUP(text_finish) struct text same = {0};
	size_t count = 0, all = 0;

	for (size_t i = 0; i < difference->count; i++) {
		const struct difference_row *row = &difference->rows[i];

		all += row->code_differs != 0;
		if (!row->code_differs || row->state != DIFFERENCE_SAME)
			continue;
		if (count++ < LISTED_NAMES)
			text_format(&same, "%s%s", same.size ? ", " : "", row->name);
	}
	if (difference->causes)
		text_list_add(&table->remarks,
			      "* the code of this function is another; such rows come "
			      "first, the others by size");
	if (count && all <= DIFFERENCE_CAUSES_MAX)
		text_list_format(&table->remarks,
				 "other code, but executed as before: %s",
				 text_string(&same));
}

static void remark_rest(const struct difference *difference, size_t shown,
			struct table *table)
{
	CLEANUP(text_finish) struct text remark = {0};
	double change = 0;

	if (shown >= difference->changed)
		return;
	for (size_t i = shown; i < difference->changed; i++)
		change += difference->rows[i].change;
	text_format(&remark, "%zu more with smaller changes, together ",
		    difference->changed - shown);
	explanation_amount(change, 1, &remark);
	text_list_add(&table->remarks, text_string(&remark));
}

static void remark_renamed(const struct difference *difference, struct table *table)
{
	CLEANUP(text_finish) struct text remark = {0};
	size_t count = 0;

	for (size_t i = 0; i < difference->count; i++) {
		const struct difference_row *row = &difference->rows[i];

		if (!row->before || row->state != DIFFERENCE_SAME)
			continue;
		if (count++ < LISTED_NAMES)
			text_format(&remark, "%s%s is now %s", remark.size ? ", " : "",
				    row->before, row->name);
	}
	if (count > LISTED_NAMES)
		text_format(&remark, " and %zu more", count - LISTED_NAMES);
	if (count)
		text_list_format(&table->remarks, "renamed, else the same: %s",
				 text_string(&remark));
}

/* Only where both are there can one have taken the other's work. */
static void remark_moves(const struct difference *difference, struct table *table)
{
	size_t shown = 0;

	for (size_t i = 0; i < difference->move_count && shown < LISTED_MOVES; i++) {
		const struct difference_move *move = &difference->moves[i];
		CLEANUP(text_finish) struct text change = {0};

		if (!move->gone || !move->new)
			continue;
		explanation_amount(move->change, 1, &change);
		text_list_format(
			&table->remarks,
			"%s: functions gone %zu, new %zu; the file as a whole %s",
			move->file, move->gone, move->new, text_string(&change));
		shown++;
	}
}

static void remark_unknown(const struct profile *profile, const char *version,
			   struct table *table)
{
	int functions = 0, files = 0;

	for (size_t i = 0; i < profile->count; i++) {
		functions |= profile_kind_of(profile->rows[i].name) == PROFILE_FUNCTION;
		files |= *profile->rows[i].file != '\0';
	}
	if (!functions)
		text_list_format(
			&table->remarks,
			"the kernel of %s is without symbols: all of its code is "
			"one row",
			version);
	else if (!files)
		text_list_format(
			&table->remarks,
			"the source files of %s are not known: its kernel was not "
			"built here, or by an older kregress",
			version);
}

void explanation_changes(const struct explanation *explanation, size_t most,
			 struct table *table)
{
	const struct difference *difference = explanation_shown(explanation);
	int by_function = explanation->fold == FOLD_FUNCTION;
	size_t shown = difference->changed < most ? difference->changed : most;

	table_add_column(table, difference_fold_name(explanation->fold), 0);
	if (by_function)
		table_add_column(table, "file", 0);
	add_version(table, explanation->a);
	add_version(table, explanation->b);
	table_add_column(table, "change", 1);
	if (by_function)
		table_add_column(table, "calls", 1);
	for (size_t i = 0; i < shown; i++)
		add_row(table, &difference->rows[i], by_function);
	if (by_function)
		remark_code(difference, table);
	remark_rest(difference, shown, table);
	remark_renamed(difference, table);
	remark_moves(difference, table);
	remark_unknown(&explanation->a_profile, explanation->a, table);
	if (strcmp(explanation->a, explanation->b) != 0)
		remark_unknown(&explanation->b_profile, explanation->b, table);
}

/* --- terminals */

static void print_words(const char *words, struct text *out)
{
	size_t column = 0;

	while (*(words += strspn(words, " "))) {
		size_t length = strcspn(words, " ");

		if (column && column + 1 + length > WIDTH) {
			text_add_char(out, '\n');
			column = 0;
		} else if (column) {
			text_add_char(out, ' ');
			column++;
		}
		utf8_add_plain(out, words, length);
		column += length;
		words += length;
	}
	text_add_char(out, '\n');
}

void explanation_print(const struct explanation *explanation, size_t most,
		       struct text *out)
{
	CLEANUP(table_finish) struct table costs_table = {0};
	CLEANUP(table_finish) struct table changes = {0};
	CLEANUP(text_finish) struct text head = {0};
	CLEANUP(text_finish) struct text sentence = {0};

	text_format(&head, "%s%s%s: %s against %s", explanation->scenario,
		    *explanation->case_label ? ", " : "", explanation->case_label,
		    explanation->b, explanation->a);
	print_words(text_string(&head), out);
	explanation_sentence(explanation, &sentence);
	print_words(text_string(&sentence), out);
	text_add_char(out, '\n');
	explanation_costs(explanation, &costs_table);
	table_print(&costs_table, WIDTH, out);
	text_add_char(out, '\n');
	explanation_changes(explanation, most, &changes);
	if (table_rows(&changes))
		table_print(&changes, WIDTH, out);
	for (size_t i = 0; i < changes.remarks.count; i++)
		print_words(changes.remarks.items[i], out);
}
