/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/profiles.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "guest/metrics.h"
#include "measure/symbols.h"
#include "profile/profile.h"
#include "store/profiles.h"

#include <math.h>
#include <stdlib.h>

/* One boot while its counts become rows. */
struct profiling {
	struct workbench *workbench;
	const struct scenario *scenario;
	const struct evidence *evidence;
	struct symbols symbols;
	struct counts counts;
	int64_t boot;
};

static void finish_profiling(struct profiling *job)
{
	symbols_finish(&job->symbols);
	counts_finish(&job->counts);
}

static int load_counts(struct profiling *job, const struct lab_boot *boot,
		       struct error *err)
{
	CLEANUP(text_finish) struct text bytes = {0};
	uint64_t runs = job->scenario->runs * job->scenario->cases.count;

	if (lab_boot_counts(boot, &bytes, err) ||
	    counts_read(text_string(&bytes), bytes.size, &job->counts, err))
		return -1;
	if (job->counts.count != runs)
		return error_set(err, ERROR_MEASUREMENT,
				 "blocks of %zu runs were counted, but the boot had %llu",
				 job->counts.count, (unsigned long long)runs);
	return 0;
}

/* The sum of a metric over the runs from..to (from 1); NAN where one has none. */
static double sum_of(const struct profiling *job, const char *label,
		     enum metric_id metric, uint64_t from, uint64_t to)
{
	CLEANUP(cleanup_free)
	char *name = memory_format("runs.%s", metric_table[metric].name);
	const struct evidence_series *series =
		evidence_find_series(job->evidence, label, name);
	double sum = 0;

	if (!series || series->count != job->scenario->runs)
		return NAN;
	for (uint64_t run = from; run <= to; run++)
		sum += series->values[run - 1];
	return sum;
}

static int add_rows(const struct profiling *job, const char *label,
		    const struct profile *profile, struct error *err)
{
	CLEANUP(cleanup_free)
	struct profile_line *lines = memory_new(profile->count, sizeof(*lines));
	struct profile_record record = {
		.boot = job->boot,
		.case_label = label,
		.runs = (int64_t)profile->runs,
		.outside = (int64_t)profile->outside,
		.nanoseconds = lab_instruction_time(job->workbench->lab),
		.operations = profile->facts.operations,
		.elapsed = profile->facts.elapsed,
		.read_requests = profile->facts.read_requests,
		.write_requests = profile->facts.write_requests,
		.flush_requests = profile->facts.flush_requests,
		.lines = lines,
		.line_count = profile->count,
	};
	int64_t id;

	for (size_t i = 0; i < profile->count; i++)
		lines[i] = (struct profile_line){
			.name = profile->rows[i].name,
			.file = profile->rows[i].file,
			.instructions = (int64_t)profile->rows[i].instructions,
			.calls = (int64_t)profile->rows[i].calls,
		};
	return store_add_profile(job->workbench->store, &record, &id, err);
}

/* The runs from..to (from 1) of one case, which stand under one label. */
static int add_phase(const struct profiling *job, size_t index, uint64_t from,
		     uint64_t to, struct error *err)
{
	const char *label = job->scenario->cases.items[index].label;
	uint64_t runs = job->scenario->runs;
	CLEANUP(cleanup_free) char *phase = evidence_run_label(label, runs, from);
	CLEANUP(profile_finish) struct profile profile = {0};

	for (uint64_t run = from; run <= to; run++)
		profile_add_run(&profile, &job->counts.runs[index * runs + run - 1],
				&job->symbols);
	profile_settle(&profile);
	profile.facts = (struct profile_facts){
		.operations = sum_of(job, label, METRIC_OPERATIONS, from, to),
		.elapsed = sum_of(job, label, METRIC_ELAPSED, from, to),
		.read_requests = sum_of(job, label, METRIC_READ_REQUESTS, from, to),
		.write_requests = sum_of(job, label, METRIC_WRITE_REQUESTS, from, to),
		.flush_requests = sum_of(job, label, METRIC_FLUSH_REQUESTS, from, to),
	};
	return add_rows(job, phase, &profile, err);
}

int profiles_add(struct workbench *workbench, const struct kernel *kernel,
		 const struct scenario *scenario, const struct lab_boot *boot, int64_t id,
		 struct error *err)
{
	CLEANUP(finish_profiling)
	struct profiling job = {
		.workbench = workbench,
		.scenario = scenario,
		.evidence = lab_boot_evidence(boot),
		.boot = id,
	};

	if (load_counts(&job, boot, err) ||
	    symbols_of_kernel(kernel, &job.evidence->symbols, &job.symbols, err))
		return -1;
	for (size_t i = 0; i < scenario->cases.count; i++)
		if (add_phase(&job, i, 1, 1, err) ||
		    (scenario->runs > 1 && add_phase(&job, i, 2, scenario->runs, err)))
			return -1;
	return 0;
}
