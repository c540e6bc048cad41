/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the running kernel, for a host that counts what was executed. */
#ifndef AGENT_SYMBOLS_H
#define AGENT_SYMBOLS_H

#include "guest/agent/report.h"
#include "guest/job.h"

/* Sends lines of /proc/kallsyms as they are; none where the kernel has no such file. */
void symbols_send(struct report *report, enum job_symbols wanted);

#endif
