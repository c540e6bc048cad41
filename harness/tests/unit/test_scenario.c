/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenario/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_NAME "build/test-scenario.yaml"
#define HEAD "name: t\nworkload: sync-loop\n"

static const struct scenario_options in_virtual = {.lab = CONFIG_VIRTUAL};
static const struct scenario_options in_disk = {.lab = CONFIG_DISK};

static void write_file(const char *yaml)
{
	struct error err = {0};

	if (file_write(FILE_NAME, yaml, strlen(yaml), &err))
		fail_msg("%s", err.text);
}

static void load_with(const char *yaml, const struct scenario_options *options,
		      struct scenario *scenario)
{
	struct error err = {0};

	write_file(yaml);
	if (scenario_load(FILE_NAME, options, scenario, &err))
		fail_msg("%s", err.text);
}

static void load(const char *yaml, struct scenario *scenario)
{
	load_with(yaml, &in_virtual, scenario);
}

static void assert_refused(const char *yaml, const char *message)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	write_file(yaml);
	if (!scenario_load(FILE_NAME, &in_virtual, &scenario, &err))
		fail_msg("taken: %s", yaml);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (strncmp(err.text, FILE_NAME, strlen(FILE_NAME)) || !strstr(err.text, message))
		fail_msg("'%s' is not in '%s'", message, err.text);
}

