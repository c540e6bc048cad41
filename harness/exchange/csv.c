/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange/csv.h"

#include "base/cleanup.h"
#include "base/number.h"
#include "base/utf8.h"
#include "exchange/csv_record.h"

#include <stdlib.h>
#include <string.h>

enum column {
	COLUMN_VERSION,
	COLUMN_SCENARIO,
	COLUMN_CASE,
	COLUMN_METRIC,
	COLUMN_UNIT,
	COLUMN_BETTER,
	COLUMN_BOOT,
	COLUMN_VALUE,
	COLUMN_ENVIRONMENT,
	COLUMN_COUNT
};

enum { REQUIRED = 1, NAME = 2 };

/* In the order in which they are written. */
static const struct {
	const char *name;
	int flags; /* REQUIRED: the column; NAME: must not be empty */
} columns[COLUMN_COUNT] = {
	[COLUMN_VERSION] = {"version", REQUIRED | NAME},
	[COLUMN_SCENARIO] = {"scenario", REQUIRED | NAME},
	[COLUMN_CASE] = {"case", REQUIRED},
	[COLUMN_METRIC] = {"metric", REQUIRED | NAME},
	[COLUMN_UNIT] = {"unit", REQUIRED},
	[COLUMN_BETTER] = {"better", REQUIRED | NAME},
	[COLUMN_BOOT] = {"boot", REQUIRED | NAME},
	[COLUMN_VALUE] = {"value", REQUIRED | NAME},
	[COLUMN_ENVIRONMENT] = {"environment", 0},
};

/* Where each column stands in a record; -1: nowhere. */
struct layout {
	int place[COLUMN_COUNT];
	size_t count;
};

static void reader_close(struct csv_reader *reader)
{
	csv_reader_finish(reader);
	if (reader->file && reader->file != stdin)
		fclose(reader->file);
}

static int find_column(const char *name)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (!strcmp(columns[i].name, name))
			return i;
	return -1;
}

static int place_column(struct layout *layout, const struct csv_reader *reader, size_t i,
			struct error *err)
{
	const char *name = csv_field(reader, i);
	int column;

	if (!i && !strncmp(name, "\xef\xbb\xbf", 3))
		name += 3;
	column = find_column(name);
	if (column < 0)
		return error_set(err, ERROR_USAGE,
				 "line %zu: no column is called '%s'; expected version, "
				 "scenario, case, metric, unit, better, boot, value and "
				 "perhaps environment",
				 reader->row_line, name);
	if (layout->place[column] >= 0)
		return error_set(err, ERROR_USAGE, "line %zu: column %s stands twice",
				 reader->row_line, name);
	layout->place[column] = (int)i;
	return 0;
}

static int read_header(struct csv_reader *reader, struct layout *ret_layout,
		       struct error *err)
{
	int got = csv_next(reader, err);

	if (got < 0)
		return -1;
	if (!got)
		return error_set(err, ERROR_USAGE,
				 "line 1: no header, the file is empty");
	for (int i = 0; i < COLUMN_COUNT; i++)
		ret_layout->place[i] = -1;
	for (size_t i = 0; i < reader->count; i++)
		if (place_column(ret_layout, reader, i, err))
			return -1;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (columns[i].flags & REQUIRED && ret_layout->place[i] < 0)
			return error_set(err, ERROR_USAGE,
					 "line %zu: column %s is missing",
					 reader->row_line, columns[i].name);
	ret_layout->count = reader->count;
	return 0;
}

static const char *cell(const struct csv_reader *reader, const struct layout *layout,
			enum column column)
{
	int place = layout->place[column];

	return place < 0 ? "" : csv_field(reader, (size_t)place);
}

static int parse_better(const char *word, enum better *ret_better)
{
	static const enum better senses[] = {BETTER_LOWER, BETTER_HIGHER};

	for (int i = 0; i < 2; i++) {
		if (!strcmp(word, better_name(senses[i]))) {
			*ret_better = senses[i];
			return 0;
		}
	}
	return -1;
}

/* Two names that differ in such bytes alone would be one name in the database. */
static int check_cell(const char *text, int flags, struct error *err)
{
	if (flags & NAME && !*text)
		return error_set(err, ERROR_USAGE, "empty");
	if (!utf8_valid(text, strlen(text)))
		return error_set(err, ERROR_USAGE, "'%.80s' is not UTF-8", text);
	return 0;
}

