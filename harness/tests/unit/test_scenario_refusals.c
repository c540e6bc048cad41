/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios that are refused, and where. */
#define FILE_NAME "build/test-scenario-mistakes.yaml"
#include "scenario_fixture.h"

static const char *const mistakes[][2] = {
	{"", ":1:1: a scenario needs 'name'"},
	{"name: t\n", ":1:1: a scenario needs 'workload'"},
	{"name: T x\nworkload: read\n", ":1:7: name must be up to 64 lower-case"},
	{"name: [t]\n", ":1:7: name must be text, not a list"},
	{"name: t\nworkload: sync-lop\n",
	 ":2:11: there is no workload 'sync-lop'; did you mean 'sync-loop'?"},
	{"name: t\nworkload: {a: b}\n", ":2:11: workload must be a word"},
	{HEAD "paramters: {}\n", ":3:1: a scenario has no 'paramters'; did you mean"},
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
	{HEAD "parameters:\n  queue_depth: 8.5\n", ":4:16: queue_depth is \"8.5\""},
	{HEAD "parameters:\n  queue_depth: [8, 1e3]\n", ":4:20: queue_depth is \"1e3\""},
	{HEAD "parameters: {block_size: 0}\n", ":3:26: block_size is \"0\""},
	{"name: t\nworkload: read\nparameters: {size: 0}\n",
	 ":3:20: size is \"0\", but must be a size in bytes"},
	{HEAD "parameters: {block_size: 99999999999999999999}\n", ":3:26: block_size is"},
	{HEAD "parameters: {block_size: []}\n", ":3:26: block_size has an empty list"},
	{HEAD "parameters: {block_size: [1, [2]]}\n",
	 ":3:30: block_size must be a value or a list of values, not a list"},
	{HEAD "parameters: {block_size: }\n", ":3:26: block_size must be a value"},
	{HEAD "parameters: {block_size: [4k, 4096]}\n",
	 ":3:31: block_size has the value 4096 twice"},
	{HEAD "parameters: {mode: kep}\n", ":3:20: mode is \"kep\", but must be one"},
	{HEAD "parameters: {direct: 2}\n", ":3:22: direct is \"2\", but must be yes"},
	{HEAD "parameters: {disk_size: 1500k}\n", ":3:25: disk_size must be whole MiB"},
	{HEAD "parameters: {filesystem: ntfs}\n", ":3:26: filesystem is \"ntfs\""},
	{HEAD "metrics: [elapsd]\n",
	 ":3:11: there is no metric 'elapsd'; did you mean 'elapsed'?"},
	{HEAD "metrics: []\n", ":3:10: metrics must be a list of names, not an empty"},
	{HEAD "metrics: elapsed\n", ":3:10: metrics must be a list of names, not text"},
	{HEAD "metrics: [elapsed, elapsed]\n", ":3:20: elapsed is there twice"},
	{HEAD "metrics: [cpu_percent]\n", ":3:11: cpu_percent cannot be judged"},
	{HEAD "metrics: [{name: elapsed, unit: s}]\n", ":3:11: elapsed has unit"},
	{HEAD "metrics: [{name: elapsed, min_effect: -1}]\n",
	 ":3:39: min_effect must be from 0 to 10000, not -1"},
	{HEAD "metrics: [{name: elapsed, min_effect: nan}]\n",
	 ":3:39: min_effect must be a number, not 'nan'"},
	{HEAD "metrics: [{min_effect: 1}]\n", ":3:11: a metric needs 'name'"},
	{HEAD "virtual: {name: x}\n", ":3:11: a lab block has no 'name'"},
	{HEAD "virtual: 3\n", ":3:10: a lab block must be a map of keys, not text"},
	{HEAD "disk: {parameters: {count: x}}\n", ":3:28: count is \"x\""},
	{HEAD "disk: {metrics: [x]}\n", ":3:18: there is no metric 'x'"},
	{"name: t\nworkload: read\n", ": read needs the parameter size"},
	{HEAD "parameters: {readahead_sectors: [64, 63]}\n",
	 "case readahead_sectors=63: readahead_sectors must be whole pages"},
	{HEAD "parameters: {filesystem: none}\n", "target file needs a filesystem"},
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

static void mistakes_are_refused_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++)
		assert_refused(mistakes[i][0], mistakes[i][1]);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_refused_with_their_place),
		cmocka_unit_test(too_many_cases_are_refused),
		cmocka_unit_test(wrong_overrides_are_refused),
		cmocka_unit_test(unknown_devices_are_refused_in_the_virtual_lab),
		cmocka_unit_test(caches_that_answer_too_early_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