static void mistakes_are_refused_with_their_place(void **state)
{
	static const char *const refusals[][2] = {
		{"", ":1:1: a scenario needs 'name'"},
		{"name: t\n", ":1:1: a scenario needs 'workload'"},
		{"name: T x\nworkload: read\n", ":1:7: name must be up to 64 lower-case"},
		{"name: [t]\n", ":1:7: name must be text, not a list"},
		{"name: t\nworkload: sync-lop\n",
		 ":2:11: there is no workload 'sync-lop'; did you mean 'sync-loop'?"},
		{"name: t\nworkload: {a: b}\n", ":2:11: workload must be a word"},
		{HEAD "paramters: {}\n",
		 ":3:1: a scenario has no 'paramters'; did you mean"},
		{HEAD "runs: 0\n", ":3:7: runs must be from 1 to 1000, not 0"},
		{HEAD "runs: 1.5\n", ":3:7: runs must be a whole number, not '1.5'"},
		{HEAD "runs: 1e1\n", ":3:7: runs must be a whole number, not '1e1'"},
		{HEAD "parameters: [a]\n", ":3:13: parameters must be a map of names"},
		{HEAD "parameters:\n  blok_size: 1\n",
		 ":4:3: the workload sync-loop has no parameter 'blok_size'; did you "
		 "mean "
		 "'block_size'?"},
		{HEAD "parameters:\n  queue_depth: 0\n",
		 ":4:16: queue_depth is \"0\", but must be a whole number from 1"},
		{HEAD "parameters:\n  queue_depth: -1\n", ":4:16: queue_depth is \"-1\""},
		{HEAD "parameters:\n  queue_depth: 8.5\n",
		 ":4:16: queue_depth is \"8.5\""},
		{HEAD "parameters:\n  queue_depth: [8, 1e3]\n",
		 ":4:20: queue_depth is \"1e3\""},
		{HEAD "parameters: {block_size: 0}\n", ":3:26: block_size is \"0\""},
		{"name: t\nworkload: read\nparameters: {size: 0}\n",
		 ":3:20: size is \"0\", but must be a size in bytes"},
		{HEAD "parameters: {block_size: 99999999999999999999}\n",
		 ":3:26: block_size is"},
		{HEAD "parameters: {block_size: []}\n",
		 ":3:26: block_size has an empty list"},
		{HEAD "parameters: {block_size: [1, [2]]}\n",
		 ":3:30: block_size must be a value or a list of values, not a list"},
		{HEAD "parameters: {block_size: }\n",
		 ":3:26: block_size must be a value"},
		{HEAD "parameters: {block_size: [4k, 4096]}\n",
		 ":3:31: block_size has the value 4096 twice"},
		{HEAD "parameters: {mode: kep}\n",
		 ":3:20: mode is \"kep\", but must be one"},
		{HEAD "parameters: {direct: 2}\n",
		 ":3:22: direct is \"2\", but must be yes"},
		{HEAD "parameters: {disk_size: 1500k}\n",
		 ":3:25: disk_size must be whole MiB"},
		{HEAD "parameters: {filesystem: ntfs}\n",
		 ":3:26: filesystem is \"ntfs\""},
		{HEAD "metrics: [elapsd]\n",
		 ":3:11: there is no metric 'elapsd'; did you mean 'elapsed'?"},
		{HEAD "metrics: []\n",
		 ":3:10: metrics must be a list of names, not an empty"},
		{HEAD "metrics: elapsed\n",
		 ":3:10: metrics must be a list of names, not text"},
		{HEAD "metrics: [elapsed, elapsed]\n", ":3:20: elapsed is there twice"},
		{HEAD "metrics: [cpu_percent]\n", ":3:11: cpu_percent cannot be judged"},
		{HEAD "metrics: [{name: elapsed, unit: s}]\n", ":3:11: elapsed has unit"},
		{HEAD "metrics: [{name: elapsed, min_effect: -1}]\n",
		 ":3:39: min_effect must be from 0 to 10000, not -1"},
		{HEAD "metrics: [{name: elapsed, min_effect: nan}]\n",
		 ":3:39: min_effect must be a number, not 'nan'"},
		{HEAD "metrics: [{min_effect: 1}]\n", ":3:11: a metric needs 'name'"},
		{HEAD "virtual: {name: x}\n", ":3:11: a lab block has no 'name'"},
		{HEAD "virtual: 3\n",
		 ":3:10: a lab block must be a map of keys, not text"},
		{HEAD "disk: {parameters: {count: x}}\n", ":3:28: count is \"x\""},
		{HEAD "disk: {metrics: [x]}\n", ":3:18: there is no metric 'x'"},
		{"name: t\nworkload: read\n", ": read needs the parameter size"},
		{HEAD "parameters: {readahead_sectors: [64, 63]}\n",
		 "case readahead_sectors=63: readahead_sectors must be whole pages"},
		{HEAD "parameters: {filesystem: none}\n",
		 "target file needs a filesystem"},
		{HEAD "parameters: {disks: 2}\n", "sync-loop uses one disk, not 2"},
		{HEAD "parameters: {direct: yes, block_size: [512, 20]}\n",
		 "case block_size=20: block_size is 20, but with direct"},
		{HEAD "parameters: {disk_size: 1M}\n",
		 "virtual lab: 8192000 bytes do not fit on a disk of 1048576"},
		{"name: t\nworkload: exec\nparameters: {command: x}\n"
		 "metrics: [{name: speed}]\n",
		 ":4:11: speed is the command's own metric: it needs unit and better"},
		{"name: t\nworkload: exec\nparameters: {command: x}\n"
		 "metrics: [{name: 'a,b', unit: x, better: lower}]\n",
		 ":4:11: a metric's name is made of letters"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		assert_refused(refusals[i][0], refusals[i][1]);
}

static void too_many_cases_are_refused(void **state)
{
	CLEANUP(text_finish) struct text yaml = {0};

	(void)state;
	text_add(&yaml, HEAD "parameters:\n  count: [");
	for (int i = 1; i <= 40; i++)
		text_format(&yaml, "%s%d", i > 1 ? "," : "", i);
	text_add(&yaml, "]\n  window: [");
	for (int i = 1; i <= 40; i++)
		text_format(&yaml, "%s%d", i > 1 ? "," : "", i);
	text_add(&yaml, "]\n");
	assert_refused(yaml.data, "the lists make more than 1024 cases");
}

static void lists_make_the_cases_in_the_order_of_the_file(void **state)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	static const char *const labels[] = {"device=ssd,block_size=4096,direct=no",
					     "device=ssd,block_size=1M,direct=no",
					     "device=disk,block_size=4096,direct=no",
					     "device=disk,block_size=1M,direct=no"};

	(void)state;
	load(HEAD "parameters:\n  device: [ssd, disk]\n  count: 16\n"
		  "  block_size: [4k, 1024k]\n  direct: [false]\n",
	     &scenario);
	assert_int_equal(scenario.cases.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(scenario.cases.items[i].label, labels[i]);
	assert_string_equal(scenario.cases.items[2].device, "disk");
	assert_int_equal(scenario.cases.items[0].filesystem, JOB_FS_EXT4);
	assert_int_equal(scenario.cases.items[0].disks, 1);
	assert_int_equal(scenario.cases.items[0].parameter_count, 3);
	assert_int_equal(scenario_case_bytes(&scenario, &scenario.cases.items[1]),
			 16 << 20);
	assert_string_equal(scenario.metrics.items[0].name, "elapsed");
	assert_true(scenario.metrics.items[0].min_effect < 0);
}

static void a_scenario_without_lists_has_one_case(void **state)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};

	(void)state;
	load(HEAD, &scenario);
	assert_int_equal(scenario.cases.count, 1);
	assert_string_equal(scenario.cases.items[0].label, "");
	assert_int_equal(scenario.runs, 1);
	assert_int_equal(scenario.boots, 0);
	assert_int_equal(scenario.settle_seconds, 30);
	assert_string_equal(scenario.text, HEAD);
}

