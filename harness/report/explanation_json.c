/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/json.h"
#include "report/explanation_private.h"

static void add_string(struct text *out, const char *key, const char *value)
{
	json_put_key(out, key);
	json_put_string(out, value);
}

static void add_number(struct text *out, const char *key, double value)
{
	json_put_key(out, key);
	json_put_number(out, value);
}

static void add_costs(const struct difference *difference, struct text *out)
{
	json_put_key(out, "per_operation");
	text_add_char(out, '{');
	for (size_t i = 0; i < EXPLANATION_COSTS; i++) {
		const struct explanation_cost *cost = &explanation_cost_list[i];
		double a = explanation_cost_of(&difference->a, cost);
		double b = explanation_cost_of(&difference->b, cost);

		json_put_key(out, cost->key);
		text_add_char(out, '{');
		add_number(out, "a", a);
		add_number(out, "b", b);
		add_number(out, "change", b - a);
		text_add_char(out, '}');
	}
	text_add_char(out, '}');
}

static void add_row(const struct difference_row *row, struct text *out)
{
	static const char *const kinds[PROFILE_KINDS] = {
		[PROFILE_FUNCTION] = "function",
		[PROFILE_USER] = "user",
		[PROFILE_IDLE] = "idle",
		[PROFILE_UNKNOWN] = "unknown",
	};

	json_put_comma(out);
	text_add_char(out, '{');
	add_string(out, "name", row->name);
	add_string(out, "before", row->before);
	add_string(out, "file", *row->file ? row->file : NULL);
	add_string(out, "kind", kinds[row->kind]);
	add_string(out, "state", difference_state_name(row->state));
	add_number(out, "a", row->a_instructions);
	add_number(out, "b", row->b_instructions);
	add_number(out, "change", row->change);
	json_put_key(out, "code_changed");
	text_add(out, row->code_differs ? "true" : "false");
	add_number(out, "a_calls", row->a_calls);
	add_number(out, "b_calls", row->b_calls);
	text_add_char(out, '}');
}

static void add_rows(const struct difference *difference, struct text *out)
{
	json_put_key(out, "rows");
	text_add_char(out, '[');
	for (size_t i = 0; i < difference->count; i++)
		if (difference->rows[i].state != DIFFERENCE_SAME ||
		    difference->rows[i].before)
			add_row(&difference->rows[i], out);
	text_add_char(out, ']');
}

static void add_moves(const struct difference *difference, struct text *out)
{
	json_put_key(out, "moves");
	text_add_char(out, '[');
	for (size_t i = 0; i < difference->move_count; i++) {
		const struct difference_move *move = &difference->moves[i];

		json_put_comma(out);
		text_add_char(out, '{');
		add_string(out, "file", move->file);
		json_put_key(out, "gone");
		json_put_count(out, move->gone);
		json_put_key(out, "new");
		json_put_count(out, move->new);
		add_number(out, "change", move->change);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
}

static void add_side(const struct profile *profile, const char *key, struct text *out)
{
	json_put_key(out, key);
	text_add_char(out, '{');
	json_put_key(out, "runs");
	json_put_count(out, profile->runs);
	add_number(out, "operations", profile->facts.operations);
	add_number(out, "outside_instructions", (double)profile->outside);
	text_add_char(out, '}');
}

void explanation_json(const struct explanation *explanation, struct text *out)
{
	const struct difference *difference = explanation_shown(explanation);
	CLEANUP(text_finish) struct text sentence = {0};

	explanation_sentence(explanation, &sentence);
	text_add_char(out, '{');
	add_string(out, "a", explanation->a);
	add_string(out, "b", explanation->b);
	add_string(out, "scenario", explanation->scenario);
	add_string(out, "case", explanation->case_label);
	add_string(out, "sentence", text_string(&sentence));
	add_side(&explanation->a_profile, "a_runs", out);
	add_side(&explanation->b_profile, "b_runs", out);
	add_costs(&explanation->functions, out);
	add_string(out, "by", difference_fold_name(explanation->fold));
	add_rows(difference, out);
	add_moves(difference, out);
	text_add_char(out, '}');
}
