/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The self-check of the virtual lab, told: boots of one kernel that did not agree are
 * worth a line on stderr and in every report of the session.
 */
#ifndef CLI_IDENTITY_NOTES_H
#define CLI_IDENTITY_NOTES_H

#include "measure/schedule.h"

/* Nothing in other labs. */
int identity_notes_add(struct workbench *bench, const struct measurement *list,
		       size_t count, struct error *err);

#endif