static void labs_replace_values_and_keep_labels(void **state)
{
	static const char yaml[] =
		HEAD "parameters: {block_size: [512, 1k], count: 2000}\nruns: 3\n"
		     "virtual: {parameters: {count: 10, block_size: 4k}, runs: 2}\n"
		     "disk: {metrics: [{name: elapsed, min_effect: 5}]}\n";
	CLEANUP(scenario_finish) struct scenario virtual = {0};
	CLEANUP(scenario_finish) struct scenario disk = {0};

	(void)state;
	load_with(yaml, &in_virtual, &virtual);
	load_with(yaml, &in_disk, &disk);
	assert_int_equal(virtual.runs, 2);
	assert_int_equal(virtual.cases.count, 1);
	assert_string_equal(virtual.cases.items[0].label, "block_size=4096");
	assert_int_equal(disk.runs, 3);
	assert_int_equal(disk.cases.count, 2);
	assert_true(disk.metrics.items[0].min_effect == 5);
	assert_true(virtual.metrics.items[0].min_effect < 0);
}

static void overrides_come_last(void **state)
{
	CLEANUP(text_list_finish) struct text_list overrides = {0};
	const struct scenario_options options = {.lab = CONFIG_VIRTUAL,
						 .overrides = &overrides};
	CLEANUP(scenario_finish) struct scenario scenario = {0};

	(void)state;
	text_list_add(&overrides, "block_size=1k");
	text_list_add(&overrides, "mode=keep,extend");
	text_list_add(&overrides, "count=7");
	load_with(HEAD "parameters: {block_size: [4k, 20]}\n"
		       "virtual: {parameters: {count: 10}}\n",
		  &options, &scenario);
	assert_int_equal(scenario.cases.count, 2);
	assert_string_equal(scenario.cases.items[1].label, "block_size=1024,mode=extend");
	assert_string_equal(scenario.parameters.items[1].name, "count");
	assert_string_equal(scenario.parameters.items[1].values.items[0], "7");
}

static void wrong_overrides_are_refused(void **state)
{
	static const char *const refusals[][2] = {
		{"block_size", "--param 'block_size': must be name=value"},
		{"=4", "--param '=4': must be name=value"},
		{"blocksize=4",
		 "has no parameter 'blocksize'; did you mean 'block_size'?"},
		{"queue_depth=8.5", "queue_depth is \"8.5\""},
		{"queue_depth=1e3", "queue_depth is \"1e3\""},
		{"queue_depth=-1", "queue_depth is \"-1\""},
		{"queue_depth=0", "queue_depth is \"0\""},
		{"queue_depth=", "queue_depth is \"\""},
		{"block_size=1,1", "block_size has the value 1 twice"},
		{"a\nb=1", "has no parameter 'a?b'"},
	};

	(void)state;
	write_file(HEAD);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		CLEANUP(text_list_finish) struct text_list overrides = {0};
		const struct scenario_options options = {.overrides = &overrides};
		CLEANUP(scenario_finish) struct scenario scenario = {0};
		struct error err = {0};

		text_list_add(&overrides, refusals[i][0]);
		assert_int_equal(scenario_load(FILE_NAME, &options, &scenario, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (!strstr(err.text, refusals[i][1]))
			fail_msg("'%s' is not in '%s'", refusals[i][1], err.text);
	}
}

static void digest_of(const char *yaml, const struct device_classes *classes,
		      char hex[HASH_HEX_SIZE])
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};

	load(yaml, &scenario);
	scenario_digest(&scenario, classes, hex);
}

