/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/comparison_json.h"

#include "base/cleanup.h"
#include "base/json.h"

#include <math.h>

enum { FLUSH_SIZE = 65536 };

static void add_string(struct text *text, const char *key, const char *value)
{
	json_put_key(text, key);
	json_put_string(text, value);
}

static void add_number(struct text *text, const char *key, double value)
{
	json_put_key(text, key);
	json_put_number(text, value);
}

static void add_name(struct text *text, const struct series_name *name)
{
	add_string(text, "scenario", name->scenario);
	add_string(text, "case", name->case_label);
	add_string(text, "metric", name->metric);
	add_string(text, "unit", name->unit);
	add_string(text, "better", better_name(name->better));
}

static void add_side(struct text *text, const char *key, const struct side_summary *side)
{
	json_put_key(text, key);
	text_add(text, "{\"boots\":");
	json_put_count(text, side->boots);
	add_number(text, "median", side->median);
	add_number(text, "min", side->min);
	add_number(text, "max", side->max);
	text_add_char(text, '}');
}

static void add_interval(struct text *text, const double interval[2])
{
	json_put_key(text, "ci_percent");
	if (isnan(interval[0])) {
		text_add(text, "null");
		return;
	}
	text_add_char(text, '[');
	json_put_number(text, interval[0]);
	text_add_char(text, ',');
	json_put_number(text, interval[1]);
	text_add_char(text, ']');
}

static void add_figures(struct text *text, const struct comparison *c)
{
	add_number(text, "change_percent", c->change_percent);
	add_interval(text, c->ci_percent);
	add_number(text, "p", c->p);
	add_number(text, "q", c->q);
	add_number(text, "superiority", c->superiority);
	add_number(text, "boots_needed", c->boots_needed ? (double)c->boots_needed : NAN);
}

void comparison_json(const struct comparison *comparison, struct text *text)
{
	char sentence[COMPARISON_SENTENCE_SIZE];

	comparison_sentence(comparison, sentence);
	text_add_char(text, '{');
	add_string(text, "a", comparison->a_version);
	add_string(text, "b", comparison->b_version);
	add_string(text, "role", role_name(comparison->role));
	add_name(text, &comparison->name);
	add_side(text, "a_stats", &comparison->a);
	add_side(text, "b_stats", &comparison->b);
	add_figures(text, comparison);
	add_string(text, "verdict", verdict_name(comparison->verdict));
	json_put_key(text, "reasons");
	text_add_char(text, '[');
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		if (!comparison_has(comparison, reason))
			continue;
		json_put_comma(text);
		json_put_string(text, reason_name(reason));
	}
	text_add_char(text, ']');
	add_string(text, "sentence", sentence);
	text_add_char(text, '}');
}

static int flush(struct text *text, FILE *stream, struct error *err)
{
	if (text->size && fwrite(text->data, 1, text->size, stream) != text->size)
		return error_system(err, "writing the comparisons");
	text_clear(text);
	return 0;
}

int comparisons_print_json(const struct comparisons *comparisons, const char *more,
			   FILE *stream, struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};

	text_add(&text, "{\"comparisons\":[");
	for (size_t i = 0; i < comparisons->count; i++) {
		/* The buffer may just have been emptied: json_put_comma() cannot see. */
		if (i)
			text_add_char(&text, ',');
		comparison_json(&comparisons->items[i], &text);
		if (text.size > FLUSH_SIZE && flush(&text, stream, err))
			return -1;
	}
	text_add_char(&text, ']');
	if (more)
		text_format(&text, ",%s", more);
	text_add(&text, "}\n");
	return flush(&text, stream, err);
}

static void add_change(struct text *text, const struct measurements *measurements,
		       const struct series *series, const struct change_point *change)
{
	size_t version = series->levels[change->index].version;

	json_put_comma(text);
	text_add(text, "{\"index\":");
	json_put_count(text, change->index);
	add_string(text, "version", measurements->versions[version]);
	add_number(text, "before", change->before);
	add_number(text, "after", change->after);
	add_number(text, "change_percent", change->change_percent);
	add_string(text, "direction", change->worse ? "regression" : "improvement");
	if (change->acknowledged) {
		json_put_key(text, "acknowledged");
		text_add(text, "true");
	}
	text_add_char(text, '}');
}

static void add_trend(struct text *text, const struct trend *trend)
{
	json_put_key(text, "trend");
	if (!trend->points) {
		text_add(text, "null");
		return;
	}
	text_add(text, "{\"direction\":");
	json_put_string(text, !trend->found  ? "none"
			      : trend->worse ? "regression"
					     : "improvement");
	add_number(text, "p", trend->p);
	add_number(text, "change_percent", trend->change_percent);
	json_put_key(text, "points");
	json_put_count(text, trend->points);
	text_add_char(text, '}');
}

void history_json(const struct measurements *measurements, const struct series *series,
		  const struct history *history, struct text *text)
{
	text_add_char(text, '{');
	add_name(text, &series->name);
	json_put_key(text, "change_points");
	text_add_char(text, '[');
	for (size_t i = 0; i < history->change_count; i++)
		add_change(text, measurements, series, &history->changes[i]);
	text_add(text, "]");
	json_put_key(text, "outliers");
	text_add_char(text, '[');
	for (size_t i = 0; i < history->outlier_count; i++) {
		json_put_comma(text);
		json_put_count(text, history->outliers[i]);
	}
	text_add_char(text, ']');
	add_trend(text, &history->trend);
	text_add_char(text, '}');
}
