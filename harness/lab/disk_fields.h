/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of the disk lab: the host and each disk that a scenario runs on, as
 * fields. Whatever here could move a number makes results of two days incomparable.
 */
#ifndef LAB_DISK_FIELDS_H
#define LAB_DISK_FIELDS_H

#include "lab/disk_choice.h"
#include "lab/lab.h"

void disk_fields_add_host(struct lab_fields *fields);
int disk_fields_add_disks(const struct disk_choice *choice, struct lab_fields *fields,
			  struct error *err);

#endif
