/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads and their parameters: the one table of names, types, ranges and
 * defaults. Scenario files are checked by it, the agent reads its job by it, and the
 * help is printed from it.
 */
#ifndef GUEST_PARAMETERS_H
#define GUEST_PARAMETERS_H

#include "guest/problem.h"

#include <stddef.h>
#include <stdint.h>

enum parameter_type {
	PARAMETER_COUNT,  /* a whole number */
	PARAMETER_SIZE,   /* bytes, with an optional k, M, G or T (powers of 1024) */
	PARAMETER_BOOL,   /* yes, no, true, false */
	PARAMETER_CHOICE, /* one of a list; the number is its place */
	PARAMETER_TEXT,   /* one line */
};

enum { PARAMETER_TEXT_SIZE = 2048 }; /* with the terminator */

struct parameter {
	const char *name;
	enum parameter_type type;
	const char *fallback; /* what is taken when it is not given; NULL: required */
	const char *description;
	uint64_t minimum, maximum;  /* of count and size */
	const char *const *choices; /* of choice; ends with NULL */
};

struct workload_kind {
	const char *name;
	const char *description;
	const struct parameter *parameters;
	size_t parameter_count;
};

extern const struct workload_kind workload_kinds[];
extern const size_t workload_kind_count;

/* NULL where there is none. */
const struct workload_kind *workload_kind_find(const char *name);
const struct parameter *parameter_find(const struct workload_kind *kind,
				       const char *name);

/*
 * Checks one value. ret_number gets the number (bytes, 0 or 1, place of the choice; 0
 * for text); the problem says what would be right:
 * "queue_depth is \"8.5\", but must be a whole number from 1 to 65535".
 */
int parameter_parse(const struct parameter *parameter, const char *value,
		    uint64_t *ret_number, struct problem *problem);

/* The values of one case, by name; both are the caller's. */
struct parameter_value {
	char name[32];
	char value[PARAMETER_TEXT_SIZE];
};

/*
 * Checks a whole case: unknown names, doubles, what is missing, each value, and what
 * does not go together (block_size a multiple of 512 with direct, ...).
 */
int parameters_check(const struct workload_kind *kind,
		     const struct parameter_value *values, size_t count,
		     struct problem *problem);

/*
 * The value of a parameter or its default: the number, or the text. The case was
 * checked before; a name that the workload does not have gives 0 and "".
 */
uint64_t parameters_number(const struct workload_kind *kind,
			   const struct parameter_value *values, size_t count,
			   const char *name);
const char *parameters_text(const struct workload_kind *kind,
			    const struct parameter_value *values, size_t count,
			    const char *name);

/* Whether the case writes and syncs: no host cache may stand behind its disks then. */
int workload_kind_syncs(const struct workload_kind *kind);

/* In the guest: where files of a scenario without a place of their own go, and PATH. */
#define EXEC_FILES "/files"
#define EXEC_PATH                                                                        \
	EXEC_FILES ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* The places of the choices. */
enum workload_target { TARGET_FILE, TARGET_DEVICE };
enum sync_mode { MODE_KEEP, MODE_EXTEND, MODE_OVERWRITE, MODE_PREALLOCATED };
enum sync_call { CALL_WRITE, CALL_PWRITE };
enum sync_kind {
	SYNC_FSYNC,
	SYNC_FDATASYNC,
	SYNC_FILE_RANGE,
	SYNC_O_SYNC,
	SYNC_O_DSYNC,
	SYNC_NONE
};
enum write_cache { WRITE_CACHE_KEEP, WRITE_CACHE_ON, WRITE_CACHE_OFF };
enum read_pattern { PATTERN_SEQUENTIAL, PATTERN_RANDOM };
enum output_parser {
	PARSER_NUMBER,
	PARSER_METRIC_LINES,
	PARSER_FIO_JSON,
	PARSER_GNU_TIME
};

#endif
