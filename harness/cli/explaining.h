/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures what two versions execute, stores which profiles were set against each other,
 * and gives the explanations to show.
 */
#ifndef CLI_EXPLAINING_H
#define CLI_EXPLAINING_H

#include "measure/explain.h"
#include "report/explanation.h"

struct explanations {
	struct explanation *items; /* one a case */
	size_t count;
};

/* A session has begun. */
int explaining_run(struct workbench *workbench, const struct explain_request *request,
		   enum difference_fold fold, struct explanations *ret_explanations,
		   struct error *err);
void explanations_finish(struct explanations *explanations);

/* For a terminal: so many changes of each. */
void explanations_print(const struct explanations *explanations, size_t most);

/*
 * The culprit of a search against its first parent, in the virtual lab; printed unless
 * quiet. What hinders that is only worth a warning: -1 for an interrupt alone.
 */
int explaining_culprit(struct workbench *workbench, const struct scenario *scenario,
		       const char *case_label, const char *culprit, int quiet,
		       struct error *err);

#endif
