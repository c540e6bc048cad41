/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of report_collect(). */
#ifndef REPORT_COLLECT_PRIVATE_H
#define REPORT_COLLECT_PRIVATE_H

#include "report/report.h"

/*
 * Filed findings whose versions the section has, then what its verdicts show besides, a
 * finding for each pair of versions and scenario.
 */
int collect_findings(struct store *store, const struct report_model *model,
		     struct report_section *section, struct error *err);
void collect_findings_finish(struct report_section *section);

/* One for each record of the model, with steps and culprit. */
int collect_searches(struct store *store, struct report_model *model, struct error *err);
/* Boots of culprit and parent, of those searches that a section shows. */
int collect_confirmations(struct store *store, struct report_model *model,
			  struct error *err);
void collect_searches_finish(struct report_model *model);

/* Leaves what was not known yet when that session ended. */
void collect_as_of(struct report_model *model, int64_t session);

/* From when on things are news: half a day before the newest session. */
int64_t collect_since(const struct report_model *model);
void collect_stage(const struct report_model *model, struct report_finding *finding);

/* Of two folders of kernels; empty where one of them has no "config" any more. */
void collect_config(const char *good, const char *bad, struct report_config *ret_config);
void collect_config_finish(struct report_config *config);

/*
 * The same versions may have been measured again after the environment or the scenario
 * changed. A series is dropped where a newer one of the same case and metric has all of
 * its versions.
 */
void collect_drop_superseded(struct results *results);

/* A table for each scenario: first and last version, and those around a change. */
int collect_tables(struct store *store, struct report_section *section,
		   struct error *err);

/* What the culprits of the searches execute otherwise; searches are loaded. */
int collect_explanations(struct store *store, struct report_model *model,
			 struct error *err);
void collect_explanations_finish(struct report_search *search);

#endif
