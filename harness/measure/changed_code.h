/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the functions that two kernels executed have other code in each.
 */
#ifndef MEASURE_CHANGED_CODE_H
#define MEASURE_CHANGED_CODE_H

#include "base/error.h"
#include "build/kernel.h"
#include "profile/difference.h"

/*
 * Marks the rows of a difference by function. Nothing is marked where a kernel has no
 * symbols or no image that can be read so (a bzImage); that is no error.
 */
int changed_code_mark(const struct kernel *a, const struct kernel *b,
		      struct difference *difference, struct error *err);

#endif
