/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many measurements as one piece of work: kernels are built one after the other while
 * boots of those that are ready run side by side. Every boot is stored as soon as it is
 * over, so an interrupted piece of work is taken up where it was left by asking for the
 * same again: exact results that are stored are not measured twice.
 *
 * Only in the virtual lab are stored results taken for new ones. In other labs no boot
 * runs beside a build, and boots come in blocks (measure/sampling.h) of one scenario
 * each. A boot that fails for reasons of the host is tried again (measure/tally.h).
 *
 * The same list may be measured again with more boots wanted: it goes on where it was.
 */
#ifndef MEASURE_SCHEDULE_H
#define MEASURE_SCHEDULE_H

#include "measure/subject.h"
#include "store/boots.h"

#include <stddef.h>

/* One scenario on one version, booted so often. */
struct measurement {
	struct subject *subject;
	const struct scenario *scenario;
	unsigned boots;      /* wanted, stored ones counted; 0: 1 */
	unsigned fresh;      /* at least so many of them new */
	const char *purpose; /* of new boots; NULL: "measure" */
	int resume; /* noisy lab: boots of interrupted sessions count, workbench_resume()
		     */
	/* Boots have profiles (measure/profiles.h) and need not agree. */
	int count_blocks;
	/* Filled in: */
	/* ok or partial; that of the boot or build that failed; skipped: budget spent */
	enum outcome outcome;
	char *detail;           /* NULL where ok */
	struct boot_list found; /* the good boots, stored ones first, without series */
	unsigned made;          /* boots that were really run */
	double build_seconds, boot_seconds; /* spent on it now */
	int64_t environment;
};

void measurement_finish(struct measurement *measurement);

/*
 * Does them all, in their order where there is a choice. What a kernel or a guest does
 * is an outcome; -1 means that the work could not go on: the host, or an interrupt.
 */
int measure_all(struct workbench *workbench, struct measurement *list, size_t count,
		struct error *err);

#endif
