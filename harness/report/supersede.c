/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int same_subject(const struct result_series *a, const struct result_series *b)
{
	return !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->case_label, b->case_label) && !strcmp(a->metric, b->metric);
}

static uint32_t newest_boot(const struct result_series *series)
{
	uint32_t newest = 0;

	for (size_t i = 0; i < series->count; i++)
		if (series->values[i].boot > newest)
			newest = series->values[i].boot;
	return newest;
}

static int covers(const struct result_series *newer, const struct result_series *older)
{
	for (size_t i = 0; i < older->count; i++) {
		size_t count;

		results_of_version(newer, older->values[i].version, &count);
		if (!count)
			return 0;
	}
	return newest_boot(newer) > newest_boot(older);
}

/* Series of one subject stand together, since they are sorted by it. */
static int is_superseded(const struct results *results, size_t index)
{
	const struct result_series *series = &results->series[index];

	for (size_t i = index; i > 0 && same_subject(&results->series[i - 1], series);
	     i--)
		if (covers(&results->series[i - 1], series))
			return 1;
	for (size_t i = index + 1;
	     i < results->count && same_subject(&results->series[i], series); i++)
		if (covers(&results->series[i], series))
			return 1;
	return 0;
}

void collect_drop_superseded(struct results *results)
{
	CLEANUP(cleanup_free) unsigned char *drop = memory_new(results->count, 1);
	size_t kept = 0;

	/* Marked first: what is dropped still supersedes what is older. */
	for (size_t i = 0; i < results->count; i++)
		drop[i] = (unsigned char)is_superseded(results, i);
	for (size_t i = 0; i < results->count; i++) {
		if (drop[i])
			free(results->series[i].values);
		else
			results->series[kept++] = results->series[i];
	}
	results->count = kept;
}
