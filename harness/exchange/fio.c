/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange/fio.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct reading {
	const char *job;
	size_t count; /* of the figures so far */
	int (*take)(void *context, const struct fio_figure *figure, struct error *err);
	void *context;
};

/* Where figures go as rows. */
struct rows {
	const char *version;
	const char *boot;
	struct dataset *dataset;
};

static void json_release(json_t **json)
{
	json_decref(*json);
}

static const char *const directions[] = {"read", "write", "trim", "sync"};

/* Direct members of a direction. */
static const struct {
	const char *key, *metric, *unit;
	enum better better;
} plain[] = {
	{"bw_bytes", "throughput", "bytes/s", BETTER_HIGHER},
	{"iops", "ops_per_second", "1/s", BETTER_HIGHER},
};

/* Latencies stand one level deeper, in the first of these that is there. */
static const char *const latencies[] = {"clat_ns", "lat_ns"};

static const struct {
	const char *key, *metric;
} points[] = {{"mean", "latency_mean"}, {"max", "latency_max"}};

static const struct {
	const char *key, *metric;
} percentiles[] = {
	{"50.000000", "latency_p50"},
	{"90.000000", "latency_p90"},
	{"99.000000", "latency_p99"},
	{"99.900000", "latency_p999"},
};

static int add(struct reading *reading, const char *direction, const char *metric,
	       const char *unit, enum better better, const json_t *number,
	       struct error *err)
{
	CLEANUP(cleanup_free)
	char *name = memory_format("%s_%s", direction, metric);
	struct fio_figure figure = {
		.job = reading->job,
		.metric = name,
		.unit = unit,
		.better = better,
		.value = json_number_value(number),
	};

	if (!number)
		return 0;
	if (!json_is_number(number) || !isfinite(figure.value))
		return error_set(err, ERROR_USAGE, "job '%s': %s is no finite number",
				 reading->job, name);
	reading->count++;
	return reading->take(reading->context, &figure, err);
}

static int add_latency(struct reading *reading, const char *direction, const json_t *part,
		       struct error *err)
{
	const json_t *latency = NULL, *table;

	for (size_t i = 0; !latency && i < 2; i++)
		latency = json_object_get(part, latencies[i]);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
		if (add(reading, direction, points[i].metric, "ns", BETTER_LOWER,
			json_object_get(latency, points[i].key), err))
			return -1;
	table = json_object_get(latency, "percentile");
	for (size_t i = 0; i < sizeof(percentiles) / sizeof(*percentiles); i++)
		if (add(reading, direction, percentiles[i].metric, "ns", BETTER_LOWER,
			json_object_get(table, percentiles[i].key), err))
			return -1;
	return 0;
}

static int has_latencies(const json_t *part)
{
	const json_t *latency = json_object_get(part, "lat_ns");

	return json_number_value(json_object_get(latency, "N")) > 0;
}

static int add_direction(struct reading *reading, const char *direction,
			 const json_t *part, struct error *err)
{
	const json_t *total = json_object_get(part, "total_ios");

	/* A direction that the job did not use is all zeros; syncs have no total_ios. */
	if (!json_is_object(part) ||
	    (total && json_number_value(total) <= 0 && !has_latencies(part)))
		return 0;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (add(reading, direction, plain[i].metric, plain[i].unit,
			plain[i].better, json_object_get(part, plain[i].key), err))
			return -1;
	return add_latency(reading, direction, part, err);
}

static int add_job(struct reading *reading, const json_t *job, struct error *err)
{
	reading->job = json_string_value(json_object_get(job, "jobname"));
	if (!reading->job)
		return error_set(err, ERROR_USAGE, "a job without a jobname");
	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		if (add_direction(reading, directions[i],
				  json_object_get(job, directions[i]), err))
			return -1;
	return 0;
}

/* The value of a key of the file, its global options or its first job's options. */
static const char *find_version(const json_t *root, const char *name)
{
	const json_t *job = json_array_get(json_object_get(root, "jobs"), 0);
	const json_t *places[] = {root, json_object_get(root, "global options"),
				  json_object_get(job, "job options")};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *value = json_string_value(json_object_get(places[i], name));

		if (value && *value)
			return value;
	}
	return name;
}

static int read_root(const json_t *root, struct reading *reading, struct error *err)
{
	const json_t *jobs = json_object_get(root, "jobs"), *job;
	size_t i;

	if (!json_is_array(jobs))
		return error_set(err, ERROR_USAGE, "no output of fio: it has no jobs");
	json_array_foreach(jobs, i, job) if (add_job(reading, job, err)) return -1;
	if (!reading->count)
		return error_set(err, ERROR_USAGE, "no job that read or wrote anything");
	return 0;
}

static int take_row(void *context, const struct fio_figure *figure, struct error *err)
{
	const struct rows *rows = context;
	const struct dataset_row row = {
		.version = rows->version,
		.scenario = "fio",
		.case_label = figure->job,
		.metric = figure->metric,
		.unit = figure->unit,
		.better = figure->better,
		.boot = rows->boot,
		.environment = "",
		.value = figure->value,
	};

	return dataset_add(rows->dataset, &row, err);
}

int fio_read(const char *path, const struct fio_options *options, struct dataset *dataset,
	     struct error *err)
{
	json_error_t problem;
	CLEANUP(json_release) json_t *root = json_load_file(path, 0, &problem);
	struct rows rows = {.boot = options->boot, .dataset = dataset};
	struct reading reading = {.take = take_row, .context = &rows};

	if (!root)
		return error_set(err, ERROR_USAGE, "%s: line %d: %s", path, problem.line,
				 problem.text);
	rows.version = find_version(root, options->version_from);
	if (read_root(root, &reading, err))
		return error_prefix(err, "%s", path);
	return 0;
}

/* Warnings come in lines of their own, in front of the brace. */
static const char *find_brace(const char *text, const char *end)
{
	while (text < end && *text != '{') {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		text = newline ? newline + 1 : end;
	}
	return text;
}

int fio_parse(const char *text, size_t length,
	      int (*take)(void *context, const struct fio_figure *figure,
			  struct error *err),
	      void *context, struct error *err)
{
	const char *end = text + length, *begin = find_brace(text, end);
	struct reading reading = {.take = take, .context = context};
	json_error_t problem;
	CLEANUP(json_release)
	json_t *root = json_loadb(begin, (size_t)(end - begin), JSON_DISABLE_EOF_CHECK,
				  &problem);

	if (!root)
		return error_set(err, ERROR_USAGE, "fio's JSON, line %d: %s",
				 problem.line, problem.text);
	return read_root(root, &reading, err);
}

int fio_looks_like(const char *path)
{
	CLEANUP(cleanup_file) FILE *file = fopen(path, "re");
	int byte = ' ';

	while (file && isspace(byte))
		byte = getc(file);
	return byte == '{';
}
