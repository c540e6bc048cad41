/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/accepted.h"

#include <string.h>

static int has_case(const struct finding_record *finding, const struct series_name *name)
{
	return finding_has_case(finding, name->scenario, name->case_label, name->metric);
}

/* 0, the first version, where there is none of that name. */
static size_t find_version(const struct measurements *measurements, const char *name)
{
	for (size_t i = 0; i < measurements->version_count; i++)
		if (!strcmp(measurements->versions[i], name))
			return i;
	return 0;
}

static void mark(const struct finding_record *finding, struct measurements *measurements)
{
	size_t version = find_version(measurements, finding->bad);

	for (size_t i = 0; i < measurements->count; i++) {
		struct series *series = &measurements->series[i];

		if (has_case(finding, &series->name) && version > series->first_baseline)
			series->first_baseline = version;
	}
}

void accepted_mark(const struct finding_list *findings, const char *lab,
		   struct measurements *measurements)
{
	for (size_t i = 0; i < findings->count; i++)
		if (!strcmp(findings->items[i].lab, lab) &&
		    finding_standing(&findings->items[i]) == FINDING_ACKNOWLEDGED)
			mark(&findings->items[i], measurements);
}
