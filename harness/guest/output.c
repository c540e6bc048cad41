/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/output.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512 };

/* A decimal number at *at; moves behind it. No nan, inf or hexadecimal. */
static int take_number(const char **at, double *ret_value)
{
	size_t length = strspn(*at, "+-.0123456789eE");
	char copy[64], *end;

	if (!length || length >= sizeof(copy))
		return -1;
	memcpy(copy, *at, length);
	copy[length] = '\0';
	*ret_value = strtod(copy, &end);
	if (end == copy || !isfinite(*ret_value))
		return -1;
	*at += end - copy;
	return 0;
}

static int parse_whole_number(const char *text, double *ret_value)
{
	text += strspn(text, " \t\r\n");
	if (take_number(&text, ret_value))
		return -1;
	return text[strspn(text, " \t\r\n")] ? -1 : 0;
}

static int add(struct output *output, const char *name, double value,
	       struct problem *problem)
{
	struct output_metric *metric = &output->metrics[output->count];

	for (size_t i = 0; i < output->count; i++)
		if (!strcmp(output->metrics[i].name, name))
			return problem_set(problem, "metric %s was printed twice", name);
	if (output->count == OUTPUT_METRICS_MAX)
		return problem_set(problem, "more than %d metrics were printed",
				   OUTPUT_METRICS_MAX);
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->value = value;
	output->count++;
	return 0;
}

static int parse_number(const char *text, struct output *output, struct problem *problem)
{
	double value;

	if (parse_whole_number(text, &value))
		return problem_set(problem, "the output is not one number: \"%.60s\"",
				   text);
	return add(output, "value", value, problem);
}

static int is_name(const char *name)
{
	size_t length = strlen(name);

	if (!length || length >= OUTPUT_NAME_SIZE)
		return 0;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_./-", *name))
			return 0;
	return 1;
}

static int parse_metric_line(char *line, struct output *output, struct problem *problem)
{
	char *value = line, *name = strsep(&value, "=");
	double number;

	if (!value)
		return 0;
	name[strcspn(name, " \t")] = '\0';
	if (!is_name(name))
		return problem_set(problem, "\"%.60s\" is no name of a metric", name);
	if (parse_whole_number(value, &number))
		return problem_set(problem, "%s is \"%.60s\", which is no number", name,
				   value);
	return add(output, name, number, problem);
}

/* "0.05user": seconds in front of their name. */
static int take_suffixed(const char *line, const char *suffix, double *ret_value)
{
	const char *at = strstr(line, suffix), *start = at;

	if (!at)
		return -1;
	while (start > line && strchr(".0123456789", start[-1]))
		start--;
	return take_number(&start, ret_value) || start != at ? -1 : 0;
}

/* "1:09.39elapsed": minutes and seconds, or hours, minutes and seconds. */
static int parse_clock(const char *at, double *ret_seconds)
{
	double part, seconds = 0;

	for (int parts = 0; parts < 3; parts++) {
		if (take_number(&at, &part) || part < 0)
			return -1;
		seconds = 60 * seconds + part;
		if (*at != ':') {
			*ret_seconds = seconds;
			return 0;
		}
		at++;
	}
	return -1;
}

static int take_elapsed(const char *line, double *ret_seconds)
{
	const char *at = strstr(line, "elapsed"), *start = at;

	if (!at)
		return -1;
	while (start > line && strchr(".:0123456789", start[-1]))
		start--;
	return parse_clock(start, ret_seconds);
}

struct pattern {
	const char *name;
	const char *text; /* in front of the value, or behind it where `behind` */
	int behind;
	double factor;
};

static const struct pattern patterns[] = {
	{"user", "user", 1, 1e9},
	{"system", "system", 1, 1e9},
	{"cpu_percent", "%CPU", 1, 1},
	{"major_faults", "major+", 1, 1},
	{"minor_faults", "minor)", 1, 1},
	{"elapsed", "real ", 0, 1e9},
	{"user", "user ", 0, 1e9},
	{"system", "sys ", 0, 1e9},
	{"user", "User time (seconds): ", 0, 1e9},
	{"system", "System time (seconds): ", 0, 1e9},
	{"cpu_percent", "Percent of CPU this job got: ", 0, 1},
	{"major_faults", "Major (requiring I/O) page faults: ", 0, 1},
	{"minor_faults", "Minor (reclaiming a frame) page faults: ", 0, 1},
};

static int match(const struct pattern *pattern, const char *line, double *ret_value)
{
	size_t length = strlen(pattern->text);
	const char *at = line + length;

	if (pattern->behind)
		return !take_suffixed(line, pattern->text, ret_value);
	return !strncmp(line, pattern->text, length) && !take_number(&at, ret_value);
}

static int parse_time_line(char *line, struct output *output, struct problem *problem)
{
	static const char wall[] = "Elapsed (wall clock) time (h:mm:ss or m:ss): ";
	double value;

	line += strspn(line, " \t");
	if (!strncmp(line, wall, strlen(wall)) ? !parse_clock(line + strlen(wall), &value)
					       : !take_elapsed(line, &value)) {
		if (add(output, "elapsed", 1e9 * value, problem))
			return -1;
	}
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (match(&patterns[i], line, &value) &&
		    add(output, patterns[i].name, patterns[i].factor * value, problem))
			return -1;
	return 0;
}

static int parse_lines(const char *text, struct output *output, struct problem *problem,
		       int (*parse)(char *, struct output *, struct problem *))
{
	char line[LINE_MAX_BYTES];
	size_t length, kept;

	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		kept = length < sizeof(line) ? length : sizeof(line) - 1;
		memcpy(line, text, kept);
		line[kept] = '\0';
		if (parse(line, output, problem))
			return -1;
	}
	return 0;
}

static int parse(enum output_parser parser, const char *text, struct output *output,
		 struct problem *problem)
{
	switch (parser) {
	case PARSER_NUMBER:
		return parse_number(text, output, problem);
	case PARSER_METRIC_LINES:
		return parse_lines(text, output, problem, parse_metric_line);
	case PARSER_GNU_TIME:
		return parse_lines(text, output, problem, parse_time_line);
	case PARSER_FIO_JSON:
		break;
	}
	return problem_set(problem, "fio's JSON is not read here");
}

int output_parse(enum output_parser parser, const char *text, size_t length,
		 struct output *ret_output, struct problem *problem)
{
	memset(ret_output, 0, sizeof(*ret_output));
	if (memchr(text, '\0', length))
		return problem_set(problem, "the output holds a NUL byte");
	if (parse(parser, text, ret_output, problem))
		return -1;
	return ret_output->count ? 0 : problem_set(problem, "the output holds no metric");
}
