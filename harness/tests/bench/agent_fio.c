/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the agent measures what it says: 20,000 times 4 KiB pwrite() and fdatasync() on
 * a raw disk by the agent and by fio, in turn in one guest of the virtual lab. Prints
 *what each says of the time of an operation; exit 1 where the medians differ by more than
 *2 % or a percentile by more than 5 %. fio times write and sync apart: their figures are
 * added up.
 *	agent_fio KERNEL [OPERATIONS [ROUNDS]]
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "exchange/fio.h"
#include "guest/frame.h"
#include "guest/result.h"
#include "lab/kind.h"
#include "lab/programs.h"
#include "vm/vm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MAX = 16, DISK = 128 << 20, BLOCK = 4096, TIME_LIMIT = 1200 };

enum { P50, P90, P99, P999, POINTS };

static const struct {
	const char *name;
	enum metric_id metric;
	double limit; /* percent */
} points[POINTS] = {
	[P50] = {"p50", METRIC_LATENCY_P50, 2},
	[P90] = {"p90", METRIC_LATENCY_P90, 5},
	[P99] = {"p99", METRIC_LATENCY_P99, 5},
	[P999] = {"p999", METRIC_LATENCY_P999, 5},
};

struct bench {
	const char *kernel;
	unsigned operations, rounds;
	char *folder;
	struct text fio[ROUNDS_MAX]; /* what it printed */
	double agent_says[POINTS][ROUNDS_MAX], fio_says[POINTS][ROUNDS_MAX];
	int done;
	char *failure;
};

static void add_disk(struct job_case *job_case)
{
	struct job_disk *disk = job_case_add_disk(job_case, "disk0");

	disk->kind = JOB_DISK_NULL;
	disk->size = DISK;
	disk->completion_time = 100000;
	disk->cache_size = 64 << 20;
}

static void add_round(const struct bench *bench, struct job *job)
{
	CLEANUP(cleanup_free) char *count = memory_format("%u", bench->operations);
	CLEANUP(cleanup_free)
	char *command = memory_format(
		"fio --name=sync --filename={disk0} --rw=write --bs=%d --size=%u "
		"--ioengine=psync --fdatasync=1 --output-format=json",
		BLOCK, bench->operations * BLOCK);
	struct job_case *job_case = job_add_case(job, "agent");

	job_case->workload = workload_kind_find("sync-loop");
	job_case_set_parameter(job_case, "target", "device");
	job_case_set_parameter(job_case, "call", "pwrite");
	job_case_set_parameter(job_case, "count", count);
	add_disk(job_case);
	job_case = job_add_case(job, "fio");
	job_case->workload = workload_kind_find("exec");
	job_case_set_parameter(job_case, "command", command);
	job_case_set_parameter(job_case, "parser", "fio-json");
	add_disk(job_case);
}

static int add_job(const struct bench *bench, struct image *image, struct error *err)
{
	CLEANUP(job_finish)
	struct job job = {.channel = lab_virtual.channel, .settle_seconds = 30};
	CLEANUP(cleanup_free) char *text = NULL;
	struct problem problem;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	int failed;

	if (!stream)
		return error_system(err, "the job");
	for (unsigned i = 0; i < bench->rounds; i++)
		add_round(bench, &job);
	failed = job_write(&job, stream, &problem);
	fclose(stream);
	return failed ? error_set(err, ERROR_USAGE, "%s", problem.text)
		      : image_add_bytes(image, "job", 0444, text, size, err);
}

static void cleanup_image(struct image **image)
{
	image_destroy(*image);
}

static int write_initramfs(const struct bench *bench, const char *path, struct error *err)
{
	CLEANUP(cleanup_image) struct image *image = image_create();
	CLEANUP(programs_finish) struct programs programs = {0};
	char *files[] = {(char[]){"/usr/bin/fio"}};
	struct scenario scenario = {.path = (char[]){"bench"}, .files = {files, 1, 1}};

	if (programs_collect(&scenario, &programs, err) || image_add_base(image, err) ||
	    image_add_file(image, "init", 0755, "build/kregress-agent", err) ||
	    programs_pack(&programs, image, err) || add_job(bench, image, err))
		return -1;
	return image_write(image, path, err);
}

/* Case 0 is the agent's first, 1 fio's first, and so on. */
static void take(struct bench *bench, const struct result *result)
{
	size_t round = result->case_index / 2;
	int is_fio = result->case_index % 2;

	bench->done |= result->type == RESULT_DONE;
	if (result->type == RESULT_FAILURE && !bench->failure)
		bench->failure = memory_copy_string(result->failure.text);
	if (result->type == RESULT_OUTPUT && round < ROUNDS_MAX)
		text_add_bytes(&bench->fio[round], result->output.bytes,
			       result->output.length);
	for (int i = 0; i < POINTS; i++)
		if (result->type == RESULT_RUN && !is_fio && round < ROUNDS_MAX)
			bench->agent_says[i][round] =
				result->values.values.value[points[i].metric];
}

static void take_bytes(struct bench *bench, struct frame_decoder *decoder,
		       const struct text *bytes)
{
	CLEANUP(cleanup_free) struct result *result = memory_new(1, sizeof(*result));
	struct problem problem;
	struct frame frame;

	for (size_t at = 0; at < bytes->size;) {
		at += frame_decoder_feed(decoder, bytes->data + at, bytes->size - at);
		while (frame_decoder_next(decoder, &frame))
			if (!result_decode(&frame, result, &problem))
				take(bench, result);
	}
}

