/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "kregress run" prints of its session besides the comparisons: the tables of the
 * scenarios, and what the runs show within themselves.
 */
#ifndef CLI_RUN_OUTPUT_H
#define CLI_RUN_OUTPUT_H

#include "base/error.h"
#include "base/text.h"
#include "store/store.h"

#include <stdint.h>

int run_add_tables(struct store *store, int64_t session, struct text *out,
		   struct error *err);

/* Nothing where there is nothing to say. */
int run_add_remarks(struct store *store, int64_t session, struct text *out,
		    struct error *err);

/* "\"remarks\":[...]" */
int run_put_remarks(struct store *store, int64_t session, struct text *json,
		    struct error *err);

#endif
