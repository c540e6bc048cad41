/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/case.h"

#include "guest/agent/clock.h"
#include "guest/agent/mount.h"
#include "guest/agent/sysfs.h"
#include "guest/agent/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Quiet time before each run, so that none pays for what came before it. ext4 reads its
 * bitmaps in the background at a random time up to 5 s after mounting; where guest time
 * costs nothing this is waited for, else it shows as a read more or less.
 */
static const uint64_t calm = 1000000000, calm_virtual = 7000000000;

struct bench {
	const struct job_case *job_case;
	const struct workload *workload;
	struct report *report;
	struct measure *measure;
	struct disk disks[JOB_DISKS_MAX]; /* those that can be used */
	size_t disk_count;
	struct disk_counters before[JOB_DISKS_MAX], after[JOB_DISKS_MAX];
	struct metric_values disk_values[JOB_DISKS_MAX];
};

static struct disk_settings get_settings(const struct job_case *job_case)
{
	const struct workload_kind *kind = job_case->workload;
	const struct parameter_value *values = job_case->parameters;
	size_t count = job_case->parameter_count;

	return (struct disk_settings){
		parameters_number(kind, values, count, "readahead_sectors"),
		parameters_number(kind, values, count, "queue_depth"),
		parameters_text(kind, values, count, "scheduler"),
		(enum write_cache)parameters_number(kind, values, count, "write_cache"),
	};
}

static void send_readback(struct bench *bench, const struct disk *disk)
{
	struct result result = {.type = RESULT_READBACK};

	disk_read_back(disk, &result.readback);
	report_send(bench->report, &result);
}

/* A disk that cannot do what the case asks is left out; the others are measured. */
static int leave_out(struct bench *bench, struct disk *disk, struct failure *why)
{
	struct result result = {.type = RESULT_LEFT_OUT};

	snprintf(result.failure.disk, sizeof(result.failure.disk), "%s", why->disk);
	snprintf(result.failure.text, sizeof(result.failure.text), "%s", why->text);
	report_send(bench->report, &result);
	return disk_close(disk, why);
}

static int is_fit(const struct bench *bench, const struct disk *disk, struct failure *why)
{
	const struct job_case *job_case = bench->job_case;
	uint64_t block = parameters_number(job_case->workload, job_case->parameters,
					   job_case->parameter_count, "block_size");

	return !parameters_number(job_case->workload, job_case->parameters,
				  job_case->parameter_count, "direct") ||
	       !disk_check_direct(disk, block, why);
}

static int set_up_disk(struct bench *bench, size_t i, struct failure *failure)
{
	const struct disk_settings settings = get_settings(bench->job_case);
	struct disk *disk = &bench->disks[bench->disk_count];

	if (disk_open(disk, &bench->job_case->disks[i], i, &settings, failure))
		return -1;
	if (!is_fit(bench, disk, failure))
		return leave_out(bench, disk, failure);
	bench->disk_count++;
	if (disk_write_image(disk, failure) ||
	    disk_apply_settings(disk, &settings, failure))
		return -1;
	send_readback(bench, disk);
	return 0;
}

static int mount_all(struct bench *bench, struct failure *failure)
{
	if (bench->job_case->filesystem == JOB_FS_NONE)
		return 0;
	for (size_t i = 0; i < bench->disk_count; i++)
		if (mount_disk(&bench->disks[i], bench->job_case, i, failure))
			return -1;
	return 0;
}

static int take_down_all(struct bench *bench, struct failure *failure)
{
	for (size_t i = 0; i < bench->disk_count; i++)
		if (mount_take_down(&bench->disks[i], failure))
			return -1;
	return 0;
}

static int drop_caches(struct failure *failure)
{
	static const char path[] = "/proc/sys/vm/drop_caches";

	sync();
	return sysfs_write(path, "3") ? failure_system(failure, "write", path, 0) : 0;
}

static int set_up(struct bench *bench, struct failure *failure)
{
	for (size_t i = 0; i < bench->job_case->disk_count; i++)
		if (set_up_disk(bench, i, failure))
			return -1;
	/* Of the last one left out, the failure is set already. */
	if (bench->job_case->disk_count && !bench->disk_count)
		return -1;
	return mount_all(bench, failure);
}

/* Cold means that nothing of the file system is left in memory either. */
static int make_cold(struct bench *bench, struct failure *failure)
{
	if (take_down_all(bench, failure) || drop_caches(failure))
		return -1;
	return mount_all(bench, failure);
}

