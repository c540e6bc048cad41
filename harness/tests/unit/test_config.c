/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "scenario/config.h"
#include "scenario/device_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_NAME "build/test-config.yaml"

static void write_file(const char *yaml)
{
	struct error err = {0};

	if (file_write(FILE_NAME, yaml, strlen(yaml), &err))
		fail_msg("%s", err.text);
}

static void assert_refused(const char *yaml, const char *message)
{
	CLEANUP(config_finish) struct config config = {0};
	struct error err = {0};

	write_file(yaml);
	if (!config_load(FILE_NAME, &config, &err))
		fail_msg("taken: %s", yaml);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (strncmp(err.text, FILE_NAME, strlen(FILE_NAME)) || !strstr(err.text, message))
		fail_msg("'%s' is not in '%s'", message, err.text);
}

static void wrong_keys_and_values_are_refused_with_their_place(void **state)
{
	static const char *const refusals[][2] = {
		{"tre: x\n", ":1:1: a configuration has no 'tre'; did you mean 'tree'?"},
		{"xyzzyfoo: x\n", ":1:1: a configuration has no 'xyzzyfoo'"},
		{"tree: [a]\n", ":1:7: tree must be text, not a list"},
		{"tree:\n", ":1:6: tree must be text, not nothing"},
		{"lab: disc\n", ":1:6: lab must be virtual or disk, not 'disc'"},
		{"build:\n  jobs: many\n",
		 ":2:9: jobs must be a whole number, not 'many'"},
		{"build: {jobs: -1}\n", ":1:15: jobs must be a whole number, not '-1'"},
		{"build: {jobs: 99999999999999999999999}\n",
		 ":1:15: jobs must be a whole"},
		{"build: {jobs: 5000}\n", ":1:15: jobs must be from 0 to 4096, not 5000"},
		{"build: {timeout_minutes: 0}\n",
		 ":1:26: timeout_minutes must be from 1 to"},
		{"build: 7\n", ":1:8: a build must be a map of keys, not text"},
		{"build: {jobs: }\n", "jobs must be a whole number, not nothing"},
		{"virtual: {memory: 1M}\n", ":1:19: memory must be from 67108864"},
		{"virtual: {memory: lots}\n", "memory must be a size such as 512M, not"},
		{"scenarios: {a: b}\n", ":1:12: scenarios must be a list of words"},
		{"scenarios: [a, [b]]\n", ":1:16: scenarios must be a list of words"},
		{"- a\n", ":1:1: a configuration must be a map of keys, not a list"},
		{"disks: [a]\n", ":1:8: disks must be a map, not a list"},
		{"disks:\n  a:\n    serial: A\n", ":2:3: a disk needs 'device'"},
		{"disks:\n  a: {device: /d, serial: A, iothread: maybe}\n",
		 ":2:40: iothread must be true or false, not 'maybe'"},
		{"disks:\n  a: {device: /d, serial: A b}\n",
		 ":2:27: serial of disk a must be up to 20"},
		{"disks:\n  a: {device: /d, serial: A}\n"
		 "  b: {device: /e, serial: A}\n",
		 ":3:27: serial of disk b is that of another disk"},
		{"disks:\n  a: {device: /d, serial: A, allow_destroy: B}\n",
		 ":2:45: allow_destroy of disk a must be the disk's serial"},
		{"disks:\n  a: {device: /d, serial: A, cache: writethrough}\n",
		 ":2:37: cache of disk a needs \"io: threads\""},
		{"disk: {vcpus: 2, vcpu_pins: [3]}\n",
		 ":1:29: vcpu_pins has 1 entries for 2 vcpus"},
		{"disk: {vcpus: 0}\n", ":1:15: vcpus must be from 1 to 256"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		assert_refused(refusals[i][0], refusals[i][1]);
}

static void defaults_hold_without_a_file(void **state)
{
	CLEANUP(config_finish) struct config config = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(config_load("build/no-such.yaml", &config, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	config_defaults(&config);
	assert_string_equal(config.results, "results");
	assert_int_equal(config.lab, CONFIG_VIRTUAL);
	assert_int_equal(config.virtual_lab.memory, 512 << 20);
	assert_int_equal(config.build.timeout_minutes, 120);
	assert_null(config.tree);
	assert_int_equal(config.disk_lab.memory, 1 << 30);
	assert_int_equal(config.disk_lab.vcpus, 1);
	assert_string_equal(config.disk_lab.machine, "pc");
}

static void a_full_file_is_read(void **state)
{
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(config_finish) struct config config = {0};
	const struct config_disk *disk;
	struct error err = {0};

	(void)state;
	write_file("tree: /src/linux\nkernel_config: mine.config\nlab: disk\n"
		   "scenarios: [fsync-loop, raw-sync]\nbaseline: v6.1\n"
		   "disks:\n  fast: {device: /dev/disk/by-id/x, serial: FAST-1, "
		   "bus: nvme, io: io_uring, cache: directsync, queues: 4, "
		   "iothread: false, allow_destroy: FAST-1}\n"
		   "virtual: {parallel: 3, memory: 1G}\nbuild: {jobs: 2}\n"
		   "results: out\n");
	if (config_load(FILE_NAME, &config, &err))
		fail_msg("%s", err.text);
	assert_string_equal(config.kernel_config.items[0], "mine.config");
	assert_string_equal(config.results, "out");
	disk = config_find_disk(&config, "fast");
	assert_non_null(disk);
	assert_int_equal(disk->bus, CONFIG_BUS_NVME);
	assert_int_equal(disk->io, CONFIG_IO_URING);
	assert_int_equal(disk->cache, CONFIG_CACHE_DIRECTSYNC);
	assert_int_equal(disk->queues, 4);
	assert_int_equal(disk->iothread, 0);
	assert_int_equal(config.virtual_lab.parallel, 3);
	assert_string_equal(config.results, "out");
	assert_int_equal(config.build.jobs, 2);
	assert_null(config_find_disk(&config, "slow"));
	path = config_path(&config, "mine.config");
	assert_string_equal(path, "build/mine.config");
}

/* What config_help() prints is a file of comments; without its '#' it must be taken. */
static void the_help_is_a_valid_file(void **state)
{
	CLEANUP(config_finish) struct config config = {0};
	CLEANUP(text_finish) struct text help = {0};
	CLEANUP(text_finish) struct text bare = {0};
	struct error err = {0};

	(void)state;
	config_help(&help);
	write_file(help.data);
	if (config_load(FILE_NAME, &config, &err))
		fail_msg("%s", err.text);
	config_finish(&config);
	for (size_t i = 0; i < help.size; i++)
		if (help.data[i] != '#' || (i && help.data[i - 1] != '\n'))
			text_add_char(&bare, help.data[i]);
	write_file(bare.data);
	if (config_load(FILE_NAME, &config, &err))
		fail_msg("%s", err.text);
	assert_string_equal(config.kernel_config.items[0], "my.config");
	assert_string_equal(config.disks.items[0].name, "NAME");
}

static void device_classes_are_read(void **state)
{
	CLEANUP(device_classes_finish) struct device_classes classes = {0};
	const struct device_class *class = NULL;
	struct error err = {0};

	(void)state;
	if (device_classes_load("vm-images/devices.yaml", &classes, &err))
		fail_msg("%s", err.text);
	assert_int_equal(device_class_require(&classes, "ssd", &class, &err), 0);
	assert_true(class->cache_size > 0 && class->latency_ns > 0);
	assert_int_equal(class->block_size, 512);
	assert_int_equal(device_class_require(&classes, "sssd", &class, &err), -1);
	assert_non_null(strstr(err.text, "did you mean 'ssd'?"));
}

static void wrong_device_classes_are_refused(void **state)
{
	static const char *const refusals[][2] = {
		{"", ":1:1: a file of device classes needs 'classes'"},
		{"classes: {a: {}}\n", ":1:11: a device class needs 'description'"},
		{"classes: {a: {description: x, cache: 1k}}\n",
		 ":1:11: cache and bandwidth"},
		{"classes: {a: {description: x, block_size: 1000}}\n",
		 ":1:11: block_size of a must be a power of two"},
		{"classes: {a: {description: x, latency_ns: 1.5}}\n",
		 ":1:43: latency_ns must be a whole number, not '1.5'"},
		{"classes: {a: {description: x, queue_depth: 0}}\n",
		 ":1:44: queue_depth must be from 1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		CLEANUP(device_classes_finish) struct device_classes classes = {0};
		struct error err = {0};

		write_file(refusals[i][0]);
		assert_int_equal(device_classes_load(FILE_NAME, &classes, &err), -1);
		if (!strstr(err.text, refusals[i][1]))
			fail_msg("'%s' is not in '%s'", refusals[i][1], err.text);
	}
}

static void the_key_of_a_class_is_its_numbers(void **state)
{
	struct device_class one = {.latency_ns = 1, .block_size = 512};
	struct device_class two = {.latency_ns = 2, .block_size = 512};
	char first[HASH_HEX_SIZE], second[HASH_HEX_SIZE];
	struct hash hash;

	(void)state;
	hash_init(&hash);
	device_class_hash(&one, &hash);
	hash_hex(&hash, first);
	hash_init(&hash);
	device_class_hash(&two, &hash);
	hash_hex(&hash, second);
	assert_string_not_equal(first, second);
	two.latency_ns = 1;
	hash_init(&hash);
	device_class_hash(&two, &hash);
	hash_hex(&hash, second);
	assert_string_equal(first, second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_keys_and_values_are_refused_with_their_place),
		cmocka_unit_test(defaults_hold_without_a_file),
		cmocka_unit_test(a_full_file_is_read),
		cmocka_unit_test(the_help_is_a_valid_file),
		cmocka_unit_test(device_classes_are_read),
		cmocka_unit_test(wrong_device_classes_are_refused),
		cmocka_unit_test(the_key_of_a_class_is_its_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
