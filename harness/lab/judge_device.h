/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a device can have done what it acknowledged, told from the numbers of a case
 * that syncs each write: remarks with run 0. Words:
 *   flushes   it has a volatile cache, and syncs flush it; size: flushes an operation
 *   no-cache  it says that it has none, so that a write is durable when it is done
 *   no-flush  it has one, but most syncs do not flush it
 *   too-fast  a sync ends before any honest device of its class could be done, whatever
 *             it says of its cache; size: the median time in ns
 */
#ifndef LAB_JUDGE_DEVICE_H
#define LAB_JUDGE_DEVICE_H

#include "lab/evidence.h"
#include "scenario/device_class.h"
#include "scenario/scenario.h"

/* evidence: complete. Cases of devices without a class are judged by flushes alone. */
void judge_devices(const struct scenario *scenario, const struct device_classes *classes,
		   struct evidence *evidence);

#endif
