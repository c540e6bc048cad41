/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From rows of the database to levels that can be judged, one version of one series at a
 * time. Which rows they are is the caller's choice; what every judgement has in common is
 * here:
 *   - in an exact lab the odd boots of a version do not count (measure/identity.h);
 *   - boots of sessions whose reference kernel moved count only where there are no
 *     others, and then the level is marked: it has no verdict.
 */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include "exchange/dataset.h"
#include "store/noise.h"
#include "store/results.h"

/* Version by version, since a dataset orders versions by their first appearance. */
int levels_add(const struct results *results, const struct result_series *series,
	       size_t version, int exact, struct dataset *data, struct error *err);

/* After dataset_complete(): the marks. exact: boots that do not agree are marked too. */
void levels_complete(const struct results *results, int exact, struct dataset *data);

/* What was measured of the noise of their environments. */
void levels_set_floors(const struct floor_list *floors,
		       struct measurements *measurements);

/* The environment's row and the scenario's key behind the environment of a level. */
int64_t levels_environment(const char *key);
const char *levels_scenario_key(const char *key);

#endif
