/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the results lie: what --results says, else what the configuration says.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/command.h"
#include "scenario/config.h"
#include "store/store.h"

/* With the configuration loaded already; the caller frees. */
char *results_choose(const struct context *context, const struct config *config);

/* The caller frees. The folder need not exist. */
int results_folder(const struct context *context, char **ret_folder, struct error *err);

/* The database of that folder, for reading. */
int results_open(const char *folder, struct store **ret_store, struct error *err);

/*
 * The same for writing too; where there are no results yet that fails as well: nothing is
 * made.
 */
int results_open_mode(const char *folder, enum store_mode mode, struct store **ret_store,
		      struct error *err);

#endif
