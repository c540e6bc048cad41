/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ctrl-C and SIGTERM as a flag that long work looks at: finish or drop the step,
 * keep what is stored, return ERROR_INTERRUPTED. A further signal some seconds later ends
 * the program at once (domains of ours are found by their tag at the next start).
 */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include "base/error.h"

/* Installs the handlers for SIGINT, SIGTERM and SIGHUP; SIGPIPE is ignored. */
void interrupt_install(void);
int interrupt_requested(void);
/* 0, or -1 with ERROR_INTERRUPTED when a signal came. */
int interrupt_check(struct error *err);

#endif
