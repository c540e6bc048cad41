/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an exec command printed, read by the parsers that need no library: one number,
 * "metric=value" lines, and what GNU time prints (its default, -p and -v forms). The
 * agent sends the text as it is; the host reads it, fio's JSON included, elsewhere.
 */
#ifndef GUEST_OUTPUT_H
#define GUEST_OUTPUT_H

#include "guest/parameters.h"
#include "guest/problem.h"

#include <stddef.h>

enum { OUTPUT_METRICS_MAX = 256, OUTPUT_NAME_SIZE = 64 };

struct output_metric {
	char name[OUTPUT_NAME_SIZE]; /* letters, digits, "_", ".", "/", "-" */
	double value;                /* finite; times of GNU time in ns */
};

struct output {
	struct output_metric metrics[OUTPUT_METRICS_MAX];
	size_t count;
};

/*
 * Reads a whole output. PARSER_NUMBER: the number and white space, as metric "value".
 * PARSER_METRIC_LINES: every line with "=" must be "name=number", no name twice; other
 * lines are skipped. PARSER_GNU_TIME: elapsed, user, system, major_faults, minor_faults,
 * cpu_percent as far as they are there. No metric at all is refused, and so is
 * PARSER_FIO_JSON. The text is terminated; length tells of NULs inside.
 */
int output_parse(enum output_parser parser, const char *text, size_t length,
		 struct output *ret_output, struct problem *problem);

#endif
