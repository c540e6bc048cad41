/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The self-check of the virtual lab: boots of one kernel must agree to the last bit.
 *
 * QEMU itself now and then lets its clock jump once in a boot (about 3 boots in 100 on a
 * crowded host), which moves some numbers by less than 0.1 %. So where two boots differ a
 * further one decides: what most of them agree on is exact, the odd boot is named. Where
 * no majority comes about, the kernel or the scenario does not repeat.
 */
#ifndef MEASURE_IDENTITY_H
#define MEASURE_IDENTITY_H

#include "store/boots.h"

#include <stddef.h>

enum { IDENTITY_BOOTS_MAX = 5 };

/*
 * How many of the boots agree, in all samples, with the one that most agree with.
 * *ret_odd, where not NULL, is the index of the first that does not; count where all do.
 */
size_t identity_agreeing(const struct boot_list *boots, size_t *ret_odd);

/* Whether more than half agree. One boot, or none, does. */
int identity_holds(const struct boot_list *boots);

/* The most common value and how often it occurs; count at least 1. */
double identity_mode(const double *values, size_t count, size_t *ret_occurs);

#endif