static int watch(struct bench *bench, struct vm_host *host, struct vm *vm,
		 struct error *err)
{
	CLEANUP(cleanup_free)
	struct frame_decoder *decoder = memory_new(1, sizeof(*decoder));
	CLEANUP(text_finish) struct text bytes = {0};
	struct vm_status status;

	do {
		vm_host_wait(host, 10);
		text_clear(&bytes);
		if (vm_poll(vm, &bytes, &status, err))
			return -1;
		take_bytes(bench, decoder, &bytes);
	} while ((status.state == VM_RUNNING && status.seconds < TIME_LIMIT) ||
		 status.more);
	if (bench->failure || !bench->done)
		return error_set(err, ERROR_MEASUREMENT, "the guest was %s: %s",
				 vm_state_name(status.state),
				 bench->failure ? bench->failure : status.last_line);
	return 0;
}

static int boot(struct bench *bench, const struct config *config, struct error *err)
{
	struct lab lab = {.kind = &lab_virtual, .options = {.config = config}};
	const struct scenario no_cases = {0};
	const struct lab_request request = {.scenario = &no_cases};
	CLEANUP(cleanup_free) char *root = file_join(bench->folder, "libvirt");
	CLEANUP(cleanup_free) char *initramfs = file_join(bench->folder, "initramfs");
	CLEANUP(cleanup_free) char *console = file_join(bench->folder, "console");
	CLEANUP(cleanup_free) char *results = file_join(bench->folder, "results");
	struct vm_host_options options = {.root = root, .kvm = VM_KVM_OFF};
	struct vm_spec spec = {
		.name = "kregress-bench-fio",
		.kernel = bench->kernel,
		.initrd = initramfs,
		.cmdline = lab_virtual.command_line,
		.console_path = console,
		.results_path = results,
	};
	struct vm_host *host;
	struct vm *vm;
	int failed;

	if (write_initramfs(bench, initramfs, err) ||
	    lab_virtual.describe(&lab, &request, NULL, &spec, err) ||
	    vm_host_open(&options, &host, err))
		return -1;
	failed = vm_start(host, &spec, &vm, err);
	if (!failed) {
		failed = watch(bench, host, vm, err);
		vm_destroy(vm);
	}
	vm_host_close(host);
	return failed;
}

/* Where a round's figures of fio go. */
struct round {
	struct bench *bench;
	unsigned number;
};

static int add_figure(void *context, const struct fio_figure *figure, struct error *err)
{
	const struct round *round = context;

	(void)err;
	for (int i = 0; i < POINTS; i++) {
		CLEANUP(cleanup_free)
		char *write = memory_format("write_latency_%s", points[i].name);
		CLEANUP(cleanup_free)
		char *sync = memory_format("sync_latency_%s", points[i].name);

		if (!strcmp(figure->metric, write) || !strcmp(figure->metric, sync))
			round->bench->fio_says[i][round->number] += figure->value;
	}
	return 0;
}

static int read_fio(struct bench *bench, struct error *err)
{
	for (unsigned i = 0; i < bench->rounds; i++) {
		struct round round = {bench, i};

		if (fio_parse(text_string(&bench->fio[i]), bench->fio[i].size, add_figure,
			      &round, err))
			return -1;
	}
	return 0;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[count / 2];
}

/* Whether all of them agree. */
static int compare(struct bench *bench)
{
	int good = 1;

	printf("%u operations, %u rounds each in turn; ns\n", bench->operations,
	       bench->rounds);
	for (int i = 0; i < POINTS; i++) {
		double agent = median(bench->agent_says[i], bench->rounds);
		double fio = median(bench->fio_says[i], bench->rounds);
		double percent = 100 * (agent / fio - 1);

		good &= fabs(percent) <= points[i].limit;
		printf("%-5s agent %10.0f  fio %10.0f  %+.2f %% (at most %.0f)\n",
		       points[i].name, agent, fio, percent, points[i].limit);
	}
	return good;
}

static int run(struct bench *bench, struct error *err)
{
	CLEANUP(config_finish) struct config config = {0};
	struct error unused;
	int failed =
		config_load(NULL, &config, err) ||
		file_make_temporary_folder("/tmp/kregress-bench-", &bench->folder, err) ||
		boot(bench, &config, err) || read_fio(bench, err);

	if (bench->folder)
		file_remove_tree(bench->folder, &unused);
	return failed ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct bench bench = {.operations = 20000, .rounds = 3};
	struct error err = {0};

	if (argc < 2) {
		fprintf(stderr, "usage: %s KERNEL [OPERATIONS [ROUNDS]]\n", argv[0]);
		return 2;
	}
	bench.kernel = realpath(argv[1], NULL);
	if (argc > 2)
		bench.operations = (unsigned)strtoul(argv[2], NULL, 10);
	if (argc > 3)
		bench.rounds = (unsigned)strtoul(argv[3], NULL, 10);
	if (!bench.kernel || bench.rounds < 1 || bench.rounds > ROUNDS_MAX ||
	    bench.operations < 1 || bench.operations > DISK / BLOCK) {
		fprintf(stderr, "%s: no kernel, or numbers out of range\n", argv[1]);
		return 2;
	}
	if (run(&bench, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 3;
	}
	return !compare(&bench);
}