static int check_row(const struct csv_reader *reader, const struct layout *layout,
		     struct error *err)
{
	if (reader->count != layout->count)
		return error_set(err, ERROR_USAGE,
				 "line %zu: %zu fields, but the header has %zu",
				 reader->row_line, reader->count, layout->count);
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (check_cell(cell(reader, layout, i), columns[i].flags, err))
			return error_prefix(err, "line %zu, column %s", reader->row_line,
					    columns[i].name);
	return 0;
}

static int add_row(const struct csv_reader *reader, const struct layout *layout,
		   struct dataset *dataset, struct error *err)
{
	const char *value = cell(reader, layout, COLUMN_VALUE);
	const char *better = cell(reader, layout, COLUMN_BETTER);
	struct dataset_row row = {
		.version = cell(reader, layout, COLUMN_VERSION),
		.scenario = cell(reader, layout, COLUMN_SCENARIO),
		.case_label = cell(reader, layout, COLUMN_CASE),
		.metric = cell(reader, layout, COLUMN_METRIC),
		.unit = cell(reader, layout, COLUMN_UNIT),
		.boot = cell(reader, layout, COLUMN_BOOT),
		.environment = cell(reader, layout, COLUMN_ENVIRONMENT),
	};

	if (number_parse_double(value, &row.value))
		return error_set(err, ERROR_USAGE,
				 "line %zu, column value: '%.80s' is not a finite number",
				 reader->row_line, value);
	if (parse_better(better, &row.better))
		return error_set(err, ERROR_USAGE,
				 "line %zu, column better: lower or higher, not '%.80s'",
				 reader->row_line, better);
	if (dataset_add(dataset, &row, err))
		return error_prefix(err, "line %zu", reader->row_line);
	return 0;
}

static int read_rows(struct csv_reader *reader, struct dataset *dataset,
		     struct error *err)
{
	struct layout layout = {0};
	int got;

	if (read_header(reader, &layout, err))
		return -1;
	while ((got = csv_next(reader, err)) > 0) {
		if (reader->empty_record)
			continue;
		if (check_row(reader, &layout, err) ||
		    add_row(reader, &layout, dataset, err))
			return -1;
	}
	return got;
}

int csv_read(const char *path, struct dataset *ret_dataset, struct error *err)
{
	CLEANUP(reader_close) struct csv_reader reader = {0};

	reader.file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!reader.file) {
		error_system(err, "%s", path);
		return error_change_kind(err, ERROR_USAGE);
	}
	if (read_rows(&reader, ret_dataset, err))
		return error_prefix(err, "%s", path);
	dataset_complete(ret_dataset);
	return 0;
}

void csv_write_header(struct text *text)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		text_format(text, "%s%s", i ? "," : "", columns[i].name);
	text_add_char(text, '\n');
}

static void write_field(struct text *text, const char *field)
{
	if (!field[strcspn(field, ",\"\r\n")]) {
		text_add(text, field);
		return;
	}
	text_add_char(text, '"');
	for (; *field; field++) {
		if (*field == '"')
			text_add_char(text, '"');
		text_add_char(text, *field);
	}
	text_add_char(text, '"');
}

/* The shortest form that reads back as the same number. */
static void write_number(struct text *text, double value)
{
	char digits[40];

	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	text_add(text, digits);
}

void csv_write_row(struct text *text, const struct dataset_row *row)
{
	const char *fields[COLUMN_COUNT] = {
		[COLUMN_VERSION] = row->version,
		[COLUMN_SCENARIO] = row->scenario,
		[COLUMN_CASE] = row->case_label,
		[COLUMN_METRIC] = row->metric,
		[COLUMN_UNIT] = row->unit,
		[COLUMN_BETTER] = better_name(row->better),
		[COLUMN_BOOT] = row->boot,
		[COLUMN_ENVIRONMENT] = row->environment,
	};

	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (i)
			text_add_char(text, ',');
		if (i == COLUMN_VALUE)
			write_number(text, row->value);
		else
			write_field(text, fields[i] ? fields[i] : "");
	}
	text_add_char(text, '\n');
}
