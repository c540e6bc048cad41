/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios: cases, labs, overrides, digests. */
#define FILE_NAME "build/test-scenario.yaml"
#include "scenario_fixture.h"

static const struct scenario_options in_disk = {.lab = CONFIG_DISK};

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
		cmocka_unit_test(lists_make_the_cases_in_the_order_of_the_file),
		cmocka_unit_test(a_scenario_without_lists_has_one_case),
		cmocka_unit_test(labs_replace_values_and_keep_labels),
		cmocka_unit_test(overrides_come_last),
		cmocka_unit_test(the_digest_is_what_could_move_a_number),
		cmocka_unit_test(device_classes_are_part_of_the_digest),
		cmocka_unit_test(commands_bring_metrics_of_their_own),
		cmocka_unit_test(commas_in_values_do_not_break_labels),
		cmocka_unit_test(shipped_scenarios_load),
		cmocka_unit_test(scenarios_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
