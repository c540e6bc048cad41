/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reports cost over a database of a million samples: 200 versions, 50 cases, 20
 * metrics, 5 boots, each series judged against its neighbour and the baseline.
 *
 *	report_cost FOLDER KREGRESS	makes the database, times each form, prints a
 *table
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/boots.h"
#include "store/findings.h"
#include "store/sessions.h"
#include "store/subjects.h"
#include "store/verdicts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VERSIONS = 200, CASES = 50, METRICS = 20, BOOTS = 5, BAD = 120, WINDOWS = 100 };

struct bench {
	struct store *store;
	int64_t session, scenario, environment;
	int64_t versions[VERSIONS], kernels[VERSIONS];
	char names[VERSIONS][16], cases[CASES][48], metrics[METRICS][24];
};

static double value_of(int version, int item, int metric, int boot)
{
	double level = 1e6 * (1 + item) * (1 + metric);
	int worse = version >= BAD && item % 10 == 0 && metric == 0;

	return level * (worse ? 1.2 : 1) * (1 + 0.0001 * ((version * 7 + boot * 3) % 11));
}

static int add_boot(struct bench *bench, int version, int boot, struct error *err)
{
	CLEANUP(cleanup_free)
	struct sample_record *samples = memory_new(CASES * METRICS, sizeof(*samples));
	double windows[WINDOWS];
	const struct series_record series = {bench->cases[0], "window_mean", "ns", 1,
					     windows,         WINDOWS};
	struct boot_record record = {
		.session = bench->session,
		.kernel = bench->kernels[version],
		.scenario = bench->scenario,
		.environment = bench->environment,
		.version = bench->versions[version],
		.outcome = "ok",
		.samples = samples,
		.sample_count = CASES * METRICS,
		.series = &series,
		.series_count = 1,
	};
	int64_t id;

	for (int i = 0; i < WINDOWS; i++)
		windows[i] = 1e5 + i * (version >= BAD ? 100 : 0);
	for (int i = 0; i < CASES; i++)
		for (int j = 0; j < METRICS; j++)
			samples[i * METRICS + j] = (struct sample_record){
				bench->cases[i], bench->metrics[j], "ns", "lower",
				value_of(version, i, j, boot)};
	return store_add_boot(bench->store, &record, &id, err);
}

static struct verdict_side side(const struct bench *bench, int version, int item,
				int metric)
{
	double value = value_of(version, item, metric, 0);

	return (struct verdict_side){bench->versions[version],
				     bench->names[version],
				     BOOTS,
				     value,
				     value,
				     value * 1.001};
}

static int add_verdict(struct bench *bench, const char *role, int a, int b, int item,
		       int metric, struct error *err)
{
	struct verdict_record record = {
		.session = bench->session,
		.role = role,
		.a = side(bench, a, item, metric),
		.b = side(bench, b, item, metric),
		.scenario = "fsync-loop",
		.case_label = bench->cases[item],
		.metric = bench->metrics[metric],
		.unit = "ns",
		.better = "lower",
		.p = 0.01,
		.q = 0.02,
		.superiority = 1,
	};

	record.change_percent = 100 * (record.b.median / record.a.median - 1);
	record.verdict = record.change_percent > 3 ? "regression" : "same";
	record.sentence = "median shift of a bench";
	return store_add_verdicts(bench->store, &record, 1, err);
}

static int add_verdicts(struct bench *bench, struct error *err)
{
	for (int version = 1; version < VERSIONS; version++)
		for (int i = 0; i < CASES; i++)
			for (int j = 0; j < METRICS; j++)
				if (add_verdict(bench, "neighbour", version - 1, version,
						i, j, err) < 0 ||
				    add_verdict(bench, "baseline", 0, version, i, j,
						err) < 0)
					return -1;
	return 0;
}

static int add_finding(struct bench *bench, struct error *err)
{
	const struct finding_case item = {"fsync-loop", bench->cases[0],
					  bench->metrics[0], 0};
	const struct finding_record finding = {
		.session = bench->session,
		.lab = "disk",
		.good_version = bench->versions[BAD - 1],
		.bad_version = bench->versions[BAD],
		.cases = &item,
		.case_count = 1,
	};
	int64_t id;

	return store_add_finding(bench->store, &finding, &id, err);
}

