/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/result_fields.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Output that stops, and stays stopped, where it does not fit. */
struct writer {
	char *out;
	size_t length;
	int full;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer,
						      const char *format, ...)
{
	size_t room = FRAME_PAYLOAD_MAX - writer->length;
	va_list arguments;
	char line[64];
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(line) || (size_t)length > room) {
		writer->full = 1;
		return;
	}
	memcpy(writer->out + writer->length, line, (size_t)length);
	writer->length += (size_t)length;
}

static void put_bytes(struct writer *writer, const char *bytes, size_t length)
{
	if (length > FRAME_PAYLOAD_MAX - writer->length) {
		writer->full = 1;
		return;
	}
	memcpy(writer->out + writer->length, bytes, length);
	writer->length += length;
}

static void put_string(struct writer *writer, const char *key, const char *string,
		       size_t size)
{
	size_t length = strnlen(string, size - 1);
	char *at = writer->out + writer->length + strlen(key) + 1;

	put(writer, "%s ", key);
	put_bytes(writer, string, length);
	for (size_t i = 0; i < length && !writer->full; i++)
		if (iscntrl((unsigned char)at[i]))
			at[i] = '?';
	put(writer, "\n");
}

static void put_values(struct writer *writer, const char *key,
		       const struct metric_values *values)
{
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		if (metric_values_has(values, id))
			put(writer, "%s %s %.17g\n", key, metric_table[id].name,
			    values->value[id]);
}

static void put_points(struct writer *writer, const char *key,
		       const struct result_series *series)
{
	if (series->count > RESULT_POINTS_MAX)
		writer->full = 1;
	put(writer, "%s", key);
	for (size_t i = 0; i < series->count && !writer->full; i++)
		put(writer, " %.17g", series->value[i]);
	put(writer, "\n");
}

static void put_hits(struct writer *writer, const char *key,
		     const struct result_histogram *histogram)
{
	if (histogram->count > RESULT_POINTS_MAX)
		writer->full = 1;
	put(writer, "%s", key);
	for (size_t i = 0; i < histogram->count && !writer->full; i++)
		put(writer, " %llu:%llu", (unsigned long long)histogram->bucket[i],
		    (unsigned long long)histogram->hits[i]);
	put(writer, "\n");
}

static void put_field(struct writer *writer, const struct field *field, const void *value)
{
	const struct result_output *output = value;

	switch (field->kind) {
	case FIELD_NUMBER:
		put(writer, "%s %llu\n", field->key, *(const unsigned long long *)value);
		break;
	case FIELD_STRING:
		put_string(writer, field->key, value, RESULT_STRING_SIZE);
		break;
	case FIELD_TEXT:
		put_string(writer, field->key, value, RESULT_TEXT_SIZE);
		break;
	case FIELD_VALUES:
		put_values(writer, field->key, value);
		break;
	case FIELD_POINTS:
		put_points(writer, field->key, value);
		break;
	case FIELD_HITS:
		put_hits(writer, field->key, value);
		break;
	case FIELD_BYTES:
		if (output->length >= RESULT_TEXT_SIZE)
			writer->full = 1;
		put(writer, "%s\n", field->key);
		if (!writer->full)
			put_bytes(writer, output->bytes, output->length);
		break;
	}
}

size_t result_encode(const struct result *result, char out[FRAME_PAYLOAD_MAX])
{
	const struct record *record = result_find_record(result->type);
	struct writer writer = {.out = out};

	for (const struct field *field = record ? record->fields : NULL;
	     field && field->key; field++)
		put_field(&writer, field, (const char *)result + field->offset);
	return writer.full ? 0 : writer.length;
}
