/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange/csv_record.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void csv_reader_finish(struct csv_reader *reader)
{
	free(reader->bytes);
}

const char *csv_field(const struct csv_reader *reader, size_t i)
{
	return reader->bytes + reader->offsets[i];
}

static int complain(const struct csv_reader *reader, size_t line, const char *what,
		    struct error *err)
{
	return error_set(err, ERROR_USAGE, "line %zu, field %zu: %s", line,
			 reader->count + 1, what);
}

/* The next byte with CRLF as '\n'; EOF at the end. */
static int next_byte(struct csv_reader *reader)
{
	int byte = getc_unlocked(reader->file), behind;

	if (byte != '\r')
		return byte;
	behind = getc_unlocked(reader->file);
	if (behind == '\n')
		return '\n';
	if (behind != EOF)
		ungetc(behind, reader->file);
	return '\r';
}

static int begin_field(struct csv_reader *reader, struct error *err)
{
	if (reader->count == CSV_FIELDS)
		return complain(reader, reader->line, "more fields than columns", err);
	reader->offsets[reader->count] = reader->size;
	return 0;
}

static void put(struct csv_reader *reader, int byte)
{
	/* Asked here, since this runs for every byte of the file. */
	if (reader->size == reader->capacity)
		reader->bytes =
			memory_grow(reader->bytes, reader->size, &reader->capacity, 1);
	reader->bytes[reader->size++] = (char)byte;
}

static int add_byte(struct csv_reader *reader, int byte, struct error *err)
{
	if (!byte)
		return complain(reader, reader->line, "a zero byte", err);
	if (reader->size - reader->offsets[reader->count] >= CSV_FIELD_SIZE)
		return complain(reader, reader->line, "longer than 64 KiB", err);
	put(reader, byte);
	return 0;
}

/* The inside of quotes; returns the byte behind the closing one. */
static int read_quoted(struct csv_reader *reader, int *ret_behind, struct error *err)
{
	size_t from = reader->line;

	for (;;) {
		int byte = next_byte(reader);

		if (byte == EOF)
			return complain(reader, from, "a quote that is never closed",
					err);
		if (byte == '"') {
			byte = next_byte(reader);
			if (byte != '"') {
				*ret_behind = byte;
				return 0;
			}
		}
		if (add_byte(reader, byte, err))
			return -1;
		reader->line += byte == '\n';
	}
}

static int ends_field(int byte)
{
	return byte == ',' || byte == '\n' || byte == EOF;
}

static int read_plain(struct csv_reader *reader, int byte, int *ret_behind,
		      struct error *err)
{
	for (; !ends_field(byte); byte = next_byte(reader)) {
		if (byte == '"')
			return complain(reader, reader->line,
					"a quote inside a field without quotes", err);
		if (add_byte(reader, byte, err))
			return -1;
	}
	*ret_behind = byte;
	return 0;
}

/* One field from its first byte on; *byte becomes what ended it. */
static int read_field(struct csv_reader *reader, int *byte, struct error *err)
{
	if (begin_field(reader, err))
		return -1;
	if (*byte != '"') {
		if (read_plain(reader, *byte, byte, err))
			return -1;
	} else if (read_quoted(reader, byte, err)) {
		return -1;
	} else if (!ends_field(*byte)) {
		return complain(reader, reader->line, "text behind a closing quote", err);
	}
	put(reader, '\0');
	reader->count++;
	return 0;
}

int csv_next(struct csv_reader *reader, struct error *err)
{
	int byte = next_byte(reader);

	if (byte == EOF)
		return ferror(reader->file) ? error_system(err, "reading") : 0;
	reader->size = 0;
	reader->count = 0;
	reader->row_line = ++reader->line;
	reader->empty_record = byte == '\n';
	for (;;) {
		if (read_field(reader, &byte, err))
			return -1;
		if (byte != ',')
			break;
		byte = next_byte(reader);
	}
	if (ferror(reader->file))
		return error_system(err, "reading");
	return 1;
}