static int add_versions(struct bench *bench, struct error *err)
{
	for (int i = 0; i < VERSIONS; i++) {
		CLEANUP(cleanup_free) char *key = memory_format("kernel %d", i);
		const struct kernel_record kernel = {.key = key, .kind = "git"};
		struct version_record version = {.text = bench->names[i]};

		snprintf(bench->names[i], sizeof(bench->names[i]), "v6.%d", i);
		if (store_add_kernel(bench->store, &kernel, &bench->kernels[i], err) < 0)
			return -1;
		version.kernel = bench->kernels[i];
		if (store_add_version(bench->store, &version, &bench->versions[i], err) <
		    0)
			return -1;
	}
	return store_add_session_versions(bench->store, bench->session, bench->versions,
					  VERSIONS, err);
}

static int add_subjects(struct bench *bench, struct error *err)
{
	static const struct environment_field fields[] = {{"lab", "disk"}};
	const struct session_record session = {.command = "kregress run v6.0..v6.199",
					       .lab = "disk"};

	for (int i = 0; i < CASES; i++)
		snprintf(bench->cases[i], sizeof(bench->cases[i]),
			 "block_size=%d,mode=keep,device=ssd", 512 * (i + 1));
	for (int i = 0; i < METRICS; i++)
		snprintf(bench->metrics[i], sizeof(bench->metrics[i]), "metric_%d", i);
	if (store_add_session(bench->store, &session, &bench->session, err) < 0 ||
	    store_add_scenario(bench->store, "digest", "fsync-loop", "", &bench->scenario,
			       err) < 0 ||
	    store_add_environment(bench->store, "disk", fields, 1, &bench->environment,
				  err) < 0)
		return -1;
	return add_versions(bench, err);
}

static int fill(struct bench *bench, struct error *err)
{
	if (store_begin(bench->store, err) < 0 || add_subjects(bench, err) < 0)
		return -1;
	for (int version = 0; version < VERSIONS; version++)
		for (int boot = 0; boot < BOOTS; boot++)
			if (add_boot(bench, version, boot, err) < 0)
				return -1;
	if (add_verdicts(bench, err) < 0 || add_finding(bench, err) < 0 ||
	    store_end_session(bench->store, bench->session, 1, NULL, err) < 0)
		return -1;
	return store_commit(bench->store, err);
}

static int make_database(const char *folder, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, STORE_FILE_NAME);
	CLEANUP(cleanup_free) struct bench *bench = memory_new(1, sizeof(*bench));
	int result;

	if (file_exists(path))
		return 0;
	if (store_open(path, STORE_READ_WRITE, &bench->store, err) < 0)
		return -1;
	result = fill(bench, err);
	store_close(bench->store);
	return result;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static _Noreturn void become(const char *program, const char *folder, const char *format,
			     const char *output)
{
	execl(program, program, "report", "--results", folder, "--format", format,
	      "--output", output, "-q", (char *)NULL);
	_exit(127);
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* Wall time, processor time, largest resident set, size of what was written. */
static int time_form(const char *program, const char *folder, const char *format)
{
	CLEANUP(cleanup_free)
	char *output = memory_format("%s/report.%s", folder, format);
	struct rusage usage;
	struct stat file = {0};
	double began = now();
	int status;
	pid_t child = fork();

	if (!child) {
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		become(program, folder, format, output);
	}
	if (wait4(child, &status, 0, &usage) < 0 || status)
		return -1;
	stat(output, &file);
	printf("%-9s %6.2f s (%.2f s of a processor) %6.0f MB %9.0f kB\n", format,
	       now() - began, seconds(&usage.ru_utime) + seconds(&usage.ru_stime),
	       (double)usage.ru_maxrss / 1024, (double)file.st_size / 1024);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const formats[] = {"text", "html",  "json",
					      "csv",  "junit", "markdown"};
	struct error err = {0};

	if (argc != 3) {
		fprintf(stderr, "usage: report_cost FOLDER KREGRESS\n");
		return 2;
	}
	if (make_database(argv[1], &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 3;
	}
	printf("%d samples, %d verdicts\n", VERSIONS * CASES * METRICS * BOOTS,
	       2 * (VERSIONS - 1) * CASES * METRICS);
	fflush(stdout);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (time_form(argv[2], argv[1], formats[i]) < 0) {
			fprintf(stderr, "report --format %s failed\n", formats[i]);
			return 1;
		}
	return 0;
}