static void the_digest_is_what_could_move_a_number(void **state)
{
	static const char base[] = HEAD "parameters: {block_size: [4096, 20]}\nruns: 2\n";
	static const char *const alike[] = {
		"# comment\nworkload: sync-loop\nruns: 2\nname: other\n"
		"description: x\nboots: 3\ntimeout_seconds: 5\nmetrics: [system]\n"
		"parameters: {count: 2000, block_size: [4k, 20], filesystem: ext4}\n",
		HEAD
		"parameters: {block_size: [4096, 20]}\nruns: 7\nvirtual: {runs: 2}\n",
	};
	static const char *const unlike[] = {
		HEAD "parameters: {block_size: [20, 4096]}\nruns: 2\n",
		HEAD "parameters: {block_size: [4096, 20]}\nruns: 3\n",
		HEAD "parameters: {block_size: [4096, 20], count: 1999}\nruns: 2\n",
		HEAD "parameters: {block_size: [4096, 20], filesystem: ext2}\nruns: 2\n",
		HEAD "parameters: {block_size: [4096, 20]}\nruns: 2\nsettle_seconds: 1\n",
		HEAD "parameters: {block_size: [4096, 20]}\nruns: 2\nfiles: [/bin/x]\n",
	};
	char wanted[HASH_HEX_SIZE], digest[HASH_HEX_SIZE];

	(void)state;
	digest_of(base, NULL, wanted);
	for (size_t i = 0; i < sizeof(alike) / sizeof(*alike); i++) {
		digest_of(alike[i], NULL, digest);
		assert_string_equal(digest, wanted);
	}
	for (size_t i = 0; i < sizeof(unlike) / sizeof(*unlike); i++) {
		digest_of(unlike[i], NULL, digest);
		assert_string_not_equal(digest, wanted);
	}
}

static void device_classes_are_part_of_the_digest(void **state)
{
	CLEANUP(device_classes_finish) struct device_classes classes = {0};
	char one[HASH_HEX_SIZE], two[HASH_HEX_SIZE];
	struct error err = {0};

	(void)state;
	if (device_classes_load("vm-images/devices.yaml", &classes, &err))
		fail_msg("%s", err.text);
	digest_of(HEAD, &classes, one);
	classes.classes.items[0].latency_ns++;
	digest_of(HEAD, &classes, two);
	assert_string_not_equal(one, two);
}

static void unknown_devices_are_refused_in_the_virtual_lab(void **state)
{
	CLEANUP(device_classes_finish) struct device_classes classes = {0};
	struct scenario_options options = {.lab = CONFIG_VIRTUAL, .classes = &classes};
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	(void)state;
	if (device_classes_load("vm-images/devices.yaml", &classes, &err))
		fail_msg("%s", err.text);
	write_file(HEAD "parameters:\n  device: [ssd, disc]\n");
	assert_int_equal(scenario_load(FILE_NAME, &options, &scenario, &err), -1);
	assert_string_equal(err.text, FILE_NAME ":4:17: there is no device class 'disc'; "
						"did you mean 'disk'?");
	write_file(HEAD "disk: {parameters: {device: my-disk}}\n");
	assert_int_equal(scenario_load(FILE_NAME, &options, &scenario, &err), 0);
}

static void caches_that_answer_too_early_are_refused(void **state)
{
	char name[] = "d";
	struct config_disk disk = {.name = name, .cache = CONFIG_CACHE_UNSAFE};
	CLEANUP(scenario_finish) struct scenario sync = {0};
	CLEANUP(scenario_finish) struct scenario reading = {0};
	CLEANUP(scenario_finish) struct scenario none = {0};
	struct error err = {0};

	(void)state;
	load(HEAD, &sync);
	load("name: r\nworkload: read\nparameters: {size: 1M}\n", &reading);
	load(HEAD "parameters: {sync: none}\n", &none);
	assert_int_equal(scenario_check_disk(&sync, &disk, &err), -1);
	assert_non_null(strstr(err.text, "flushes of the guest would be ignored"));
	disk.cache = CONFIG_CACHE_WRITEBACK;
	assert_int_equal(scenario_check_disk(&sync, &disk, &err), -1);
	assert_int_equal(scenario_check_disk(&reading, &disk, &err), 0);
	assert_int_equal(scenario_check_disk(&none, &disk, &err), 0);
	disk.cache = CONFIG_CACHE_DIRECTSYNC;
	assert_int_equal(scenario_check_disk(&sync, &disk, &err), 0);
}

