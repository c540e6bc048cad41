/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The results of the database as measurements, one set for each lab: rows of different
 * labs are never compared.
 *
 * A version may have been measured in several environments. In each series the
 * environment that most versions share comes first, so that a new host or a new QEMU does
 * not tear the rows apart; where two versions share none, the comparison says what
 * differs, field by field. Fields that the user allows do not count, but are named.
 */
#ifndef CLI_STORED_H
#define CLI_STORED_H

#include "base/text.h"
#include "cli/command.h"
#include "cli/judged.h"
#include "exchange/dataset.h"
#include "stats/family.h"
#include "store/findings.h"
#include "store/noise.h"
#include "store/results.h"
#include "store/subjects.h"

struct stored_options {
	const struct text_list *allow; /* names of fields, borrowed; NULL: none */
	int all_metrics;               /* not only those that their scenario judges */
	double min_effect; /* percent, of all metrics; negative: each its own */
};

struct stored_environment {
	int64_t id;
	struct environment fields;
};

/* What one lab has; the policy is that of the lab. */
struct stored_lab {
	const char *name;
	struct dataset data;
	struct verdict_policy policy;
};

enum { STORED_LABS = 3 };

struct stored {
	struct store *store;
	struct results results;
	struct floor_list floors;
	struct finding_list findings;
	struct stored_environment *environments;
	size_t environment_count, environment_capacity;
	struct stored_lab labs[STORED_LABS]; /* those without results left out */
	size_t lab_count;
	struct stored_options options;
	struct config config;
	struct judged judged;
	struct text_list differences; /* comparisons borrow from it */
};

/*
 * With --lab only that lab (imports with disk). The measurements borrow from
 * *ret_stored, which must not be moved.
 */
int stored_load(const struct context *context, const struct stored_options *options,
		struct stored *ret_stored, struct error *err);
void stored_finish(struct stored *stored);

/* The value of a field by its name, or NULL. */
const char *stored_field(const struct environment *environment, const char *name);

/* Names what differs in comparisons that came from here, and what was allowed to. */
void stored_explain(struct stored *stored, struct comparisons *comparisons);

/* The environment behind a level's key, or NULL. */
const struct stored_environment *stored_environment(const struct stored *stored,
						    const char *key);

#endif
