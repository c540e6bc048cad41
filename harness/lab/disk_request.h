/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk of kregress.yaml as the folder disks/ asks for it.
 */
#ifndef LAB_DISK_REQUEST_H
#define LAB_DISK_REQUEST_H

#include "disks/safety.h"
#include "scenario/config.h"

/* Borrows the strings of the configuration. */
struct disk_request disk_request_of(const struct config_disk *disk);

#endif
