/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one boot proved: its outcome, its numbers, and what the guest said of itself.
 *
 * A case of several runs gives two sets of samples, "...,run=first" and "...,run=later"
 * (the median of the second and further runs); the single values of all runs are kept
 * as series "runs.METRIC". A boot whose outcome is not ok keeps what it measured.
 */
#ifndef LAB_EVIDENCE_H
#define LAB_EVIDENCE_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

enum outcome {
	OUTCOME_OK,
	OUTCOME_PARTIAL, /* some disks of a case could not be used, the others were */
	OUTCOME_BUILD_FAILED,
	OUTCOME_BOOT_FAILED,
	OUTCOME_PANIC,
	OUTCOME_HUNG,
	OUTCOME_TIMED_OUT,
	OUTCOME_WORKLOAD_FAILED,
	OUTCOME_SKIPPED,
	OUTCOME_INFRASTRUCTURE,
	OUTCOME_COUNT
};

/* "ok", "build-failed", ...: the words of the database and of JSON. */
const char *outcome_name(enum outcome outcome);

/* Whether the boot's numbers count. */
int outcome_is_good(enum outcome outcome);

struct evidence_sample {
	char *case_label;
	char *metric, *unit;
	const char *better; /* "lower", "higher", "none" */
	double value;
};

struct evidence_series {
	char *case_label;
	char *name, *unit;
	int run; /* from 1; 0: of no single run */
	double *values;
	size_t count, capacity;
	uint64_t step; /* operations, or ns of the run, behind each value; 0: no such */
};

/*
 * What a boot shows within itself. Words of a run:
 *   warm-up    its first `length` windows are slower; size: how many times, the first
 *   drift      it gets steadily slower or faster; size: ns an operation
 *   stall      from window `start` on, `length` of them; size: how many times slower
 *   hang       nothing came any more from window `start` on
 *   timed-out  it was cut by its limit behind window `start`
 * Words of a device: see lab/judge_device.h.
 */
struct evidence_remark {
	char *case_label;
	int run;                    /* from 1; 0: of no single run */
	const char *word;           /* static */
	double start, length, size; /* NAN for what does not apply */
	char *text;                 /* a sentence */
};

/* A setting of a disk as the guest read it back. */
struct evidence_setting {
	char *case_label, *disk, *name, *value;
};

struct evidence {
	enum outcome outcome;
	char *detail; /* one sentence on an outcome that is not ok; else NULL */
	char *release, *banner, *build_id,
		*command_line; /* of the guest; NULL: no hello */
	char *console_path;
	/* Lines of the guest's /proc/kallsyms, untrusted; only of boots that count. */
	struct text symbols;
	double seconds;  /* wall time of the boot */
	int64_t started; /* Unix seconds */
	struct {
		struct evidence_sample *items;
		size_t count, capacity;
	} samples;
	struct {
		struct evidence_series *items;
		size_t count, capacity;
	} series;
	struct {
		struct evidence_setting *items;
		size_t count, capacity;
	} settings;
	struct {
		struct evidence_remark *items;
		size_t count, capacity;
	} remarks;
};

void evidence_finish(struct evidence *evidence);

/*
 * Under which label the samples of a run (from 1) stand, of a case that has so many runs;
 * the caller frees.
 */
char *evidence_run_label(const char *case_label, uint64_t runs, uint64_t run);

/* The series of that name that is of no single run; NULL: none. */
const struct evidence_series *evidence_find_series(const struct evidence *evidence,
						   const char *case_label,
						   const char *name);

/* Sets outcome and detail, once: the first reason stays. */
__attribute__((format(printf, 3, 4))) void evidence_fail(struct evidence *evidence,
							 enum outcome outcome,
							 const char *format, ...);

void evidence_add_sample(struct evidence *evidence, const char *case_label,
			 const char *metric, const char *unit, const char *better,
			 double value);
/* The new, empty series, valid until the next one is added. */
struct evidence_series *evidence_add_series(struct evidence *evidence,
					    const char *case_label, const char *name,
					    const char *unit, int run);
void evidence_series_add(struct evidence_series *series, double value);
void evidence_add_setting(struct evidence *evidence, const char *case_label,
			  const char *disk, const char *name, const char *value);

/* The new remark, without figures yet; valid until the next one is added. */
struct evidence_remark *evidence_add_remark(struct evidence *evidence,
					    const char *case_label, int run,
					    const char *word, const char *text);

/*
 * Whether two boots agree in every sample to the last bit. *ret_first is the index in a
 * of the first sample that differs or is missing in b.
 */
int evidence_equal(const struct evidence *a, const struct evidence *b, size_t *ret_first);

#endif
