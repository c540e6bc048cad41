/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was measured as rows of the database, and what the database knows already.
 */
#ifndef MEASURE_ROWS_H
#define MEASURE_ROWS_H

#include "lab/evidence.h"
#include "measure/subject.h"
#include "measure/workbench.h"
#include "store/boots.h"

/* What a commit says and what it touched. */
int rows_add_commit(struct store *store, struct repository *repository,
		    const struct commit_id *id, struct error *err);

/* Commit, kernel, build and version; fills in the ids of the subject. */
int rows_add_subject(struct workbench *workbench, struct subject *subject,
		     struct error *err);

/*
 * A scenario on a kernel in the lab of the workbench: what makes results exchangeable.
 * Boots that count blocks are kept apart from others.
 */
struct rows_place {
	int64_t scenario, environment;
	char scenario_key[HASH_HEX_SIZE], environment_key[HASH_HEX_SIZE];
};

int rows_add_place(struct workbench *workbench, const struct subject *subject,
		   const struct scenario *scenario, int count_blocks,
		   struct rows_place *ret_place, struct error *err);

/*
 * The place of kernels that this host builds from the tree without modules, whichever
 * they are: to look up what is measured before anything is built.
 */
int rows_add_usual_place(struct workbench *workbench, const struct scenario *scenario,
			 struct rows_place *ret_place, struct error *err);

/* Good boots of this kernel at this place, oldest first. */
int rows_find_boots(struct workbench *workbench, const struct subject *subject,
		    const struct rows_place *place, struct boot_list *list,
		    struct error *err);

/* The same, of this session and those that it goes on with. */
int rows_find_session_boots(struct workbench *workbench, const struct subject *subject,
			    const struct rows_place *place, const char *purpose,
			    struct boot_list *list, struct error *err);

int rows_add_boot(struct workbench *workbench, const struct subject *subject,
		  const struct rows_place *place, const char *purpose,
		  const struct evidence *evidence, int64_t *ret_id, struct error *err);

/*
 * Whether two stored boots have the same samples to the last bit; *ret_first names the
 * first that differs as "CASE METRIC" (the caller frees), NULL where none does.
 */
int rows_same_samples(const struct boot_record *a, const struct boot_record *b,
		      char **ret_first);

#endif
