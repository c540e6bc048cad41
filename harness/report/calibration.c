/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/calibration.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, SENTENCE_LOOK = 1 }; /* "with 8 boots ..." */

void calibration_finish(struct calibration *calibration)
{
	free(calibration->items);
	*calibration = (struct calibration){0};
}

double calibrated_floor(const struct calibrated *item)
{
	double floor =
		item->exact ? item->identity.stray_percent : item->noise.floor_percent;

	return isfinite(floor) ? floor : 0;
}

static struct noise sum_of(const struct calibration *calibration)
{
	struct noise sum = {0};

	for (size_t i = 0; i < calibration->count; i++) {
		sum.trials += calibration->items[i].noise.trials;
		sum.alarms += calibration->items[i].noise.alarms;
	}
	return sum;
}

/* --- text */

static void add_percent_cell(struct table *table, double percent)
{
	CLEANUP(text_finish) struct text cell = {0};

	if (isnan(percent))
		text_add(&cell, "-");
	else
		text_format(&cell, "%.2g %%", percent);
	table_add_cell(table, text_string(&cell));
}

static void add_columns(struct table *table, int exact)
{
	table_add_column(table, "case", 0);
	table_add_column(table, "metric", 0);
	if (exact) {
		table_add_column(table, "boots that agree", 1);
		table_add_column(table, "others stray by", 1);
		return;
	}
	table_add_column(table, "median", 1);
	table_add_column(table, "noise", 1);
	table_add_column(table, "floor", 1);
	for (int i = 0; i < SEQUENTIAL_LOOKS; i++) {
		CLEANUP(text_finish) struct text title = {0};

		text_format(&title, "seen with %zu", sequential_plan[i].boots);
		table_add_column(table, text_string(&title), 1);
	}
	table_add_column(table, "false alarms", 1);
}

static void add_cell(struct table *table, const char *cell)
{
	CLEANUP(text_finish) struct text plain = {0};

	utf8_add_plain_string(&plain, cell);
	table_add_cell(table, text_string(&plain));
}

static void add_share_cell(struct table *table, size_t part, size_t whole)
{
	CLEANUP(text_finish) struct text cell = {0};

	text_format(&cell, "%zu of %zu", part, whole);
	table_add_cell(table, text_string(&cell));
}

static void add_row(struct table *table, const struct calibrated *item)
{
	CLEANUP(text_finish) struct text median = {0};

	add_cell(table, item->name.case_label);
	add_cell(table, item->name.metric);
	if (item->exact) {
		add_share_cell(table, item->identity.agreeing, item->identity.boots);
		add_percent_cell(table, item->identity.stray_percent);
		return;
	}
	format_value(&median, item->noise.median, item->name.unit);
	table_add_cell(table, text_string(&median));
	add_percent_cell(table, item->noise.spread_percent);
	add_percent_cell(table, item->noise.floor_percent);
	for (int i = 0; i < SEQUENTIAL_LOOKS; i++)
		add_percent_cell(table, item->noise.finds_percent[i]);
	add_share_cell(table, item->noise.alarms, item->noise.trials);
}

/* The smallest change that one boot more or less shows in an exact lab. */
static double exact_change(const struct calibrated *item)
{
	return fmax(item->minimum_percent, calibrated_floor(item));
}

static double found_change(const struct calibrated *item)
{
	return item->exact ? exact_change(item)
			   : item->noise.finds_percent[SENTENCE_LOOK];
}

/* "with 8 boots you will see changes of 4 % or more" */
static void add_sentence(const struct calibrated *items, size_t count, struct text *out)
{
	double worst = 0, best = INFINITY;
	size_t unseen = 0, at = 0;

	for (size_t i = 0; i < count; i++) {
		double change = found_change(&items[i]);

		unseen += isnan(change);
		worst = fmax(worst, change);
		if (change < best) {
			best = change;
			at = i;
		}
	}
	if (unseen < count)
		text_format(
			out, "with %zu boot%s you will see changes of %.2g %% or more",
			items->exact ? (size_t)1 : sequential_plan[SENTENCE_LOOK].boots,
			items->exact ? "" : "s", worst);
	if (unseen < count && best < worst * 0.8)
		text_format(out, " in every row, of %.2g %% in %s %s", best,
			    items[at].name.case_label, items[at].name.metric);
	if (unseen)
		text_format(out, "%s%zu row%s can show no change",
			    unseen < count ? "; " : "", unseen, unseen == 1 ? "" : "s");
	text_add_char(out, '\n');
}

/* Of an exact lab only what is not as it should be. */
static int is_told(const struct calibrated *item)
{
	return !item->exact || item->identity.agreeing < item->identity.boots;
}

static void add_scenario(const struct calibrated *items, size_t count, struct text *out)
{
	CLEANUP(table_finish) struct table table = {0};
	size_t told = 0;

	text_add_char(out, '\n');
	utf8_add_plain_string(out, items->name.scenario);
	text_add_char(out, '\n');
	add_columns(&table, items->exact);
	for (size_t i = 0; i < count; i++) {
		if (!is_told(&items[i]))
			continue;
		add_row(&table, &items[i]);
		told++;
	}
	if (told)
		table_print(&table, WIDTH, out);
	if (items->exact)
		text_format(
			out,
			"identity: in %zu of %zu rows all boots agree to the last bit\n",
			count - told, count);
	add_sentence(items, count, out);
}

