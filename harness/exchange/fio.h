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

/* Whether the file begins like JSON. */
int fio_looks_like(const char *path);

#endif
