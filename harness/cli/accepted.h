/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Acknowledged findings move the baseline: what is compared with the best-known version
 * is not compared with one from before a change that was accepted.
 */
#ifndef CLI_ACCEPTED_H
#define CLI_ACCEPTED_H

#include "stats/series.h"
#include "store/findings.h"

/* Marks the series of the findings of that lab that were acknowledged. */
void accepted_mark(const struct finding_list *findings, const char *lab,
		   struct measurements *measurements);

#endif
