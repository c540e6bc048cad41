/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of a job file, inside the codec only: job_check.c and job_text.c walk the one
 * table of job.c.
 */
#ifndef GUEST_JOB_KEYS_H
#define GUEST_JOB_KEYS_H

#include "guest/job.h"

enum scope { SCOPE_JOB, SCOPE_CASE, SCOPE_DISK };
enum key_kind { KEY_NUMBER, KEY_CHOICE, KEY_STRING };

/* A key with its place in the struct of its scope; both directions walk this table. */
struct key {
	const char *name;
	enum scope scope;
	enum key_kind kind;
	size_t offset;
	uint64_t minimum, maximum, step; /* of numbers; maximum of strings: the size */
	const char *const *choices;
};

extern const struct key job_keys[];
extern const size_t job_key_count;

/* What a number may be; the problem says it. */
int job_check_number(const struct key *key, uint64_t number, struct problem *problem);

#endif