static int read_counters(const struct bench *bench, struct disk_counters *counters,
			 struct failure *failure)
{
	for (size_t i = 0; i < bench->disk_count; i++)
		if (disk_read_counters(&bench->disks[i], &counters[i], failure))
			return -1;
	return 0;
}

static void send_counters(struct bench *bench, size_t i)
{
	struct result result = {.type = RESULT_COUNTERS};

	snprintf(result.values.disk, sizeof(result.values.disk), "%s",
		 bench->disks[i].job->name);
	disk_add_counters(&bench->before[i], &bench->after[i], &bench->disk_values[i]);
	result.values.values = bench->disk_values[i];
	report_send(bench->report, &result);
}

static void send_run(struct bench *bench)
{
	struct result result = {.type = RESULT_RUN};

	for (size_t i = 0; i < bench->disk_count; i++) {
		send_counters(bench, i);
		disk_add_counters(&bench->before[i], &bench->after[i],
				  &result.values.values);
	}
	measure_finish(bench->measure, &result.values.values);
	report_send(bench->report, &result);
}

static int is_virtual(const struct job_case *job_case)
{
	return job_case->disk_count && job_case->disks[0].kind == JOB_DISK_NULL;
}

static int measure_run(struct bench *bench, struct run *run, struct failure *failure)
{
	uint64_t window = run_number(run, "window");

	if (bench->workload->prepare(run, failure) ||
	    (bench->workload->cold && make_cold(bench, failure)))
		return -1;
	report_progress(bench->report, "calm", 0);
	sync();
	clock_sleep(is_virtual(bench->job_case) ? calm_virtual : calm);
	memset(bench->disk_values, 0, sizeof(bench->disk_values));
	measure_init(bench->measure, bench->report, window);
	if (read_counters(bench, bench->before, failure))
		return -1;
	if (bench->workload->run(run, failure)) {
		measure_send_windows(bench->measure);
		return -1;
	}
	if (read_counters(bench, bench->after, failure))
		return -1;
	send_run(bench);
	return 0;
}

static int run_all(struct bench *bench, struct failure *failure)
{
	struct run run = {
		.job_case = bench->job_case,
		.disks = bench->disks,
		.disk_count = bench->disk_count,
		.report = bench->report,
		.measure = bench->measure,
		.disk_values = bench->disk_values,
	};

	for (run.number = 1; run.number <= bench->job_case->runs; run.number++) {
		bench->report->run = run.number;
		if (measure_run(bench, &run, failure))
			return -1;
	}
	bench->report->run = 0;
	return 0;
}

/* Everything down, whatever failed before; the first failure is the one that counts. */
static int tear_down(struct bench *bench, struct failure *failure)
{
	struct failure later;
	int result = 0;

	for (size_t i = 0; i < bench->disk_count; i++) {
		struct failure *target = result ? &later : failure;

		if (mount_take_down(&bench->disks[i], target) ||
		    (bench->disks[i].job && disk_close(&bench->disks[i], target)))
			result = -1;
	}
	return result;
}

static int run_case(struct bench *bench)
{
	struct failure failure, later;
	int failed = set_up(bench, &failure) || run_all(bench, &failure);

	if (failed) {
		report_failure(bench->report, &failure);
		tear_down(bench, &later);
	} else if (tear_down(bench, &failure)) {
		report_failure(bench->report, &failure);
		failed = 1;
	}
	bench->report->run = 0;
	return failed;
}

int case_run(const struct job_case *job_case, struct report *report)
{
	static struct measure measure;
	static struct bench bench;
	struct result begin = {.type = RESULT_CASE_BEGIN},
		      end = {.type = RESULT_CASE_END};

	bench = (struct bench){.job_case = job_case,
			       .workload = workload_find(job_case->workload->name),
			       .report = report,
			       .measure = &measure};
	snprintf(begin.case_begin.label, sizeof(begin.case_begin.label), "%s",
		 job_case->label);
	sysfs_read("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		   begin.case_begin.clocksource, sizeof(begin.case_begin.clocksource));
	begin.case_begin.uptime = clock_uptime();
	report_send(report, &begin);
	end.case_end.failed = (uint64_t)run_case(&bench);
	end.case_end.uptime = clock_uptime();
	report_send(report, &end);
	return end.case_end.failed != 0;
}
