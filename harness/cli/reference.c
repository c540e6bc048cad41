/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/reference.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int add_boots(const struct boot_list *boots, const char *version,
		     const char *scenario, struct dataset *data, struct error *err)
{
	char label[24];

	for (size_t i = 0; i < boots->count; i++) {
		snprintf(label, sizeof(label), "%zu", i + 1);
		for (size_t k = 0; k < boots->items[i].sample_count; k++) {
			const struct sample_record *sample = &boots->items[i].samples[k];
			struct dataset_row row = {
				.version = version,
				.scenario = scenario,
				.case_label = sample->case_label,
				.metric = sample->metric,
				.unit = sample->unit,
				.better = better_parse(sample->better),
				.boot = label,
				.environment = "",
				.value = sample->value,
			};

			if (dataset_add(data, &row, err))
				return -1;
		}
	}
	return 0;
}

/* Sides that stand far apart moved, however many metrics there are. */
static int stand_apart(const struct series *series, double minimum)
{
	const struct level *before = &series->levels[0], *after = &series->levels[1];
	CLEANUP(cleanup_free) double *values = NULL;
	size_t count = before->count;

	if (series->count < 2)
		return 0;
	values = memory_new(count + after->count, sizeof(*values));
	memcpy(values, before->boots, count * sizeof(*values));
	memcpy(values + count, after->boots, after->count * sizeof(*values));
	return summary_moved_at(values, count + after->count) == count &&
	       fabs(values[count] - values[0]) > minimum * fabs(values[0]);
}

static const struct series *find_series(const struct measurements *all,
					const struct series_name *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->series[i].name.metric, name->metric) &&
		    !strcmp(all->series[i].name.case_label, name->case_label))
			return &all->series[i];
	return NULL;
}

static int has_moved(const struct measurements *all, const struct comparison *c)
{
	const struct series *series = find_series(all, &c->name);

	return c->verdict == VERDICT_REGRESSION || c->verdict == VERDICT_IMPROVEMENT ||
	       c->verdict == VERDICT_NOT_COMPARABLE ||
	       (series && stand_apart(series, c->policy.minimum_effect));
}

int reference_find_move(const struct judge_options *judging,
			const struct boot_list *before, const struct boot_list *after,
			const char *scenario, char **ret_sentence, struct error *err)
{
	CLEANUP(dataset_finish) struct dataset data = {0};
	CLEANUP(comparisons_finish) struct comparisons list = {0};
	char sentence[COMPARISON_SENTENCE_SIZE];

	*ret_sentence = NULL;
	if (add_boots(before, "start", scenario, &data, err) ||
	    add_boots(after, "end", scenario, &data, err))
		return -1;
	dataset_complete(&data);
	judge_keep_judged(judging, &data.measurements);
	compare_pair(&data.measurements, 0, 1, &policy_statistical, &list);
	comparisons_settle(&list);
	for (size_t i = 0; i < list.count && !*ret_sentence; i++) {
		const struct comparison *c = &list.items[i];

		if (!has_moved(&data.measurements, c))
			continue;
		comparison_sentence(c, sentence);
		*ret_sentence =
			memory_format("%s %s %s: %s", scenario, c->name.case_label,
				      c->name.metric, sentence);
	}
	return 0;
}
