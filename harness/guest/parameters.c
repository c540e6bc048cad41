/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/parameters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MIB ((uint64_t)1 << 20)
#define TIB ((uint64_t)1 << 40)

static const char *const targets[] = {"file", "device", NULL};
static const char *const modes[] = {"keep", "extend", "overwrite", "preallocated", NULL};
static const char *const calls[] = {"write", "pwrite", NULL};
static const char *const syncs[] = {
	"fsync", "fdatasync", "sync_file_range", "o_sync", "o_dsync", "none", NULL};
static const char *const caches[] = {"keep", "on", "off", NULL};
static const char *const patterns[] = {"sequential", "random", NULL};
static const char *const parsers[] = {"number", "metric-lines", "fio-json", "gnu-time",
				      NULL};

#define TARGET                                                                           \
	{                                                                                \
		"target", PARAMETER_CHOICE, "file",                                      \
			"A file on the file system, or the disk", .choices = targets     \
	}
#define DIRECT                                                                           \
	{                                                                                \
		"direct", PARAMETER_BOOL, "no", "Past the page cache (O_DIRECT)"         \
	}
#define WINDOW                                                                           \
	{                                                                                \
		"window", PARAMETER_COUNT, "0",                                          \
			"Operations of a window whose mean is kept; 0 for no windows",   \
			0, 1000000000                                                    \
	}
#define READAHEAD                                                                        \
	{                                                                                \
		"readahead_sectors", PARAMETER_COUNT, "0",                               \
			"Readahead of the disk in sectors of 512 bytes; 0 leaves it", 0, \
			1 << 20                                                          \
	}
#define SCHEDULER                                                                        \
	{                                                                                \
		"scheduler", PARAMETER_TEXT, "",                                         \
			"I/O scheduler of the disk; empty leaves it"                     \
	}
#define WRITE_CACHE                                                                      \
	{                                                                                \
		"write_cache", PARAMETER_CHOICE, "keep",                                 \
			"Volatile write cache of the disk; keep leaves it",              \
			.choices = caches                                                \
	}
#define QUEUE_DEPTH                                                                      \
	{                                                                                \
		"queue_depth", PARAMETER_COUNT, "",                                      \
			"Commands that a disk takes at once; left as it is when not "    \
			"given",                                                         \
			1, 65535                                                         \
	}

static const struct parameter sync_loop[] = {
	TARGET,
	{"mode", PARAMETER_CHOICE, "keep",
	 "keep: the first run makes the file grow, later ones overwrite it; extend: the "
	 "file is removed before each run; overwrite: written before the first run; "
	 "preallocated: fallocate() before each run",
	 .choices = modes},
	{"block_size", PARAMETER_SIZE, "4096", "Bytes of one write", 1, 64 * MIB},
	{"count", PARAMETER_COUNT, "2000", "Operations of a run", 1, 1000000000},
	{"call", PARAMETER_CHOICE, "write", "System call that writes", .choices = calls},
	{"sync", PARAMETER_CHOICE, "fdatasync", "What makes each write durable",
	 .choices = syncs},
	DIRECT,
	WINDOW,
	READAHEAD,
	SCHEDULER,
	WRITE_CACHE,
	QUEUE_DEPTH,
};

static const struct parameter read_parameters[] = {
	TARGET,
	{"size", PARAMETER_SIZE, NULL, "Bytes to read", 512, TIB},
	{"block_size", PARAMETER_SIZE, "128k", "Bytes of one read", 1, 64 * MIB},
	{"pattern", PARAMETER_CHOICE, "sequential", "Order of the offsets",
	 .choices = patterns},
	DIRECT,
	WINDOW,
	READAHEAD,
	SCHEDULER,
	WRITE_CACHE,
	QUEUE_DEPTH,
};

static const struct parameter parallel_writers[] = {
	TARGET,
	{"size", PARAMETER_SIZE, NULL, "Bytes that each writer writes", 512, TIB},
	{"block_size", PARAMETER_SIZE, "64k", "Bytes of one write", 1, 64 * MIB},
	DIRECT,
	{"sync", PARAMETER_CHOICE, "fsync", "What ends each writer", .choices = syncs},
	READAHEAD,
	SCHEDULER,
	WRITE_CACHE,
	QUEUE_DEPTH,
};

