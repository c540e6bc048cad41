/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of fio --output-format=json or json+ as rows: one boot for each file, the
 * job's name as case, and for read, write, trim and sync those metrics that the job has:
 * throughput, operations per second, completion latency (mean, percentiles, maximum).
 */
#ifndef EXCHANGE_FIO_H
#define EXCHANGE_FIO_H

#include "base/error.h"
#include "exchange/dataset.h"

struct fio_options {
	/*
	 * The version of the numbers, which fio does not know: the value of this key
	 * where the file has it ("fio version", a global or job option), else the string
	 * itself.
	 */
	const char *version_from;
	const char *boot; /* name of the boot: unlike for each run */
};

/* Adds to an incomplete dataset. ERROR_USAGE names the file and what is wrong. */
int fio_read(const char *path, const struct fio_options *options, struct dataset *dataset,
	     struct error *err);

/* One figure of fio's, by the names under which fio_read() stores it. */
struct fio_figure {
	const char *job;
	const char *metric; /* "write_latency_p50" */
	const char *unit;
	enum better better;
	double value;
};

/*
 * The figures of an output that is in memory, each given to take() as it comes; what
 * stands in front of the JSON (warnings) and behind it is skipped. ERROR_USAGE says what
 * is wrong.
 */
int fio_parse(const char *text, size_t length,
	      int (*take)(void *context, const struct fio_figure *figure,
			  struct error *err),
	      void *context, struct error *err);

/* Whether the file begins like JSON. */
int fio_looks_like(const char *path);

#endif
