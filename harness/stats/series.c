/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/series.h"

#include <string.h>

static const char *const names[] = {
	[BETTER_NONE] = "none",
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
};

const char *better_name(enum better better)
{
	return names[better];
}

enum better better_parse(const char *name)
{
	for (int i = BETTER_LOWER; i <= BETTER_HIGHER; i++)
		if (!strcmp(names[i], name))
			return (enum better)i;
	return BETTER_NONE;
}

double better_loss(enum better better, double before, double after)
{
	return better == BETTER_HIGHER ? before - after : after - before;
}

double series_minimum_effect(const struct series *series, double general)
{
	double minimum = series->minimum_effect > 0 ? series->minimum_effect : general;

	return series->floor > minimum ? series->floor : minimum;
}
