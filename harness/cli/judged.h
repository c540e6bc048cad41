/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which stored metrics are judged: those that the scenario's file names, as "run" does.
 * Of a scenario whose file is not in the folders, those that "run" judged then; of
 * others, and of imports, all are.
 */
#ifndef CLI_JUDGED_H
#define CLI_JUDGED_H

#include "base/text.h"
#include "scenario/config.h"
#include "scenario/scenario.h"
#include "store/verdicts.h"

struct judged_scenario {
	char *name;
	enum config_lab lab; /* the block of its file that was read */
	struct scenario scenario;
	int known; /* the file could be read */
};

/* Files are read when first asked for. */
struct judged {
	struct text_list folders;
	struct judged_list before; /* what was judged when it was measured */
	struct judged_scenario *items;
	size_t count, capacity;
};

/* Folders from the configuration, then those that come along. */
int judged_init(const struct config *config, struct store *store,
		struct judged *ret_judged, struct error *err);
void judged_finish(struct judged *judged);

/*
 * Whether it is judged. *ret_metric is what the file says of it; NULL where there is no
 * file, or no such metric.
 */
int judged_metric(struct judged *judged, enum config_lab lab, const char *scenario,
		  const char *metric, const struct scenario_metric **ret_metric);

#endif
