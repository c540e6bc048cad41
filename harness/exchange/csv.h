/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CSV form of measurements: columns version, scenario, case, metric, unit, better,
 * boot, value and optionally environment, in any order, named by the first line.
 *
 * RFC 4180 quoting, LF or CRLF, an UTF-8 byte order mark is passed over, empty lines too.
 * Strict in all else: a missing or unknown column, a row too long or too short, a value
 * that is no finite number, an empty name, a series that changes its unit or its sense
 * end in ERROR_USAGE "FILE: line N, column value: ...". Nothing is guessed.
 */
#ifndef EXCHANGE_CSV_H
#define EXCHANGE_CSV_H

#include "base/error.h"
#include "base/text.h"
#include "exchange/dataset.h"

#include <stdio.h>

/* Reads a whole file ("-": standard input) into an empty dataset and completes it. */
int csv_read(const char *path, struct dataset *ret_dataset, struct error *err);

/* The header line with the environment column. */
void csv_write_header(struct text *text);

/* One row; the value has all digits that it needs to come back the same. */
void csv_write_row(struct text *text, const struct dataset_row *row);

#endif
