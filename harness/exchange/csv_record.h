/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of RFC 4180 from a stream: fields as terminated strings, with line numbers.
 */
#ifndef EXCHANGE_CSV_RECORD_H
#define EXCHANGE_CSV_RECORD_H

#include "base/error.h"

#include <stdio.h>

enum { CSV_FIELDS = 16, CSV_FIELD_SIZE = 65536 };

struct csv_reader {
	FILE *file;
	size_t line;      /* being read, from 1 */
	size_t row_line;  /* where the last record began */
	size_t count;     /* fields of the last record */
	int empty_record; /* it was an empty line */
	char *bytes;      /* all fields, each terminated */
	size_t size, capacity;
	size_t offsets[CSV_FIELDS];
};

/* 1 with a record, 0 at the end, -1 on an error that names the line. */
int csv_next(struct csv_reader *reader, struct error *err);

/* Field i of the last record; valid until the next call. */
const char *csv_field(const struct csv_reader *reader, size_t i);

void csv_reader_finish(struct csv_reader *reader);

#endif
