/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, parameters and image extents: round trips and refusals. */
#include "guest/extents.h"
#include "guest/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *write_job(const struct job *job)
{
	struct problem problem;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	if (job_write(job, out, &problem))
		fail_msg("%s", problem.text);
	fclose(out);
	return text;
}

static void make_job(struct job *job)
{
	struct job_case *job_case = job_add_case(job, "block_size=4096,mode=extend");
	struct job_disk *disk;

	job->channel = JOB_CHANNEL_COM2;
	job->settle_seconds = 30;
	job->symbols = JOB_SYMBOLS_ALL;
	assert_non_null(job_case);
	job_case->workload = workload_kind_find("sync-loop");
	job_case->runs = 3;
	job_case->filesystem = JOB_FS_EXT4;
	strcpy(job_case->mount_options, "noatime,data=ordered");
	assert_int_equal(job_case_set_parameter(job_case, "block_size", "4k"), 0);
	assert_int_equal(job_case_set_parameter(job_case, "mode", "extend"), 0);
	disk = job_case_add_disk(job_case, "ssd0");
	disk->size = 256 << 20;
	disk->completion_time = 100000;
	disk->cache_size = 64 << 20;
	strcpy(disk->image, "/images/ext4");
	job_case = job_add_case(job, "");
	job_case->workload = workload_kind_find("exec");
	job_case_set_parameter(job_case, "command", "fio --output-format=json /job.fio");
	disk = job_case_add_disk(job_case, "S3 RIAL");
	disk->kind = JOB_DISK_SERIAL;
}

static void test_job_comes_back(void **state)
{
	struct job job = {0}, back = {0};
	struct problem problem;
	char *text, *again;

	(void)state;
	make_job(&job);
	text = write_job(&job);
	if (job_parse(text, &back, &problem))
		fail_msg("%s", problem.text);
	again = write_job(&back);
	assert_string_equal(text, again);
	assert_int_equal(back.cases[0].disks[0].completion_time, 100000);
	assert_int_equal(back.cases[1].disks[0].kind, JOB_DISK_SERIAL);
	assert_string_equal(back.cases[1].parameters[0].value,
			    "fio --output-format=json /job.fio");
	free(text);
	free(again);
	job_finish(&job);
	job_finish(&back);
}

#define HEAD "kregress-job 1\ncase a\nworkload sync-loop\n"

static void test_bad_jobs_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"end\n",
		"kregress-job 2\nend\n",
		"kregress-job 1\n",
		"kregress-job 1\nend",
		"kregress-job 1\nend\nend\n",
		"kregress-job 1\nend 1\n",
		"kregress-job 1\n\nend\n",
		"kregress-job 1\nruns 3\nend\n",
		"kregress-job 1\nchannel pipe\nend\n",
		"kregress-job 1\ncase a\nend\n",
		"kregress-job 1\ndisk a\nend\n",
		"kregress-job 1\ncase a\nworkload nonsense\nend\n",
		HEAD "runs 0\nend\n",
		HEAD "runs 1.5\nend\n",
		HEAD "runs\nend\n",
		HEAD "parameter block_size\nend\n",
		HEAD "parameter nonsense 1\nend\n",
		HEAD "parameter block_size 0\nend\n",
		HEAD "parameter count 1\nparameter count 1\nend\n",
		HEAD "parameter queue_depth 0\nend\n",
		HEAD "parameter queue_depth -1\nend\n",
		HEAD "parameter queue_depth 8.5\nend\n",
		HEAD "parameter queue_depth 1e3\nend\n",
		HEAD "parameter direct yes\nparameter block_size 20\nend\n",
		HEAD "filesystem ext4\nend\n",
		HEAD "disk a\nend\n",
		HEAD "disk a\nsize 1000\nend\n",
		HEAD "disk a\nsize 1048576\nblock_size 1536\nend\n",
		HEAD "disk a\nsize 1048576\ndisk a\nsize 1048576\nend\n",
	};
	struct job job = {0};
	struct problem problem;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		problem.text[0] = '\0';
		if (!job_parse(bad[i], &job, &problem))
			fail_msg("taken: %s", bad[i]);
		assert_true(problem.text[0]);
		assert_null(job.cases);
	}
	assert_int_equal(job_parse(HEAD "end\n", &job, &problem), 0);
	job_finish(&job);
}

static void test_mutated_jobs(void **state)
{
	struct job job = {0};
	char *text, *copy;
	size_t length;
	struct problem problem;
	uint32_t random = 5;

	(void)state;
	make_job(&job);
	text = write_job(&job);
	job_finish(&job);
	length = strlen(text);
	for (int round = 0; round < 5000; round++) {
		copy = strdup(text);
		for (int flips = 0; flips < 2; flips++) {
			random = random * 1664525 + 1013904223;
			copy[(random >> 8) % length] = (char)(random >> 24);
		}
		if (!job_parse(copy, &job, &problem))
			job_finish(&job);
		free(copy);
	}
	free(text);
}

static void test_limits_of_lists(void **state)
{
	struct job job = {0};
	struct job_case *job_case = job_add_case(&job, "a");
	char name[2 * JOB_LABEL_SIZE];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_null(job_case_add_disk(job_case, name));
	assert_int_equal(job_case_set_parameter(job_case, name, "1"), -1);
	for (int i = 0; i < JOB_DISKS_MAX; i++)
		assert_non_null(job_case_add_disk(job_case, "d"));
	assert_null(job_case_add_disk(job_case, "d"));
	assert_null(job_add_case(&job, name));
	job_finish(&job);
}

