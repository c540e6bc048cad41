/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements as the judgement sees them: series of levels.
 *
 * A series is one (scenario, case, metric); a level is what one version showed in it:
 * one number for each boot, in the order of time. Operations of one boot are reduced
 * to their median before they come here: the boot is the unit of evidence.
 *
 * Everything is borrowed: whoever filled a struct measurements owns the memory.
 */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include <stddef.h>

enum better { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };

struct series_name {
	const char *scenario;
	const char *case_label; /* "block_size=4096,mode=extend"; may be empty */
	const char *metric;
	const char *unit;
	enum better better; /* BETTER_NONE: for people to read, never judged */
};

struct level {
	size_t version; /* index into measurements.versions */
	const double *boots;
	const char *const *boot_names; /* for messages; NULL: they are numbered from 1 */
	size_t count;
	const char *environment; /* key; NULL or empty: none was given */
	int environment_mixed;   /* boots of several environments: never comparable */
	int identity_failed;     /* virtual lab: boots of this kernel did not agree */
	int reference_moved;     /* the reference of their session was not what it was */
};

struct series {
	struct series_name name;
	struct level
		*levels; /* in the order of versions; versions without data left out */
	size_t count;
	double minimum_effect; /* fraction, of this metric; 0: that of the policy */
	double floor;          /* fraction: what noise was measured to show by itself */
	/*
	 * A version: what it shows was accepted, however bad, and no earlier one is the
	 * baseline of it and of those behind it. 0: none.
	 */
	size_t first_baseline;
	double minimum_change; /* in its unit; see verdict.h */
};

struct measurements {
	const char *const *versions; /* in order: oldest first */
	size_t version_count;
	struct series *series;
	size_t count;
	const char *baseline; /* version that the user compares with; NULL: the best */
	/*
	 * Whether levels of two environments, which are unlike, may be compared all the
	 * same (the comparison is marked); NULL: never.
	 */
	int (*may_differ)(const void *context, const char *a, const char *b);
	const void *context;
};

/* "lower", "higher" or "none". */
const char *better_name(enum better better);
/* Of any other word BETTER_NONE. */
enum better better_parse(const char *name);

/*
 * The smallest change that counts in a series, as a fraction: its own or the general one,
 * and never less than its floor.
 */
double series_minimum_effect(const struct series *series, double general);

/* How much worse after is than before, in the unit of the metric; negative: better. */
double better_loss(enum better better, double before, double after);

#endif