static void add_interval(unsigned part, unsigned whole, struct text *out)
{
	struct share_interval interval = tails_share_interval(part, whole, 0.95);

	text_format(out, " (95 %%: %.2g to %.2g %%)", interval.low * 100,
		    interval.high * 100);
}

static void add_total(const struct calibration *calibration, struct text *out)
{
	struct noise sum = sum_of(calibration);

	text_add_char(out, '\n');
	if (calibration->items->exact) {
		text_format(out, "boots that strayed: %zu of %zu", calibration->odd_boots,
			    calibration->boots);
		add_interval((unsigned)calibration->odd_boots,
			     (unsigned)calibration->boots, out);
		text_add(out, "; what most boots agree on is exact\n");
		return;
	}
	text_format(out, "false alarms: %u of %u comparisons of %s with itself",
		    sum.alarms, sum.trials, calibration->version);
	if (sum.trials)
		add_interval(sum.alarms, sum.trials, out);
	text_add(out, "\na change that is seen is seen in 8 of 10 sessions at least; no "
		      "judgement takes one below the floor for real\n");
}

void calibration_text(const struct calibration *calibration, struct text *out)
{
	const struct calibrated *items = calibration->items;
	size_t next;

	text_format(out, "%s against itself, ", calibration->version);
	format_count(out, calibration->boots, "boot");
	text_format(out, " (%s)\n", calibration->lab);
	for (size_t i = 0; i < calibration->count; i = next) {
		for (next = i + 1; next < calibration->count; next++)
			if (strcmp(items[i].name.scenario, items[next].name.scenario))
				break;
		add_scenario(items + i, next - i, out);
	}
	if (calibration->count)
		add_total(calibration, out);
}

/* --- JSON */

static void add_key_number(struct text *out, const char *key, double value)
{
	json_put_key(out, key);
	json_put_number(out, value);
}

static void add_key_string(struct text *out, const char *key, const char *value)
{
	json_put_key(out, key);
	json_put_string(out, value);
}

static void add_alarms(struct text *out, const struct noise *noise)
{
	json_put_key(out, "false_alarms");
	text_format(out,
		    "{\"alarms\":%u,\"trials\":%u,\"interval_percent\":", noise->alarms,
		    noise->trials);
	if (noise->trials) {
		struct share_interval interval =
			tails_share_interval(noise->alarms, noise->trials, 0.95);

		text_add_char(out, '[');
		json_put_number(out, interval.low * 100);
		text_add_char(out, ',');
		json_put_number(out, interval.high * 100);
		text_add(out, "]}");
	} else {
		text_add(out, "null}");
	}
}

static void add_finds(struct text *out, const struct calibrated *item)
{
	json_put_key(out, "finds");
	text_add_char(out, '[');
	for (int i = 0; i < (item->exact ? 1 : SEQUENTIAL_LOOKS); i++) {
		json_put_comma(out);
		text_format(out, "{\"boots\":%zu",
			    item->exact ? (size_t)1 : sequential_plan[i].boots);
		add_key_number(out, "percent",
			       item->exact ? exact_change(item)
					   : item->noise.finds_percent[i]);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
}

static void add_series(struct text *out, const struct calibrated *item)
{
	json_put_comma(out);
	text_add_char(out, '{');
	add_key_string(out, "scenario", item->name.scenario);
	add_key_string(out, "case", item->name.case_label);
	add_key_string(out, "metric", item->name.metric);
	add_key_string(out, "unit", item->name.unit);
	add_key_string(out, "better", better_name(item->name.better));
	json_put_key(out, "boots");
	json_put_count(out, item->exact ? item->identity.boots : item->noise.boots);
	if (item->exact) {
		json_put_key(out, "agreeing");
		json_put_count(out, item->identity.agreeing);
	} else {
		add_key_number(out, "median", item->noise.median);
		add_key_number(out, "spread_percent", item->noise.spread_percent);
	}
	add_key_number(out, "floor_percent",
		       item->exact ? item->identity.stray_percent
				   : item->noise.floor_percent);
	add_key_number(out, "minimum_effect_percent", item->minimum_percent);
	add_finds(out, item);
	if (!item->exact)
		add_alarms(out, &item->noise);
	text_add_char(out, '}');
}

void calibration_json(const struct calibration *calibration, struct text *out)
{
	struct noise sum = sum_of(calibration);

	text_add_char(out, '{');
	add_key_string(out, "version", calibration->version);
	add_key_string(out, "lab", calibration->lab);
	json_put_key(out, "seed");
	text_format(out, "%llu", (unsigned long long)calibration->seed);
	json_put_key(out, "boots");
	json_put_count(out, calibration->boots);
	if (calibration->count && calibration->items->exact) {
		json_put_key(out, "odd_boots");
		json_put_count(out, calibration->odd_boots);
	} else {
		add_alarms(out, &sum);
	}
	json_put_key(out, "series");
	text_add_char(out, '[');
	for (size_t i = 0; i < calibration->count; i++)
		add_series(out, &calibration->items[i]);
	text_add(out, "]}\n");
}