static const struct parameter exec_parameters[] = {
	{"command", PARAMETER_TEXT, NULL,
	 "The command in one string, cut at blanks outside of quotes, run without a "
	 "shell in the mounted file system"},
	{"parser", PARAMETER_CHOICE, "metric-lines",
	 "How its output is read: its stdout, for gnu-time its stderr",
	 .choices = parsers},
	READAHEAD,
	SCHEDULER,
	WRITE_CACHE,
	QUEUE_DEPTH,
};

const struct workload_kind workload_kinds[] = {
	{"sync-loop", "Writes one block after the other, each made durable at once",
	 sync_loop, LENGTH(sync_loop)},
	{"read", "Reads a file or a disk with cold caches", read_parameters,
	 LENGTH(read_parameters)},
	{"parallel-writers", "One writer on each disk, all at once", parallel_writers,
	 LENGTH(parallel_writers)},
	{"exec", "A command of the user's own", exec_parameters, LENGTH(exec_parameters)},
};

const size_t workload_kind_count = LENGTH(workload_kinds);

const struct workload_kind *workload_kind_find(const char *name)
{
	for (size_t i = 0; i < workload_kind_count; i++)
		if (!strcmp(workload_kinds[i].name, name))
			return &workload_kinds[i];
	return NULL;
}

const struct parameter *parameter_find(const struct workload_kind *kind, const char *name)
{
	for (size_t i = 0; i < kind->parameter_count; i++)
		if (!strcmp(kind->parameters[i].name, name))
			return &kind->parameters[i];
	return NULL;
}

int workload_kind_syncs(const struct workload_kind *kind)
{
	return strcmp(kind->name, "read") != 0;
}

/* Digits with an optional unit: 4096, 4k, 4KiB, 4KB. */
static int parse_size(const char *string, uint64_t *ret_value)
{
	static const char units[] = "kmgt";
	size_t digits = strspn(string, "0123456789");
	const char *rest = string + digits, *unit;
	unsigned shift = 0;
	char number[24];
	uint64_t value;

	if (!digits || digits >= sizeof(number))
		return -1;
	memcpy(number, string, digits);
	number[digits] = '\0';
	if (guest_parse_unsigned(number, &value))
		return -1;
	if (*rest) {
		unit = strchr(units, tolower((unsigned char)*rest));
		if (!unit || (rest[1] && strcmp(rest + 1, "iB") && strcmp(rest + 1, "B")))
			return -1;
		shift = 10 * (unsigned)(unit - units + 1);
	}
	if (shift && value > UINT64_MAX >> shift)
		return -1;
	*ret_value = value << shift;
	return 0;
}

static int parse_number(const struct parameter *parameter, const char *value,
			uint64_t *ret_number, struct problem *problem)
{
	int is_size = parameter->type == PARAMETER_SIZE;
	uint64_t number;

	if ((is_size ? parse_size : guest_parse_unsigned)(value, &number) ||
	    number < parameter->minimum || number > parameter->maximum)
		return problem_set(
			problem, "%s is \"%.60s\", but must be a %s from %llu to %llu",
			parameter->name, value,
			is_size ? "size in bytes (k, M and G allowed)" : "whole number",
			(unsigned long long)parameter->minimum,
			(unsigned long long)parameter->maximum);
	*ret_number = number;
	return 0;
}

static int parse_bool(const struct parameter *parameter, const char *value,
		      uint64_t *ret_number, struct problem *problem)
{
	static const struct {
		const char *word;
		int value;
	} words[] = {{"yes", 1}, {"true", 1}, {"no", 0}, {"false", 0}};

	for (size_t i = 0; i < LENGTH(words); i++)
		if (!strcmp(words[i].word, value)) {
			*ret_number = (uint64_t)words[i].value;
			return 0;
		}
	return problem_set(problem, "%s is \"%.60s\", but must be yes or no",
			   parameter->name, value);
}