static void commands_bring_metrics_of_their_own(void **state)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	const struct scenario_metric *metric;

	(void)state;
	load("name: e\nworkload: exec\nparameters: {command: '/bin/x -a b', disks: 2}\n"
	     "files: /bin/x\nmetrics: [elapsed, {name: iops, unit: 1/s, better: higher, "
	     "min_effect: 2.5}]\n",
	     &scenario);
	metric = scenario_find_metric(&scenario, "iops");
	assert_non_null(metric);
	assert_int_equal(metric->better, METRIC_HIGHER);
	assert_true(metric->min_effect == 2.5);
	assert_string_equal(scenario.files.items[0], "/bin/x");
}

static void commas_in_values_do_not_break_labels(void **state)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};

	(void)state;
	load(HEAD "parameters: {mount_options: ['noatime,data=journal', '']}\n",
	     &scenario);
	assert_string_equal(scenario.cases.items[0].label,
			    "mount_options=noatime;data:journal");
	assert_string_equal(scenario.cases.items[0].mount_options,
			    "noatime,data=journal");
	assert_string_equal(scenario.cases.items[1].label, "mount_options=");
}

/* The four files that come along, in both labs, with what the reports ask of them. */
static void shipped_scenarios_load(void **state)
{
	static const struct {
		const char *name;
		size_t cases;
	} wanted[] = {{"fsync-loop", 8},
		      {"cat-readahead", 8},
		      {"multi-disk-fsync", 4},
		      {"raw-sync", 2}};
	CLEANUP(device_classes_finish) struct device_classes classes = {0};
	struct error err = {0};

	(void)state;
	if (device_classes_load("vm-images/devices.yaml", &classes, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < 2 * sizeof(wanted) / sizeof(*wanted); i++) {
		CLEANUP(scenario_finish) struct scenario scenario = {0};
		const struct scenario_options options = {.lab = i % 2,
							 .classes = &classes};
		CLEANUP(cleanup_free)
		char *path = memory_format("scenarios/%s.yaml", wanted[i / 2].name);

		if (scenario_load(path, &options, &scenario, &err))
			fail_msg("%s", err.text);
		assert_string_equal(scenario.name, wanted[i / 2].name);
		assert_int_equal(scenario.cases.count, wanted[i / 2].cases);
		assert_non_null(scenario.description);
	}
}

static void scenarios_are_found_by_name(void **state)
{
	CLEANUP(text_list_finish) struct text_list folders = {0};
	CLEANUP(text_list_finish) struct text_list paths = {0};
	CLEANUP(cleanup_free) char *found = NULL;
	CLEANUP(cleanup_free) char *file = NULL;
	struct error err = {0};
	char *none = NULL;

	(void)state;
	text_list_add(&folders, "/nonexistent");
	text_list_add(&folders, "scenarios");
	assert_int_equal(scenario_find("raw-sync", &folders, &found, &err), 0);
	assert_string_equal(found, "scenarios/raw-sync.yaml");
	assert_int_equal(scenario_find("./x.yaml", &folders, &file, &err), 0);
	assert_string_equal(file, "./x.yaml");
	assert_int_equal(scenario_find("raw-snc", &folders, &none, &err), -1);
	assert_non_null(strstr(err.text, "there is no scenario 'raw-snc'; did you mean "
					 "'raw-sync'?; there are: "));
	assert_int_equal(scenario_list(&folders, &paths, &err), 0);
	assert_true(paths.count >= 4);
	assert_string_equal(paths.items[0], "scenarios/cat-readahead.yaml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_refused_with_their_place),
		cmocka_unit_test(too_many_cases_are_refused),
		cmocka_unit_test(lists_make_the_cases_in_the_order_of_the_file),
		cmocka_unit_test(a_scenario_without_lists_has_one_case),
		cmocka_unit_test(labs_replace_values_and_keep_labels),
		cmocka_unit_test(overrides_come_last),
		cmocka_unit_test(wrong_overrides_are_refused),
		cmocka_unit_test(the_digest_is_what_could_move_a_number),
		cmocka_unit_test(device_classes_are_part_of_the_digest),
		cmocka_unit_test(unknown_devices_are_refused_in_the_virtual_lab),
		cmocka_unit_test(caches_that_answer_too_early_are_refused),
		cmocka_unit_test(commands_bring_metrics_of_their_own),
		cmocka_unit_test(commas_in_values_do_not_break_labels),
		cmocka_unit_test(shipped_scenarios_load),
		cmocka_unit_test(scenarios_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
