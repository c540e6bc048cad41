/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers how a commit stands to those that are stored already, so that the database
 * knows the order of versions without the repository, whatever their dates say.
 */
#ifndef MEASURE_ORDER_H
#define MEASURE_ORDER_H

#include "history/repository.h"
#include "store/store.h"

#include <stdint.h>

/*
 * The commit is stored and was not before. Looks at its neighbours in time on both sides
 * until one stands where its date says (those with the very same date, as after a rebase,
 * are all looked at), and at what is known to stand between in spite of its date. Two or
 * three questions to the repository where dates are right.
 */
int order_add_commit(struct store *store, struct repository *repository,
		     const struct commit_id *id, int64_t committed, struct error *err);

#endif
