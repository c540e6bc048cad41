/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/verdict.h"

#include <string.h>

static const char *const verdict_names[VERDICT_COUNT] = {
	[VERDICT_SAME] = "same",
	[VERDICT_REGRESSION] = "regression",
	[VERDICT_IMPROVEMENT] = "improvement",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_NOT_COMPARABLE] = "not-comparable",
};

static const char *const reason_names[REASON_COUNT] = {
	[REASON_SIGNIFICANT] = "significant",
	[REASON_NOT_SIGNIFICANT] = "not-significant",
	[REASON_TOO_FEW_BOOTS] = "too-few-boots",
	[REASON_EFFECT_BELOW_MINIMUM] = "effect-below-minimum",
	[REASON_NOT_SEPARATED] = "not-separated",
	[REASON_ZERO_BASELINE] = "zero-baseline",
	[REASON_ONE_SIDED_METRIC] = "one-sided-metric",
	[REASON_OUTLIERS] = "outliers",
	[REASON_GRADUAL] = "gradual",
	[REASON_ENVIRONMENT_DIFFERS] = "environment-differs",
	[REASON_REFERENCE_MOVED] = "reference-moved",
	[REASON_EXACT] = "exact",
	[REASON_IDENTITY_FAILED] = "identity-failed",
};

static const char *const role_names[ROLE_COUNT] = {
	[ROLE_PAIR] = "pair",
	[ROLE_NEIGHBOUR] = "neighbour",
	[ROLE_BASELINE] = "baseline",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

const char *reason_name(enum reason reason)
{
	return reason_names[reason];
}

const char *role_name(enum comparison_role role)
{
	return role_names[role];
}

int verdict_parse(const char *name)
{
	for (int i = 0; i < VERDICT_COUNT; i++)
		if (!strcmp(verdict_names[i], name))
			return i;
	return -1;
}