static void test_unwritable_job(void **state)
{
	struct job job = {0};
	struct problem problem;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	make_job(&job);
	assert_int_equal(job_write(&job, full, &problem), -1);
	fclose(full);
	strcpy(job.cases[0].label, "two\nlines");
	assert_int_equal(job_write(&job, stderr, &problem), -1);
	job_finish(&job);
}

static void test_parameter_values(void **state)
{
	const struct workload_kind *kind = workload_kind_find("read");
	struct parameter_value values[] = {{"size", "16M"}, {"direct", "yes"}};
	struct problem problem;
	uint64_t number;

	(void)state;
	assert_int_equal(parameters_check(kind, values, 2, &problem), 0);
	assert_int_equal(parameters_number(kind, values, 2, "size"), 16 << 20);
	assert_int_equal(parameters_number(kind, values, 2, "direct"), 1);
	assert_int_equal(parameters_number(kind, values, 2, "block_size"), 128 << 10);
	assert_int_equal(parameters_number(kind, values, 2, "queue_depth"), 0);
	assert_string_equal(parameters_text(kind, values, 2, "pattern"), "sequential");
	assert_int_equal(parameters_check(kind, values + 1, 1, &problem), -1);
	assert_string_equal(problem.text, "read needs the parameter size");
	assert_int_equal(parameter_parse(parameter_find(kind, "queue_depth"), "8.5",
					 &number, &problem),
			 -1);
	assert_string_equal(problem.text, "queue_depth is \"8.5\", but must be a whole "
					  "number from 1 to 65535");
}

/* The defaults of the table itself keep its rules. */
static void test_defaults_are_legal(void **state)
{
	struct problem problem;
	uint64_t number;

	(void)state;
	for (size_t k = 0; k < workload_kind_count; k++)
		for (size_t i = 0; i < workload_kinds[k].parameter_count; i++) {
			const struct parameter *p = &workload_kinds[k].parameters[i];

			if (p->fallback && *p->fallback &&
			    parameter_parse(p, p->fallback, &number, &problem))
				fail_msg("%s: %s", workload_kinds[k].name, problem.text);
		}
}

static FILE *image_with(uint64_t size, uint64_t offset, const char *text)
{
	FILE *image = tmpfile();

	assert_non_null(image);
	assert_int_equal(ftruncate(fileno(image), (off_t)size), 0);
	assert_int_equal(pwrite(fileno(image), text, strlen(text), (off_t)offset),
			 strlen(text));
	return image;
}

static void test_extents_come_back(void **state)
{
	const uint64_t size = (1 << 20) + 700;
	FILE *image = image_with(size, 4096 * 63 + 4090, "across a block and a chunk");
	FILE *out = tmpfile(), *disk = tmpfile();
	static char before[(1 << 20) + 700], after[(1 << 20) + 700];
	struct problem problem;
	uint64_t found;

	(void)state;
	assert_int_equal(pwrite(fileno(image), "last", 4, (off_t)size - 4), 4);
	assert_int_equal(extents_write(image, size, out, &problem), 0);
	assert_true(ftell(out) < 20000);
	assert_int_equal(extents_size(out, &found, &problem), 0);
	assert_int_equal(found, size);
	memset(after, 'x', size);
	assert_int_equal(pwrite(fileno(disk), after, size, 0), size);
	assert_int_equal(extents_apply(out, fileno(disk), 1, &problem), 0);
	assert_int_equal(pread(fileno(image), before, size, 0), size);
	assert_int_equal(pread(fileno(disk), after, size, 0), size);
	assert_memory_equal(before, after, size);
	assert_int_equal(extents_write(image, size + 1, out, &problem), -1);
	fclose(image);
	fclose(out);
	fclose(disk);
}

static void test_cut_extents_are_refused(void **state)
{
	FILE *image = image_with(16384, 5000, "something"), *out = tmpfile();
	FILE *disk = tmpfile();
	struct problem problem;
	long length;

	(void)state;
	assert_int_equal(extents_write(image, 16384, out, &problem), 0);
	length = ftell(out);
	for (long cut = length - 1; cut >= 0; cut -= 61) {
		assert_int_equal(ftruncate(fileno(out), cut), 0);
		assert_int_equal(extents_apply(out, fileno(disk), 0, &problem), -1);
	}
	fclose(image);
	fclose(out);
	fclose(disk);
}

static void test_failed_write_is_told(void **state)
{
	FILE *image = image_with(16384, 5000, "something"), *out = tmpfile();
	FILE *disk = fopen("/dev/full", "w");
	struct problem problem;

	(void)state;
	assert_int_equal(extents_write(image, 16384, out, &problem), 0);
	assert_int_equal(extents_apply(out, fileno(disk), 0, &problem), -1);
	assert_string_equal(problem.text,
			    "writing the image at 4096: No space left on device");
	fclose(image);
	fclose(out);
	fclose(disk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_job_comes_back),
		cmocka_unit_test(test_bad_jobs_are_refused),
		cmocka_unit_test(test_mutated_jobs),
		cmocka_unit_test(test_limits_of_lists),
		cmocka_unit_test(test_unwritable_job),
		cmocka_unit_test(test_parameter_values),
		cmocka_unit_test(test_defaults_are_legal),
		cmocka_unit_test(test_extents_come_back),
		cmocka_unit_test(test_cut_extents_are_refused),
		cmocka_unit_test(test_failed_write_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
