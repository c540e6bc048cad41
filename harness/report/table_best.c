/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/builder_private.h"

#include "base/cleanup.h"

#include <math.h>
#include <string.h>

/* A smaller one is nothing to choose a setting for. */
#define NO_DIFFERENCE 0.005

enum { MOST_VALUES = 8 };

struct contest {
	struct text values[MOST_VALUES];
	double times[MOST_VALUES];
	size_t count, best;
};

static void contest_finish(struct contest *contest)
{
	for (size_t i = 0; i < contest->count; i++)
		text_finish(&contest->values[i]);
}

static void compete(struct contest *contest, const struct text *value, double time)
{
	if (!isfinite(time) || time <= 0 || !value->size || contest->count == MOST_VALUES)
		return;
	text_add(&contest->values[contest->count], text_string(value));
	contest->times[contest->count] = time;
	if (time < contest->times[contest->best])
		contest->best = contest->count;
	contest->count++;
}

static int is_even(const struct contest *contest)
{
	for (size_t i = 0; i < contest->count; i++)
		if (contest->times[i] >
		    contest->times[contest->best] * (1 + NO_DIFFERENCE))
			return 0;
	return 1;
}

/* "64 is best; 256 takes 22.0 % longer, 128 1.2 %" */
static void add_order(const struct contest *contest, struct text *remark)
{
	const char *before = " takes", *behind = " longer";

	text_format(remark, "%s is best; ", text_string(&contest->values[contest->best]));
	for (size_t i = 0; i < contest->count; i++) {
		double ratio = contest->times[i] / contest->times[contest->best];

		if (i == contest->best)
			continue;
		text_format(remark, "%s%s%s %.1f %%%s", *before ? "" : ", ",
			    text_string(&contest->values[i]), before, 100 * (ratio - 1),
			    behind);
		before = behind = "";
	}
}

/* "v6.1, target=file: readahead_sectors 64 is best; 256 takes 22.0 % longer" */
static void name_best(struct builder *builder, const char *group, int version)
{
	CLEANUP(contest_finish) struct contest contest = {0};
	CLEANUP(text_finish) struct text remark = {0};

	for (size_t i = 0; i < builder->labels.count; i++) {
		CLEANUP(text_finish) struct text rest = {0};
		CLEANUP(text_finish) struct text value = {0};

		label_take_out(builder->labels.items[i], builder->layout->best_of, &rest,
			       &value);
		if (!strcmp(text_string(&rest), group))
			compete(&contest, &value,
				builder_sample(builder, builder->labels.items[i],
					       SOURCE_WHOLE, "elapsed", version));
	}
	if (contest.count < 2)
		return;
	text_format(&remark, "%s%s%s: %s ",
		    builder->section->results.versions.items[version].text,
		    *group ? ", " : "", group, builder->layout->best_of);
	if (is_even(&contest))
		text_add(&remark, "makes no difference");
	else
		add_order(&contest, &remark);
	text_list_add(&builder->table->remarks, text_string(&remark));
}

void builder_name_best(struct builder *builder)
{
	CLEANUP(text_list_finish) struct text_list groups = {0};
	size_t first;

	for (size_t i = 0; i < builder->labels.count; i++) {
		CLEANUP(text_finish) struct text rest = {0};
		CLEANUP(text_finish) struct text value = {0};

		label_take_out(builder->labels.items[i], builder->layout->best_of, &rest,
			       &value);
		if (!text_list_contains(&groups, text_string(&rest)))
			text_list_add(&groups, text_string(&rest));
	}
	/* Two kernels are compared, of many the newest counts. */
	first = builder->version_count <= 2 ? 0 : builder->version_count - 1;
	for (size_t i = 0; i < groups.count; i++)
		for (size_t j = first; j < builder->version_count; j++)
			name_best(builder, groups.items[i], builder->versions[j]);
}
