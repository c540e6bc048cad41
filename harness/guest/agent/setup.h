/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What PID 1 does before any measuring: file systems, modules, a machine at rest. */
#ifndef AGENT_SETUP_H
#define AGENT_SETUP_H

#include "guest/agent/failure.h"

/* /proc, /sys, /dev, configfs, /tmp, /mnt; takes the console away from this process. */
void setup_mounts(void);

/*
 * Loads the modules that /modules.load lists, a path and its parameters a line, in that
 * order. No such file means no modules.
 */
int setup_modules(struct failure *failure);

/* Configfs can be mounted once its module is there. */
void setup_configfs(void);

/* No address randomisation, no console output, all memory of the agent in place. */
void setup_rest(void);

/* Leaves the machine; does not return. */
__attribute__((noreturn)) void setup_power_off(void);

#endif
