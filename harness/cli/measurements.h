/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where compare, history and export take their numbers from.
 */
#ifndef CLI_MEASUREMENTS_H
#define CLI_MEASUREMENTS_H

#include "base/error.h"
#include "exchange/dataset.h"

/* A version by its name; fails naming those that are near, or all where they are few. */
int measurements_find_version(const struct dataset *dataset, const char *name,
			      size_t *ret_version, struct error *err);

#endif
