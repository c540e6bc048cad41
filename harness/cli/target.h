/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "NAME[/CASE[/METRIC]]" of a command line: what of a scenario is meant.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

struct target {
	char *name;       /* of the scenario, or its file */
	char *case_label; /* NULL: not said */
	char *metric;     /* NULL: not said */
};

/* Without metric everything behind the name is the case. */
void target_split(const char *text, int with_metric, struct target *ret_target);
void target_finish(struct target *target);

#endif
