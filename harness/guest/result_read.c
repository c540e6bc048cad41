/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/histogram.h"
#include "guest/result_fields.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at, *end;
	char line[FRAME_PAYLOAD_MAX + 1]; /* the value of the line last read */
};

/* Whether the next line is "KEY value" or "KEY" alone; the value goes to reader->line. */
static int take_line(struct reader *reader, const char *key)
{
	size_t length = strlen(key), available = (size_t)(reader->end - reader->at);
	const char *newline = memchr(reader->at, '\n', available);
	const char *value = reader->at + length;

	if (!newline || (size_t)(newline - reader->at) < length ||
	    memcmp(reader->at, key, length))
		return 0;
	if (value < newline && *value++ != ' ')
		return 0;
	memcpy(reader->line, value, (size_t)(newline - value));
	reader->line[newline - value] = '\0';
	if (strlen(reader->line) != (size_t)(newline - value))
		return 0;
	reader->at = newline + 1;
	return 1;
}

/* The words of a line, in place: the next one, or NULL. */
static char *take_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " ");
	while (word && !*word);
	return word;
}

static int read_number(struct reader *reader, const char *key, uint64_t *value)
{
	return take_line(reader, key) && !guest_parse_unsigned(reader->line, value);
}

static int read_string(struct reader *reader, const char *key, char *value, size_t size)
{
	if (!take_line(reader, key) || strlen(reader->line) >= size)
		return 0;
	for (const char *c = reader->line; *c; c++)
		if (iscntrl((unsigned char)*c))
			return 0;
	memcpy(value, reader->line, strlen(reader->line) + 1);
	return 1;
}

static int read_double(const char *word, double *value)
{
	char *end;

	if (!*word || word[strspn(word, "+-.0123456789e")])
		return 0;
	*value = strtod(word, &end);
	return !*end && isfinite(*value);
}

static int read_values(struct reader *reader, const char *key,
		       struct metric_values *values)
{
	char *rest, *name, *number;
	enum metric_id id;
	double value;

	while (take_line(reader, key)) {
		rest = reader->line;
		name = take_word(&rest);
		number = take_word(&rest);
		id = name ? metric_find(name) : METRIC_COUNT;
		if (id == METRIC_COUNT || !number || take_word(&rest) ||
		    metric_values_has(values, id) || !read_double(number, &value))
			return 0;
		metric_values_set(values, id, value);
	}
	return 1;
}

static int read_points(struct reader *reader, const char *key,
		       struct result_series *series)
{
	char *rest = reader->line, *word;

	if (!take_line(reader, key))
		return 0;
	while ((word = take_word(&rest)))
		if (series->count == RESULT_POINTS_MAX ||
		    !read_double(word, &series->value[series->count++]))
			return 0;
	return 1;
}

static int read_hits(struct reader *reader, const char *key,
		     struct result_histogram *histogram)
{
	char *rest = reader->line, *bucket, *hits;

	if (!take_line(reader, key))
		return 0;
	while ((hits = take_word(&rest))) {
		bucket = strsep(&hits, ":");
		if (!hits || histogram->count == RESULT_POINTS_MAX ||
		    guest_parse_unsigned(bucket, &histogram->bucket[histogram->count]) ||
		    guest_parse_unsigned(hits, &histogram->hits[histogram->count]))
			return 0;
		histogram->count++;
	}
	return 1;
}

static int read_bytes(struct reader *reader, const char *key,
		      struct result_output *output)
{
	size_t length;

	if (!take_line(reader, key) || reader->line[0])
		return 0;
	length = (size_t)(reader->end - reader->at);
	if (length >= RESULT_TEXT_SIZE)
		return 0;
	memcpy(output->bytes, reader->at, length);
	output->length = length;
	reader->at = reader->end;
	return 1;
}

static int read_field(struct reader *reader, const struct field *field, void *value)
{
	switch (field->kind) {
	case FIELD_NUMBER:
		return read_number(reader, field->key, value);
	case FIELD_STRING:
		return read_string(reader, field->key, value, RESULT_STRING_SIZE);
	case FIELD_TEXT:
		return read_string(reader, field->key, value, RESULT_TEXT_SIZE);
	case FIELD_VALUES:
		return read_values(reader, field->key, value);
	case FIELD_POINTS:
		return read_points(reader, field->key, value);
	case FIELD_HITS:
		return read_hits(reader, field->key, value);
	case FIELD_BYTES:
		return read_bytes(reader, field->key, value);
	}
	return 0;
}

/* What a later user would index with. */
static int check_ranges(const struct result *result, struct problem *problem)
{
	const struct result_histogram *histogram = &result->histogram;

	for (size_t i = 0; result->type == RESULT_HISTOGRAM && i < histogram->count; i++)
		if (histogram->bucket[i] >= HISTOGRAM_BUCKETS)
			return problem_set(problem, "histogram record: no bucket %llu",
					   (unsigned long long)histogram->bucket[i]);
	return 0;
}

int result_decode(const struct frame *frame, struct result *ret_result,
		  struct problem *problem)
{
	const struct record *record = result_find_record(frame->type);
	struct reader reader = {.at = frame->payload,
				.end = frame->payload + frame->length};

	if (!record)
		return problem_set(problem, "a record of unknown type %u",
				   (unsigned)frame->type);
	if (frame->length > FRAME_PAYLOAD_MAX)
		return problem_set(problem, "%s record: too long", record->name);
	memset(ret_result, 0, sizeof(*ret_result));
	ret_result->type = frame->type;
	for (const struct field *field = record->fields; field->key; field++)
		if (!read_field(&reader, field, (char *)ret_result + field->offset))
			return problem_set(problem, "%s record: bad field \"%s\"",
					   record->name, field->key);
	if (reader.at != reader.end)
		return problem_set(problem, "%s record: more than its fields",
				   record->name);
	return check_ranges(ret_result, problem);
}
