/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/evidence.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[OUTCOME_COUNT] = {
	[OUTCOME_OK] = "ok",
	[OUTCOME_PARTIAL] = "partial",
	[OUTCOME_BUILD_FAILED] = "build-failed",
	[OUTCOME_BOOT_FAILED] = "boot-failed",
	[OUTCOME_PANIC] = "panic",
	[OUTCOME_HUNG] = "hung",
	[OUTCOME_TIMED_OUT] = "timed-out",
	[OUTCOME_WORKLOAD_FAILED] = "workload-failed",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_INFRASTRUCTURE] = "infrastructure",
};

const char *outcome_name(enum outcome outcome)
{
	return outcome < OUTCOME_COUNT ? names[outcome] : "infrastructure";
}

int outcome_is_good(enum outcome outcome)
{
	return outcome == OUTCOME_OK || outcome == OUTCOME_PARTIAL;
}

static void finish_samples(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->samples.count; i++) {
		free(evidence->samples.items[i].case_label);
		free(evidence->samples.items[i].metric);
		free(evidence->samples.items[i].unit);
	}
	free(evidence->samples.items);
}

static void finish_series(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->series.count; i++) {
		free(evidence->series.items[i].case_label);
		free(evidence->series.items[i].name);
		free(evidence->series.items[i].unit);
		free(evidence->series.items[i].values);
	}
	free(evidence->series.items);
}

static void finish_settings(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->settings.count; i++) {
		free(evidence->settings.items[i].case_label);
		free(evidence->settings.items[i].disk);
		free(evidence->settings.items[i].name);
		free(evidence->settings.items[i].value);
	}
	free(evidence->settings.items);
}

static void finish_remarks(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->remarks.count; i++) {
		free(evidence->remarks.items[i].case_label);
		free(evidence->remarks.items[i].text);
	}
	free(evidence->remarks.items);
}

void evidence_finish(struct evidence *evidence)
{
	finish_remarks(evidence);
	finish_samples(evidence);
	finish_series(evidence);
	finish_settings(evidence);
	free(evidence->detail);
	free(evidence->release);
	free(evidence->banner);
	free(evidence->build_id);
	free(evidence->command_line);
	free(evidence->console_path);
	text_finish(&evidence->symbols);
	*evidence = (struct evidence){0};
}

void evidence_fail(struct evidence *evidence, enum outcome outcome, const char *format,
		   ...)
{
	char text[1024];
	va_list arguments;

	if (evidence->outcome != OUTCOME_OK)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	evidence->outcome = outcome;
	evidence->detail = memory_copy_string(text);
}

char *evidence_run_label(const char *case_label, uint64_t runs, uint64_t run)
{
	if (runs == 1)
		return memory_copy_string(case_label);
	return memory_format("%s%srun=%s", case_label, *case_label ? "," : "",
			     run == 1 ? "first" : "later");
}

const struct evidence_series *evidence_find_series(const struct evidence *evidence,
						   const char *case_label,
						   const char *name)
{
	for (size_t i = 0; i < evidence->series.count; i++) {
		const struct evidence_series *series = &evidence->series.items[i];

		if (!series->run && !strcmp(series->name, name) &&
		    !strcmp(series->case_label, case_label))
			return series;
	}
	return NULL;
}

void evidence_add_sample(struct evidence *evidence, const char *case_label,
			 const char *metric, const char *unit, const char *better,
			 double value)
{
	evidence->samples.items = memory_grow(
		evidence->samples.items, evidence->samples.count,
		&evidence->samples.capacity, sizeof(*evidence->samples.items));
	evidence->samples.items[evidence->samples.count++] = (struct evidence_sample){
		.case_label = memory_copy_string(case_label),
		.metric = memory_copy_string(metric),
		.unit = memory_copy_string(unit),
		.better = better,
		.value = value,
	};
}

struct evidence_series *evidence_add_series(struct evidence *evidence,
					    const char *case_label, const char *name,
					    const char *unit, int run)
{
	struct evidence_series *series;

	evidence->series.items =
		memory_grow(evidence->series.items, evidence->series.count,
			    &evidence->series.capacity, sizeof(*evidence->series.items));
	series = &evidence->series.items[evidence->series.count++];
	*series = (struct evidence_series){
		.case_label = memory_copy_string(case_label),
		.name = memory_copy_string(name),
		.unit = memory_copy_string(unit),
		.run = run,
	};
	return series;
}

void evidence_series_add(struct evidence_series *series, double value)
{
	series->values = memory_grow(series->values, series->count, &series->capacity,
				     sizeof(*series->values));
	series->values[series->count++] = value;
}

void evidence_add_setting(struct evidence *evidence, const char *case_label,
			  const char *disk, const char *name, const char *value)
{
	evidence->settings.items = memory_grow(
		evidence->settings.items, evidence->settings.count,
		&evidence->settings.capacity, sizeof(*evidence->settings.items));
	evidence->settings.items[evidence->settings.count++] = (struct evidence_setting){
		.case_label = memory_copy_string(case_label),
		.disk = memory_copy_string(disk),
		.name = memory_copy_string(name),
		.value = memory_copy_string(value),
	};
}

struct evidence_remark *evidence_add_remark(struct evidence *evidence,
					    const char *case_label, int run,
					    const char *word, const char *text)
{
	struct evidence_remark *remark;

	evidence->remarks.items = memory_grow(
		evidence->remarks.items, evidence->remarks.count,
		&evidence->remarks.capacity, sizeof(*evidence->remarks.items));
	remark = &evidence->remarks.items[evidence->remarks.count++];
	*remark = (struct evidence_remark){
		.case_label = memory_copy_string(case_label),
		.run = run,
		.word = word,
		.start = NAN,
		.length = NAN,
		.size = NAN,
		.text = memory_copy_string(text),
	};
	return remark;
}

static int same_sample(const struct evidence_sample *a, const struct evidence_sample *b)
{
	return !strcmp(a->case_label, b->case_label) && !strcmp(a->metric, b->metric) &&
	       !memcmp(&a->value, &b->value, sizeof(a->value));
}

int evidence_equal(const struct evidence *a, const struct evidence *b, size_t *ret_first)
{
	for (size_t i = 0; i < a->samples.count; i++)
		if (i >= b->samples.count ||
		    !same_sample(&a->samples.items[i], &b->samples.items[i])) {
			*ret_first = i;
			return 0;
		}
	*ret_first = a->samples.count;
	return a->samples.count == b->samples.count;
}
