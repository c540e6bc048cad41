/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrections for many tests at once. An entry of NAN is no test: it stays NAN and does
 * not count. p and the result may be the same array.
 */
#ifndef STATS_MULTIPLE_H
#define STATS_MULTIPLE_H

#include <stddef.h>

/* q values of Benjamini and Hochberg (1995): the false discovery rate. */
void multiple_benjamini_hochberg(const double *p, size_t count, double *ret_q);

/* Adjusted p of Holm (1979): the chance of any false rejection. */
void multiple_holm(const double *p, size_t count, double *ret_adjusted);

#endif
