/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent's workloads on the host: on files, on devices that fail as wanted, and with
 * the records that come out decoded again.
 */
#include "guest/agent/clock.h"
#include "guest/agent/hello.h"
#include "guest/agent/life.h"
#include "guest/agent/mount.h"
#include "guest/agent/words.h"
#include "guest/agent/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { DISKS = 3, SENT_MAX = 1 << 20 };

/* One case with its run, in a fresh folder for each disk. */
struct fixture {
	char folder[32];
	struct job job;
	struct disk disks[DISKS];
	struct metric_values disk_values[DISKS];
	struct report report;
	struct measure measure;
	struct run run;
	struct failure failure;
	const struct workload *workload;
};

static char sent[SENT_MAX];
static size_t sent_length;

static int keep_bytes(int handle, const char *bytes, size_t length)
{
	(void)handle;
	assert_true(length <= sizeof(sent) - sent_length);
	memcpy(sent + sent_length, bytes, length);
	sent_length += length;
	return 0;
}

static const struct channel memory_channel = {.name = "memory", .write = keep_bytes};

static struct fixture *make_fixture(const char *workload)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct job_case *job_case;
	char name[16];

	assert_non_null(fixture);
	strcpy(fixture->folder, "/tmp/kregress-test-XXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	job_case = job_add_case(&fixture->job, "a case");
	job_case->workload = workload_kind_find(workload);
	for (int i = 0; i < DISKS; i++) {
		snprintf(name, sizeof(name), "disk%d", i);
		job_case_add_disk(job_case, name);
		snprintf(fixture->disks[i].mount, DISK_PATH_SIZE, "%s/%d",
			 fixture->folder, i);
		assert_int_equal(mkdir(fixture->disks[i].mount, 0700), 0);
	}
	for (int i = 0; i < DISKS; i++)
		fixture->disks[i].job = &job_case->disks[i];
	fixture->workload = workload_find(workload);
	assert_non_null(fixture->workload);
	fixture->report.channel = &memory_channel;
	fixture->run = (struct run){
		.job_case = job_case,
		.disks = fixture->disks,
		.disk_count = DISKS,
		.number = 1,
		.report = &fixture->report,
		.measure = &fixture->measure,
		.disk_values = fixture->disk_values,
	};
	sent_length = 0;
	return fixture;
}

static void set(struct fixture *fixture, const char *name, const char *value)
{
	assert_int_equal(job_case_set_parameter(fixture->job.cases, name, value), 0);
}

/* Disk 0 as a "device" of the host. */
static void use_device(struct fixture *fixture, const char *path, uint64_t size)
{
	set(fixture, "target", "device");
	strcpy(fixture->disks[0].path, path);
	fixture->disks[0].size = size;
}

static int run_once(struct fixture *fixture)
{
	struct problem problem;
	const struct job_case *job_case = fixture->run.job_case;

	if (parameters_check(job_case->workload, job_case->parameters,
			     job_case->parameter_count, &problem))
		fail_msg("%s", problem.text);
	if (fixture->workload->prepare(&fixture->run, &fixture->failure))
		return -1;
	measure_init(&fixture->measure, &fixture->report,
		     run_number(&fixture->run, "window"));
	return fixture->workload->run(&fixture->run, &fixture->failure);
}

static void run_well(struct fixture *fixture)
{
	if (run_once(fixture))
		fail_msg("%s", fixture->failure.text);
	fixture->run.number++;
}

static void free_fixture(struct fixture *fixture)
{
	char path[256];

	for (int i = 0; i < DISKS; i++) {
		snprintf(path, sizeof(path), "%s/%d/data", fixture->folder, i);
		unlink(path);
		snprintf(path, sizeof(path), "%s/%d", fixture->folder, i);
		rmdir(path);
	}
	assert_int_equal(rmdir(fixture->folder), 0);
	job_finish(&fixture->job);
	free(fixture);
}

static off_t data_size(const struct fixture *fixture, int disk)
{
	struct stat status;
	char path[256];

	snprintf(path, sizeof(path), "%s/data", fixture->disks[disk].mount);
	return stat(path, &status) ? -1 : status.st_size;
}

