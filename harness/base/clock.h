/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of day, in Unix seconds. Everything that is stored or printed as a date asks
 * here; how long something takes is process_now()'s.
 *
 * The environment variable KREGRESS_NOW, Unix seconds, stands in for the clock: tests
 * live through several nights in one minute, and a report comes out the same twice.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

int64_t clock_now(void);

/* ERROR_USAGE where KREGRESS_NOW is no such number: asked once at start. */
int clock_check(struct error *err);

/* "2026-01-31T23:59:59Z" */
void clock_format(struct text *out, int64_t time);

#endif