static int parse_choice(const struct parameter *parameter, const char *value,
			uint64_t *ret_number, struct problem *problem)
{
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; parameter->choices[i]; i++) {
		if (!strcmp(parameter->choices[i], value)) {
			*ret_number = i;
			return 0;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i ? ", " : "", parameter->choices[i]);
	}
	return problem_set(problem, "%s is \"%.60s\", but must be one of %s",
			   parameter->name, value, list);
}

static int parse_text(const struct parameter *parameter, const char *value,
		      uint64_t *ret_number, struct problem *problem)
{
	*ret_number = 0;
	if (!parameter->fallback && !*value)
		return problem_set(problem, "%s is empty", parameter->name);
	if (strlen(value) >= PARAMETER_TEXT_SIZE)
		return problem_set(problem, "%s is longer than %d bytes", parameter->name,
				   PARAMETER_TEXT_SIZE - 1);
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c))
			return problem_set(problem, "%s holds a control character",
					   parameter->name);
	return 0;
}

int parameter_parse(const struct parameter *parameter, const char *value,
		    uint64_t *ret_number, struct problem *problem)
{
	static int (*const parsers_by_type[])(const struct parameter *, const char *,
					      uint64_t *, struct problem *) = {
		[PARAMETER_COUNT] = parse_number, [PARAMETER_SIZE] = parse_number,
		[PARAMETER_BOOL] = parse_bool,    [PARAMETER_CHOICE] = parse_choice,
		[PARAMETER_TEXT] = parse_text,
	};

	return parsers_by_type[parameter->type](parameter, value, ret_number, problem);
}

static const struct parameter_value *find_value(const struct parameter_value *values,
						size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(values[i].name, name))
			return &values[i];
	return NULL;
}

const char *parameters_text(const struct workload_kind *kind,
			    const struct parameter_value *values, size_t count,
			    const char *name)
{
	const struct parameter_value *given = find_value(values, count, name);
	const struct parameter *parameter = parameter_find(kind, name);

	if (given)
		return given->value;
	return parameter && parameter->fallback ? parameter->fallback : "";
}

uint64_t parameters_number(const struct workload_kind *kind,
			   const struct parameter_value *values, size_t count,
			   const char *name)
{
	const struct parameter *parameter = parameter_find(kind, name);
	struct problem ignored;
	uint64_t number = 0;

	if (parameter)
		parameter_parse(parameter, parameters_text(kind, values, count, name),
				&number, &ignored);
	return number;
}

static int check_values(const struct workload_kind *kind,
			const struct parameter_value *values, size_t count,
			struct problem *problem)
{
	const struct parameter *parameter;
	uint64_t number;

	for (size_t i = 0; i < count; i++) {
		parameter = parameter_find(kind, values[i].name);
		if (!parameter)
			return problem_set(problem, "%s has no parameter \"%.40s\"",
					   kind->name, values[i].name);
		if (find_value(values, i, values[i].name))
			return problem_set(problem, "%s is given twice", values[i].name);
		if (parameter_parse(parameter, values[i].value, &number, problem))
			return -1;
	}
	for (size_t i = 0; i < kind->parameter_count; i++)
		if (!kind->parameters[i].fallback &&
		    !find_value(values, count, kind->parameters[i].name))
			return problem_set(problem, "%s needs the parameter %s",
					   kind->name, kind->parameters[i].name);
	return 0;
}

int parameters_check(const struct workload_kind *kind,
		     const struct parameter_value *values, size_t count,
		     struct problem *problem)
{
	uint64_t block;

	if (check_values(kind, values, count, problem))
		return -1;
	block = parameters_number(kind, values, count, "block_size");
	if (parameters_number(kind, values, count, "direct") && block % 512)
		return problem_set(problem,
				   "block_size is %llu, but with direct it must be a "
				   "multiple of 512",
				   (unsigned long long)block);
	/* A kernel cuts it to whole pages without a word. */
	if (parameters_number(kind, values, count, "readahead_sectors") % 8)
		return problem_set(problem, "readahead_sectors must be whole pages: a "
					    "multiple of 8");
	if (parameter_find(kind, "size") &&
	    parameters_number(kind, values, count, "size") < block)
		return problem_set(problem, "size is smaller than block_size");
	return 0;
}
