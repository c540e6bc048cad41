/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent: PID 1 of the measuring VM. Reads /job, runs its cases, sends what it
 * measured, powers off. Nothing comes into the guest while it runs.
 */
#include "guest/agent/case.h"
#include "guest/agent/clock.h"
#include "guest/agent/hello.h"
#include "guest/agent/setup.h"
#include "guest/agent/symbols.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { JOB_SIZE_MAX = 16 << 20 };

static char *read_job(void)
{
	FILE *file = fopen("/job", "re");
	char *text = file ? malloc(JOB_SIZE_MAX) : NULL;
	size_t length;

	if (text) {
		length = fread(text, 1, JOB_SIZE_MAX - 1, file);
		text[length] = '\0';
	}
	if (file)
		fclose(file);
	return text;
}

static int load_job(struct job *job, struct failure *failure)
{
	char *text = read_job();
	struct problem problem;
	int result;

	if (!text)
		return failure_set(failure, "/job", "the guest image has no job");
	result = job_parse(text, job, &problem);
	free(text);
	return result ? failure_set(failure, "/job", "%s", problem.text) : 0;
}

static void say_hello(struct report *report)
{
	struct result result = {.type = RESULT_HELLO};

	hello_fill(&result.hello);
	report_send(report, &result);
}

/* In steps, so that the host sees life in a long wait. */
static void settle(uint64_t seconds, struct report *report)
{
	enum { STEP = 10 };
	uint64_t part;

	for (; seconds; seconds -= part) {
		report_progress(report, "settle", 0);
		part = seconds < STEP ? seconds : STEP;
		clock_sleep(part * 1000000000);
	}
	sync();
}

static void run_job(const struct job *job, struct report *report)
{
	struct result done = {.type = RESULT_DONE};

	settle(job->settle_seconds, report);
	for (size_t i = 0; i < job->case_count; i++) {
		report->case_index = i;
		done.done.failed += (uint64_t)case_run(&job->cases[i], report);
	}
	symbols_send(report, (enum job_symbols)job->symbols);
	symbols_send(report, (enum job_symbols)job->symbols);
	done.done.cases = job->case_count;
	done.done.uptime = clock_uptime();
	report_send(report, &done);
}

int main(void)
{
	static struct report report;
	struct failure failure;
	struct job job = {0};
	int failed;

	if (getpid() != 1) {
		fputs("kregress-agent runs as PID 1 of a measuring VM only\n", stderr);
		return 2;
	}
	setup_mounts();
	failed = setup_modules(&failure) || load_job(&job, &failure);
	setup_configfs();
	setup_rest();
	report.channel = channel_open(job.channel, &report.handle);
	say_hello(&report);
	if (failed)
		report_failure(&report, &failure);
	else
		run_job(&job, &report);
	setup_power_off();
}
