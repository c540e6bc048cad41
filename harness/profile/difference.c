/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/difference.h"

#include "base/memory.h"
#include "profile/match_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const fold_names[FOLD_COUNT] = {
	[FOLD_FUNCTION] = "function",
	[FOLD_FILE] = "file",
	[FOLD_FOLDER] = "folder",
};

static const char *const state_names[] = {
	[DIFFERENCE_SAME] = "same",
	[DIFFERENCE_CHANGED] = "changed",
	[DIFFERENCE_NEW] = "new",
	[DIFFERENCE_GONE] = "gone",
};

const char *difference_fold_name(enum difference_fold fold)
{
	return fold_names[fold];
}

enum difference_fold difference_fold_find(const char *name)
{
	enum difference_fold fold = FOLD_FUNCTION;

	while (fold < FOLD_COUNT && strcmp(fold_names[fold], name))
		fold++;
	return fold;
}

const char *difference_state_name(enum difference_state state)
{
	return state_names[state];
}

void difference_finish(struct difference *difference)
{
	text_list_finish(&difference->strings);
	free(difference->rows);
	free(difference->moves);
	*difference = (struct difference){0};
}

static struct difference_side side_of(const struct profile *profile, double nanoseconds)
{
	const struct profile_facts *facts = &profile->facts;
	double operations = profile_operations(profile);
	double executed = (double)profile_executed(profile);

	return (struct difference_side){
		.operations = operations,
		.executed = executed / operations,
		.user = (double)profile_executed_by(profile, PROFILE_USER) / operations,
		.idle = (double)profile_executed_by(profile, PROFILE_IDLE) / operations,
		.elapsed = facts->elapsed / operations,
		/* Blocks that were left early count whole: a little too much at most. */
		.waiting = isnan(facts->elapsed)
				   ? NAN
				   : fmax(facts->elapsed - executed * nanoseconds, 0) /
					     operations,
		.read_requests = facts->read_requests / operations,
		.write_requests = facts->write_requests / operations,
		.flush_requests = facts->flush_requests / operations,
	};
}

/* Equal counts of equally many operations are equal, whatever rounding does. */
static double per_operation_change(const struct match *match, double a_operations,
				   double b_operations)
{
	double a = (double)match->a_instructions, b = (double)match->b_instructions;

	if (a_operations == b_operations)
		return (b - a) / a_operations;
	return b / b_operations - a / a_operations;
}

static enum difference_state state_of(const struct match *match, double change,
				      double size)
{
	if (!match->in_a)
		return DIFFERENCE_NEW;
	if (!match->in_b)
		return DIFFERENCE_GONE;
	return fabs(change) > 1e-9 * size ? DIFFERENCE_CHANGED : DIFFERENCE_SAME;
}

static void add_row(struct difference *difference, const struct match *match)
{
	double a = difference->a.operations, b = difference->b.operations;
	double change = per_operation_change(match, a, b);
	struct difference_row row = {
		.name = match->name,
		.file = match->file,
		.before = match->before,
		.kind = profile_kind_of(match->name),
		.a_instructions = (double)match->a_instructions / a,
		.b_instructions = (double)match->b_instructions / b,
		.a_calls = (double)match->a_calls / a,
		.b_calls = (double)match->b_calls / b,
		.change = change,
	};

	row.state = state_of(match, change, row.a_instructions + row.b_instructions);
	if (row.state == DIFFERENCE_SAME)
		row.change = 0;
	difference->rows = memory_grow(difference->rows, difference->count,
				       &difference->capacity, sizeof(*difference->rows));
	difference->rows[difference->count++] = row;
	difference->changed += row.state != DIFFERENCE_SAME;
}

static int compare_rows(const void *a, const void *b)
{
	const struct difference_row *x = a, *y = b;
	double x_size = fabs(x->change), y_size = fabs(y->change);

	if ((x->state == DIFFERENCE_SAME) != (y->state == DIFFERENCE_SAME))
		return x->state == DIFFERENCE_SAME ? 1 : -1;
	if (x_size != y_size)
		return x_size > y_size ? -1 : 1;
	return strcmp(x->name, y->name) ? strcmp(x->name, y->name)
					: strcmp(x->file, y->file);
}

static int compare_causes(const void *a, const void *b)
{
	const struct difference_row *x = a, *y = b;

	return x->code_differs != y->code_differs ? y->code_differs - x->code_differs
						  : compare_rows(a, b);
}

void difference_put_causes_first(struct difference *difference)
{
	size_t causes = 0;

	for (size_t i = 0; i < difference->changed; i++)
		causes += difference->rows[i].code_differs != 0;
	if (!causes || causes > DIFFERENCE_CAUSES_MAX)
		return;
	qsort(difference->rows, difference->changed, sizeof(*difference->rows),
	      compare_causes);
	difference->causes = causes;
}

static int compare_moves(const void *a, const void *b)
{
	const struct difference_move *x = a, *y = b;
	double x_size = fabs(x->change), y_size = fabs(y->change);

	if (x_size != y_size)
		return x_size > y_size ? -1 : 1;
	return strcmp(x->file, y->file);
}

static struct difference_move *move_of(struct difference *difference, const char *file)
{
	for (size_t i = 0; i < difference->move_count; i++)
		if (!strcmp(difference->moves[i].file, file))
			return &difference->moves[i];
	difference->moves =
		memory_grow(difference->moves, difference->move_count,
			    &difference->move_capacity, sizeof(*difference->moves));
	difference->moves[difference->move_count] =
		(struct difference_move){.file = file};
	return &difference->moves[difference->move_count++];
}

static void find_moves(struct difference *difference)
{
	for (size_t i = 0; i < difference->count; i++) {
		const struct difference_row *row = &difference->rows[i];

		if (row->kind != PROFILE_FUNCTION || !*row->file)
			continue;
		if (row->state == DIFFERENCE_GONE)
			move_of(difference, row->file)->gone++;
		if (row->state == DIFFERENCE_NEW)
			move_of(difference, row->file)->new ++;
	}
	for (size_t i = 0; i < difference->count; i++)
		for (size_t j = 0; j < difference->move_count; j++)
			if (!strcmp(difference->moves[j].file, difference->rows[i].file))
				difference->moves[j].change += difference->rows[i].change;
	if (difference->move_count)
		qsort(difference->moves, difference->move_count,
		      sizeof(*difference->moves), compare_moves);
}

void difference_make(const struct profile *a, const struct profile *b,
		     enum difference_fold fold, double nanoseconds,
		     struct difference *ret_difference)
{
	struct matches matches = {0};

	*ret_difference = (struct difference){
		.a = side_of(a, nanoseconds),
		.b = side_of(b, nanoseconds),
	};
	matches_make(a, b, fold, &ret_difference->strings, &matches);
	for (size_t i = 0; i < matches.count; i++)
		add_row(ret_difference, &matches.items[i]);
	matches_finish(&matches);
	if (ret_difference->count)
		qsort(ret_difference->rows, ret_difference->count,
		      sizeof(*ret_difference->rows), compare_rows);
	if (fold == FOLD_FUNCTION)
		find_moves(ret_difference);
}

const struct difference_row *difference_find(const struct difference *difference,
					     const char *name)
{
	for (size_t i = 0; i < difference->count; i++)
		if (!strcmp(difference->rows[i].name, name))
			return &difference->rows[i];
	return NULL;
}