/* The record of a type that was sent last; the fixture's channel holds all of them. */
static int find_record(enum result_type type, struct result *ret_result)
{
	static struct frame_decoder decoder;
	struct problem problem;
	struct frame frame;
	size_t at = 0;
	int found = 0;

	memset(&decoder, 0, sizeof(decoder));
	do {
		at += frame_decoder_feed(&decoder, sent + at, sent_length - at);
		while (frame_decoder_next(&decoder, &frame))
			if (frame.type == type) {
				assert_int_equal(
					result_decode(&frame, ret_result, &problem), 0);
				found++;
			}
	} while (at < sent_length);
	assert_int_equal(decoder.skipped, 0);
	return found;
}

static void test_sync_loop_keeps_and_extends(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");

	(void)state;
	set(fixture, "block_size", "20");
	set(fixture, "count", "50");
	run_well(fixture);
	assert_int_equal(data_size(fixture, 0), 1000);
	assert_int_equal(fixture->measure.operations, 50);
	assert_int_equal(fixture->measure.bytes, 1000);
	assert_int_equal(fixture->measure.histogram.count, 50);
	assert_true(fixture->measure.elapsed >= fixture->measure.histogram.maximum);
	run_well(fixture);
	assert_int_equal(data_size(fixture, 0), 1000);
	free_fixture(fixture);
}

static void test_sync_loop_in_every_way(void **state)
{
	static const char *const syncs[] = {"fsync", "sync_file_range", "o_sync",
					    "o_dsync", "none"};
	static const char *const modes[] = {"extend", "overwrite", "preallocated"};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct fixture *fixture = make_fixture("sync-loop");

		set(fixture, "count", "3");
		set(fixture, "sync", syncs[i]);
		set(fixture, "mode", modes[i % 3]);
		set(fixture, "call", i % 2 ? "write" : "pwrite");
		run_well(fixture);
		run_well(fixture);
		assert_int_equal(data_size(fixture, 0), 3 * 4096);
		free_fixture(fixture);
	}
}

/* A device starts again at its beginning when its end is reached. */
static void test_sync_loop_wraps_on_a_device(void **state)
{
	static const char *const calls[] = {"write", "pwrite"};
	struct stat status;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture *fixture = make_fixture("sync-loop");
		char path[RUN_PATH_SIZE];

		set(fixture, "target", "device");
		set(fixture, "call", calls[i]);
		set(fixture, "count", "7");
		snprintf(path, sizeof(path), "%s/data", fixture->disks[0].mount);
		close(open(path, O_CREAT | O_WRONLY, 0600));
		strcpy(fixture->disks[0].path, path);
		fixture->disks[0].size = 3 * 4096 + 100;
		run_well(fixture);
		assert_int_equal(stat(path, &status), 0);
		assert_int_equal(status.st_size, 3 * 4096);
		free_fixture(fixture);
	}
}

static void test_failed_write_names_all(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");

	(void)state;
	use_device(fixture, "/dev/full", 1 << 20);
	assert_int_equal(run_once(fixture), -1);
	assert_string_equal(fixture->failure.call, "write");
	assert_string_equal(fixture->failure.disk, "disk0");
	assert_int_equal(fixture->failure.error_number, ENOSPC);
	assert_string_equal(fixture->failure.text,
			    "write on disk0 at byte 0: No space left on device");
	report_failure(&fixture->report, &fixture->failure);
	free_fixture(fixture);
}

static void test_failed_sync_is_no_speed_up(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");

	(void)state;
	use_device(fixture, "/dev/null", 1 << 20); /* takes writes, but no fsync */
	assert_int_equal(run_once(fixture), -1);
	assert_string_equal(fixture->failure.call, "fdatasync");
	assert_int_equal(fixture->failure.error_number, EINVAL);
	free_fixture(fixture);
}

static void test_missing_file_system(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");

	(void)state;
	fixture->disks[0].mount[0] = '\0';
	assert_int_equal(run_once(fixture), -1);
	assert_non_null(strstr(fixture->failure.text, "no file system is mounted"));
	free_fixture(fixture);
}

/* In a child with its own mounts: the exit status says how it went, 77 for "may not". */
static int run_on_full_tmpfs(struct fixture *fixture)
{
	const struct failure *failure = &fixture->failure;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", fixture->disks[0].mount, "tmpfs", 0, "size=64k"))
		return 77;
	set(fixture, "count", "100");
	if (!run_once(fixture))
		return 1;
	return failure->error_number == ENOSPC && failure->offset == 65536 &&
			       !strcmp(failure->call, "write") &&
			       fixture->measure.operations == 16
		       ? 0
		       : 2;
}

