/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One case from its disks to its last record: makes the disks, writes their images,
 * mounts, runs, takes everything down, reports. What fails fails the case, not the boot.
 */
#ifndef AGENT_CASE_H
#define AGENT_CASE_H

#include "guest/agent/report.h"
#include "guest/job.h"

/* Whether the case failed. */
int case_run(const struct job_case *job_case, struct report *report);

#endif
