/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/series.h"

static const char *const names[] = {
	[BETTER_NONE] = "none",
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
};

const char *better_name(enum better better)
{
	return names[better];
}

double better_loss(enum better better, double before, double after)
{
	return better == BETTER_HIGHER ? before - after : after - before;
}
