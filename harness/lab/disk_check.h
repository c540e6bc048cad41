/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a scenario can run on the disks that are configured for it, before anything is
 * built or booted: that they may be used at all (disks/safety.h), that they are large
 * enough, and that bus and host can carry them.
 */
#ifndef LAB_DISK_CHECK_H
#define LAB_DISK_CHECK_H

#include "base/error.h"
#include "disks/block.h"
#include "scenario/config.h"
#include "scenario/scenario.h"

/* Names every disk that is refused, a line each. */
int disk_check_scenario(const struct config *config, const struct scenario *scenario,
			struct error *err);

/*
 * What the host says of a configured disk; of a file its size alone, of a PCI function
 * the first disk below it, if it has one. For disks that were judged before.
 */
int disk_check_describe(const struct config_disk *disk, struct block *ret_block,
			struct error *err);

#endif
