/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of strings, and its form for terminals.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/text.h"

#include <stddef.h>

struct table {
	char *caption; /* NULL for none */
	struct text_list titles;
	unsigned long long right; /* bit i: column i is aligned to the right */
	struct text_list cells;   /* row after row */
	struct text_list remarks; /* sentences below the table */
};

void table_finish(struct table *table);
void table_add_column(struct table *table, const char *title, int right);
/* The cells of a row follow each other; a short last row is filled up. */
void table_add_cell(struct table *table, const char *cell);
size_t table_rows(const struct table *table);
const char *table_cell(const struct table *table, size_t row, size_t column);

/*
 * Columns as wide as their longest cell; where the sum is wider than the line, the
 * widest columns are folded at blanks and commas, and within words if need be. Width
 * counts characters, not bytes. Control characters are shown as "?".
 */
void table_print(const struct table *table, size_t width, struct text *out);

#endif