static void test_full_file_system(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");
	pid_t pid = fork();
	int status;

	(void)state;
	if (!pid)
		_exit(run_on_full_tmpfs(fixture));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	free_fixture(fixture);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_misaligned_direct_write(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");
	struct failure *failure = &fixture->failure;

	(void)state;
	set(fixture, "direct", "yes");
	set(fixture, "block_size", "513"); /* which a scenario is refused */
	measure_init(&fixture->measure, &fixture->report, 0);
	if (!fixture->workload->run(&fixture->run, failure)) {
		free_fixture(fixture);
		skip(); /* a file system that takes anything */
	}
	assert_int_equal(failure->error_number, EINVAL);
	free_fixture(fixture);
}

static void test_read(void **state)
{
	static const char *const patterns[] = {"sequential", "random"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture *fixture = make_fixture("read");

		set(fixture, "size", "1M");
		set(fixture, "block_size", i ? "64k" : "100000");
		set(fixture, "pattern", patterns[i]);
		run_well(fixture);
		assert_int_equal(data_size(fixture, 0), 1 << 20);
		assert_int_equal(fixture->measure.bytes, 1 << 20);
		assert_int_equal(fixture->measure.operations, i ? 16 : 11);
		free_fixture(fixture);
	}
}

static void test_short_read_fails(void **state)
{
	struct fixture *fixture = make_fixture("read");

	(void)state;
	set(fixture, "size", "1M");
	use_device(fixture, "/dev/null", 1 << 20);
	assert_int_equal(run_once(fixture), -1);
	assert_string_equal(fixture->failure.text,
			    "0 bytes instead of 131072 were read at byte 0");
	fixture->disks[0].size = 4096;
	assert_int_equal(run_once(fixture), -1);
	assert_string_equal(fixture->failure.text,
			    "size is 1048576, but the disk has 4096 bytes");
	free_fixture(fixture);
}

static void test_parallel_writers(void **state)
{
	struct fixture *fixture = make_fixture("parallel-writers");

	(void)state;
	set(fixture, "size", "300000");
	run_well(fixture);
	run_well(fixture);
	for (int i = 0; i < DISKS; i++) {
		assert_int_equal(data_size(fixture, i), 300000);
		assert_true(fixture->disk_values[i].value[METRIC_BYTES] == 300000);
		assert_true(fixture->disk_values[i].value[METRIC_ELAPSED] <=
			    (double)fixture->measure.elapsed);
	}
	assert_int_equal(fixture->measure.bytes, 3 * 300000);
	assert_int_equal(fixture->measure.operations, 3 * 5);
	assert_int_equal(fixture->measure.histogram.count, 3 * 5);
	free_fixture(fixture);
}

static void test_one_failing_writer_fails_the_run(void **state)
{
	struct fixture *fixture = make_fixture("parallel-writers");

	(void)state;
	set(fixture, "size", "1M");
	strcpy(fixture->disks[1].mount, "/proc/nowhere");
	assert_int_equal(run_once(fixture), -1);
	assert_string_equal(fixture->failure.call, "open");
	assert_string_equal(fixture->failure.disk, "/proc/nowhere/data");
	strcpy(fixture->disks[1].mount, fixture->disks[0].mount);
	free_fixture(fixture);
}

static void test_exec_output(void **state)
{
	struct fixture *fixture = make_fixture("exec");
	struct result *result = calloc(1, sizeof(*result));

	(void)state;
	set(fixture, "command", "printf '%s=%d\\n' value 42");
	run_well(fixture);
	assert_int_equal(find_record(RESULT_OUTPUT, result), 1);
	assert_string_equal(result->output.bytes, "value=42\n");
	assert_string_equal(result->output.parser, "metric-lines");
	assert_true(fixture->measure.elapsed > 0);
	free(result);
	free_fixture(fixture);
}

static void test_long_exec_output_comes_in_pieces(void **state)
{
	struct fixture *fixture = make_fixture("exec");
	struct result *result = calloc(1, sizeof(*result));

	(void)state;
	set(fixture, "command", "head -c 10000 /dev/zero");
	run_well(fixture);
	assert_int_equal(find_record(RESULT_OUTPUT, result), 3);
	assert_int_equal(result->output.length, 10000 - 2 * (RESULT_TEXT_SIZE - 1));
	free(result);
	free_fixture(fixture);
}

static void test_gnu_time_is_on_stderr(void **state)
{
	struct fixture *fixture = make_fixture("exec");
	struct result *result = calloc(1, sizeof(*result));

	(void)state;
	set(fixture, "command", "sh -c 'echo out; echo real 1.5 >&2'");
	set(fixture, "parser", "gnu-time");
	run_well(fixture);
	assert_int_equal(find_record(RESULT_OUTPUT, result), 1);
	assert_string_equal(result->output.bytes, "real 1.5\n");
	free(result);
	free_fixture(fixture);
}

static void test_failing_commands(void **state)
{
	static const struct {
		const char *command, *text;
	} bad[] = {
		{"sh -c 'echo no disk >&2; exit 3'", "sh: exit status 3: no disk"},
		{"sh -c 'kill -9 $$'", "sh: signal 9: "},
		{"/nonexistent a", "/nonexistent: exit status 127: cannot be started: "
				   "No such file or directory"},
		{"echo {disk7}", "the case has no disk 7"},
		{"echo 'open", "a quote of the command is not closed"},
		{"  ", "the command is empty"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fixture *fixture = make_fixture("exec");

		set(fixture, "command", bad[i].command);
		assert_int_equal(run_once(fixture), -1);
		assert_string_equal(fixture->failure.text, bad[i].text);
		free_fixture(fixture);
	}
}

static void test_words(void **state)
{
	struct disk disk = {.path = "/dev/nullb0", .mount = "/mnt/0"};
	struct words words;
	struct failure failure;
	char longest[WORDS_BYTES + 10];

	(void)state;
	assert_int_equal(words_split(" a  'b c'd \"{disk0}\"'' {mount0}/x {disk} '' ",
				     &disk, 1, &words, &failure),
			 0);
	assert_int_equal(words.count, 6);
	assert_string_equal(words.word[1], "b cd");
	assert_string_equal(words.word[2], "/dev/nullb0");
	assert_string_equal(words.word[3], "/mnt/0/x");
	assert_string_equal(words.word[4], "{disk}");
	assert_string_equal(words.word[5], "");
	assert_null(words.word[6]);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(words_split(longest, NULL, 0, &words, &failure), -1);
	for (size_t i = 0; i < sizeof(longest) - 1; i += 2)
		longest[i] = ' ';
	assert_int_equal(words_split(longest, NULL, 0, &words, &failure), -1);
}

/* Windows leave while the run goes on, and their cost is taken off. */
static void test_windows_leave_early(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");
	struct measure *measure = &fixture->measure;
	struct result *result = calloc(1, sizeof(*result));
	uint64_t at;

	(void)state;
	measure_init(measure, &fixture->report, 10);
	measure_begin(measure);
	at = measure->begin;
	for (int i = 0; i < 25; i++)
		measure_operation(measure, at + (uint64_t)i * 1000,
				  at + (uint64_t)i * 1000 + 100 + (uint64_t)i, 1);
	assert_int_equal(find_record(RESULT_SERIES, result), 0);
	measure_operation(measure, at, at + 2 * (uint64_t)MEASURE_REPORT_INTERVAL, 1);
	assert_int_equal(find_record(RESULT_SERIES, result), 1);
	assert_string_equal(result->series.name, "window_mean");
	assert_int_equal(result->series.count, 2);
	assert_true(result->series.value[0] == 104.5);
	assert_true(result->series.value[1] == 114.5);
	assert_int_equal(find_record(RESULT_PROGRESS, result), 1);
	assert_int_equal(result->progress.operations, 26);
	for (int i = 0; i < 10 * RESULT_POINTS_MAX; i++)
		measure_operation(measure, at, at + 1, 1);
	assert_int_equal(find_record(RESULT_SERIES, result), 2);
	assert_int_equal(result->series.first, 2);
	assert_int_equal(result->series.count, RESULT_POINTS_MAX);
	free(result);
	free_fixture(fixture);
}

/* A run of short operations tells its windows long before a second is over. */
static void test_windows_do_not_wait_for_a_second(void **state)
{
	struct fixture *fixture = make_fixture("sync-loop");
	struct measure *measure = &fixture->measure;
	struct result *result = calloc(1, sizeof(*result));
	uint64_t at;

	(void)state;
	measure_init(measure, &fixture->report, 2);
	measure_begin(measure);
	at = measure->begin;
	measure_operation(measure, at, at + 1, 1);
	measure_operation(measure, at, at + 1, 1);
	assert_int_equal(find_record(RESULT_SERIES, result), 0);
	at += MEASURE_WINDOW_INTERVAL;
	measure_operation(measure, at, at + 1, 1);
	assert_int_equal(find_record(RESULT_SERIES, result), 1);
	assert_int_equal(result->series.count, 1);
	assert_int_equal(find_record(RESULT_PROGRESS, result), 0);
	free(result);
	free_fixture(fixture);
}

static void test_life_is_what_moves(void **state)
{
	struct life life = {0};
	volatile unsigned work = 0;
	pid_t busy;

	(void)state;
	assert_true(life_moved(&life, NULL, 0, 7));
	assert_int_equal(life.progress, 7);
	/* A process that only computes lives too. */
	life_moved(&life, NULL, 0, 7);
	busy = fork();
	while (!busy)
		work++;
	usleep(300000);
	assert_true(life_moved(&life, NULL, 0, 7));
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
}

static void test_rate_keeps_every_byte(void **state)
{
	struct rate *rate = calloc(2, sizeof(*rate)), *other = rate + 1;
	const uint64_t second = 1000000000;
	uint64_t total = 0;
	size_t count;

	(void)state;
	rate->period = other->period = RATE_FIRST_PERIOD;
	for (uint64_t time = 0; time < 20 * second; time += second / 100)
		rate_add(rate, time, 7);
	rate_add(other, 0, 1);
	rate_merge(rate, other);
	count = rate_finish(rate, 20 * second);
	assert_int_equal(count, 20);
	assert_int_equal(rate->period, second);
	for (size_t i = 0; i < RATE_SLOTS; i++)
		total += rate->bytes[i];
	assert_int_equal(total, 2000 * 7 + 1);
	assert_true(rate_variation(rate, count) < 0.1);
	rate->bytes[3] = 0;
	assert_true(rate_variation(rate, count) > 20);
	memset(rate, 0, sizeof(*rate));
	rate->period = RATE_FIRST_PERIOD;
	assert_true(rate_variation(rate, 10) == 0);
	rate_add(rate, 100000 * second, 5);
	assert_true(rate->period * RATE_SLOTS > 100000 * second);
	free(rate);
}

static void test_mount_options(void **state)
{
	char data[JOB_LABEL_SIZE];

	(void)state;
	assert_int_equal(mount_split_options("noatime,data=ordered,,ro,commit=5", data,
					     sizeof(data)),
			 MS_NOATIME | MS_RDONLY);
	assert_string_equal(data, "data=ordered,commit=5");
	assert_int_equal(mount_split_options("", data, sizeof(data)), 0);
	assert_string_equal(data, "");
}

static void test_build_id(void **state)
{
	unsigned char notes[] = {4, 0,   0,   0,   2, 0,    0,    0,    1, 0, 0,
				 0, 'X', 'e', 'n', 0, 0xaa, 0xbb, 0,    0, /* another */
				 4, 0,   0,   0,   3, 0,    0,    0,    3, 0, 0,
				 0, 'G', 'N', 'U', 0, 1,    0xab, 0xff, 0};
	char id[RESULT_STRING_SIZE];

	(void)state;
	hello_build_id(notes, sizeof(notes), id);
	assert_string_equal(id, "01abff");
	for (size_t cut = 0; cut < sizeof(notes); cut++) {
		hello_build_id(notes, cut, id);
		assert_string_equal(id, "");
	}
	notes[4] = 0xff;
	notes[7] = 0xff;
	hello_build_id(notes, sizeof(notes), id);
	assert_string_equal(id, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sync_loop_keeps_and_extends),
		cmocka_unit_test(test_sync_loop_in_every_way),
		cmocka_unit_test(test_sync_loop_wraps_on_a_device),
		cmocka_unit_test(test_failed_write_names_all),
		cmocka_unit_test(test_failed_sync_is_no_speed_up),
		cmocka_unit_test(test_missing_file_system),
		cmocka_unit_test(test_full_file_system),
		cmocka_unit_test(test_misaligned_direct_write),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_short_read_fails),
		cmocka_unit_test(test_parallel_writers),
		cmocka_unit_test(test_one_failing_writer_fails_the_run),
		cmocka_unit_test(test_exec_output),
		cmocka_unit_test(test_long_exec_output_comes_in_pieces),
		cmocka_unit_test(test_gnu_time_is_on_stderr),
		cmocka_unit_test(test_failing_commands),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_windows_leave_early),
		cmocka_unit_test(test_windows_do_not_wait_for_a_second),
		cmocka_unit_test(test_life_is_what_moves),
		cmocka_unit_test(test_rate_keeps_every_byte),
		cmocka_unit_test(test_mount_options),
		cmocka_unit_test(test_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
