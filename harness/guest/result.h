/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Result records: what the agent tells the host. Each travels as the payload of one
 * frame, as plain "key value" lines. What is decoded here was written by a guest whose
 * kernel may be broken: every length and count is bounded, and a record that does not
 * parse whole is refused.
 *
 * Order in a good boot: HELLO; for each case CASE_BEGIN, READBACK of each disk (or
 * LEFT_OUT where the case cannot use it; the other disks are measured), for each
 * run any number of PROGRESS, SERIES and OUTPUT, then HISTOGRAM, COUNTERS of each disk
 * and RUN; CASE_END; at the very end SYMBOLS, where the job asks for them, and DONE. A
 * workload that fails sends FAILURE in front of CASE_END; the following cases still run.
 *
 * Cases count from 0 in the order of the job, runs from 1. Times are in ns.
 */
#ifndef GUEST_RESULT_H
#define GUEST_RESULT_H

#include "guest/frame.h"
#include "guest/metrics.h"
#include "guest/problem.h"

enum result_type {
	RESULT_HELLO = 1,
	RESULT_CASE_BEGIN,
	RESULT_READBACK,
	RESULT_PROGRESS,
	RESULT_SERIES,
	RESULT_HISTOGRAM,
	RESULT_COUNTERS,
	RESULT_RUN,
	RESULT_OUTPUT,
	RESULT_FAILURE,
	RESULT_CASE_END,
	RESULT_DONE,
	RESULT_SYMBOLS,
	RESULT_LEFT_OUT,
};

enum {
	RESULT_STRING_SIZE = 256, /* with the terminator, like the next */
	RESULT_TEXT_SIZE = 4096,
	RESULT_POINTS_MAX = 256, /* of one record; a long series comes in several */
};

/* Which kernel and machine this is, as the guest itself sees it. */
struct result_hello {
	char release[RESULT_STRING_SIZE]; /* uname -r */
	char version[RESULT_STRING_SIZE]; /* uname -v */
	char machine[RESULT_STRING_SIZE];
	char build_id[RESULT_STRING_SIZE]; /* hexadecimal; "" where there is none */
	uint64_t uptime;
	uint64_t memory; /* bytes */
	uint64_t processors;
	char command_line[RESULT_TEXT_SIZE];
};

struct result_case_begin {
	char label[RESULT_STRING_SIZE];
	char clocksource[RESULT_STRING_SIZE]; /* a young kernel still changes it */
	uint64_t uptime;
};

/* What a disk was really set to: read from the guest's sysfs after setting it. */
struct result_readback {
	char disk[RESULT_STRING_SIZE];   /* the name or serial that the job gave */
	char device[RESULT_STRING_SIZE]; /* "nullb0", "sda" */
	char scheduler[RESULT_STRING_SIZE];
	char write_cache[RESULT_STRING_SIZE]; /* "write back", "write through" */
	uint64_t readahead_sectors;
	uint64_t queue_depth; /* device/queue_depth, else queue/nr_requests */
	uint64_t size;        /* bytes */
	uint64_t logical_block_size;
	uint64_t rotational;
	uint64_t fua;
};

struct result_progress {
	uint64_t uptime;
	uint64_t operations; /* finished in this run */
	char phase[RESULT_STRING_SIZE];
};

/* A piece of a series: the points from `first` on. */
struct result_series {
	/*
	 * "window_mean": ns an operation, a point each `step` operations;
	 * "bytes_per_second": a point each `step` ns of the run.
	 */
	char name[RESULT_STRING_SIZE];
	uint64_t step;
	uint64_t first;
	uint64_t count;
	double value[RESULT_POINTS_MAX];
};

/* Some buckets of guest/histogram.h that are not empty; records of one run add up. */
struct result_histogram {
	uint64_t maximum;
	uint64_t count;
	uint64_t bucket[RESULT_POINTS_MAX];
	uint64_t hits[RESULT_POINTS_MAX];
};

/* RUN: the run as a whole; COUNTERS: the block counters of one disk over the run. */
struct result_values {
	char disk[RESULT_STRING_SIZE]; /* "" in RUN */
	struct metric_values values;
};

/*
 * OUTPUT: a piece of what an exec command printed on stdout; SYMBOLS: a piece of
 * /proc/kallsyms. Pieces follow in order.
 */
struct result_output {
	char parser[RESULT_STRING_SIZE]; /* "" in SYMBOLS */
	uint64_t length;
	char bytes[RESULT_TEXT_SIZE]; /* may hold anything; terminated behind length */
};

/* LEFT_OUT has disk and text alone. */
struct result_failure {
	char call[RESULT_STRING_SIZE]; /* system call, "" where none is to blame */
	char disk[RESULT_STRING_SIZE]; /* disk or path */
	char text[RESULT_TEXT_SIZE];   /* a sentence */
	uint64_t error_number;
	uint64_t offset; /* bytes */
};

struct result_case_end {
	uint64_t failed; /* 0 or 1 */
	uint64_t uptime;
};

struct result_done {
	uint64_t cases;
	uint64_t failed;
	uint64_t uptime;
};

struct result {
	enum result_type type;
	uint64_t case_index; /* not in HELLO, SYMBOLS and DONE */
	uint64_t run;        /* 0 outside of runs */
	union {
		struct result_hello hello;
		struct result_case_begin case_begin;
		struct result_readback readback;
		struct result_progress progress;
		struct result_series series;
		struct result_histogram histogram;
		struct result_values values;   /* RUN and COUNTERS */
		struct result_output output;   /* OUTPUT and SYMBOLS */
		struct result_failure failure; /* FAILURE and LEFT_OUT */
		struct result_case_end case_end;
		struct result_done done;
	};
};

/* "hello", "case-begin", ...; NULL for no type. */
const char *result_type_name(enum result_type type);

/*
 * Writes the payload and returns its length; 0 where it does not fit, which no record of
 * legal counts does. Control characters in strings become "?".
 */
size_t result_encode(const struct result *result, char out[FRAME_PAYLOAD_MAX]);

/* Reads a frame; -1 with the reason where it is not a whole, legal record. */
int result_decode(const struct frame *frame, struct result *ret_result,
		  struct problem *problem);

#endif
