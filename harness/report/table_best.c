/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/builder_private.h"

#include "base/cleanup.h"

#include <math.h>
#include <string.h>

/* A smaller one is nothing to choose a setting for. */
#define NO_DIFFERENCE 0.005

struct contest {
	struct text best, worst;
	double least, most;
	size_t entries;
};

static void contest_finish(struct contest *contest)
{
	text_finish(&contest->best);
	text_finish(&contest->worst);
}

static void compete(struct contest *contest, const struct text *value, double time)
{
	if (!isfinite(time) || !value->size)
		return;
	if (!contest->entries || time < contest->least) {
		contest->least = time;
		text_clear(&contest->best);
		text_add(&contest->best, text_string(value));
	}
	if (!contest->entries || time > contest->most) {
		contest->most = time;
		text_clear(&contest->worst);
		text_add(&contest->worst, text_string(value));
	}
	contest->entries++;
}

/* "v6.1, target=file: readahead_sectors 64 is best, 256 takes 22 % longer" */
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
	if (contest.entries < 2 || contest.least <= 0)
		return;
	text_format(&remark,
		    "%s%s%s: ", builder->section->results.versions.items[version].text,
		    *group ? ", " : "", group);
	if (contest.most <= contest.least * (1 + NO_DIFFERENCE))
		text_format(&remark, "%s makes no difference", builder->layout->best_of);
	else
		text_format(&remark, "%s %s is best, %s takes %.1f %% longer",
			    builder->layout->best_of, text_string(&contest.best),
			    text_string(&contest.worst),
			    100 * (contest.most / contest.least - 1));
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
