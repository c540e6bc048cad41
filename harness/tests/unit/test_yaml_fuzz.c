/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutated files, with a fixed seed: each is either taken or refused with a message of
 * one line that names the file; the sanitizers watch for the rest. KREGRESS_FUZZ_ROUNDS
 * makes it longer.
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "scenario/config.h"
#include "scenario/device_class.h"
#include "scenario/scenario.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_NAME "build/test-fuzz.yaml"

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t limit)
{
	return limit ? next_random(state) % limit : 0;
}

static void insert(struct text *text, size_t at, const char *bytes, size_t length)
{
	CLEANUP(text_finish) struct text result = {0};

	text_add_bytes(&result, text_string(text), at);
	text_add_bytes(&result, bytes, length);
	text_add_bytes(&result, text_string(text) + at, text->size - at);
	text_clear(text);
	text_add_bytes(text, text_string(&result), result.size);
}

static void change_byte(struct text *text, uint64_t *state)
{
	if (text->size)
		text->data[below(state, text->size)] = (char)next_random(state);
}

static void cut(struct text *text, uint64_t *state)
{
	size_t at = below(state, text->size);
	size_t length = below(state, 20);

	if (length > text->size - at)
		length = text->size - at;
	if (length)
		memmove(text->data + at, text->data + at + length,
			text->size - at - length);
	text->size -= length;
}

static void repeat_piece(struct text *text, uint64_t *state)
{
	size_t from = below(state, text->size);
	size_t length = below(state, 40);
	char piece[40];

	if (length > text->size - from)
		length = text->size - from;
	if (length)
		memcpy(piece, text->data + from, length);
	insert(text, below(state, text->size), piece, length);
}

static void add_word(struct text *text, uint64_t *state)
{
	static const char *const words[] = {
		"\n",
		": ",
		"- ",
		"[",
		"]",
		"{",
		"}",
		"&a ",
		"*a",
		"!!int ",
		"|\n",
		">\n",
		"'",
		"\"",
		"#",
		"---\n",
		"...\n",
		"? ",
		"<<: ",
		"%TAG",
		"\t",
		"\\0",
		"\r",
		"0",
		"-1",
		"8.5",
		"1e999",
		"nan",
		"~",
		"null",
		"yes",
		"\xff",
		"\xc3\xa9",
		"\xe2\x80\xa8",
		"18446744073709551616",
		"device: ",
		"virtual: ",
	};
	const char *word = words[below(state, sizeof(words) / sizeof(*words))];

	insert(text, below(state, text->size + 1), word, strlen(word));
}

static void mutate(struct text *text, uint64_t *state)
{
	static void (*const ways[])(struct text *, uint64_t *) = {change_byte, cut,
								  repeat_piece, add_word};
	size_t count = 1 + below(state, 4);

	while (count--)
		ways[below(state, sizeof(ways) / sizeof(*ways))](text, state);
}

static void write_bytes(const struct text *text)
{
	CLEANUP(cleanup_file) FILE *file = fopen(FILE_NAME, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text_string(text), 1, text->size, file), text->size);
}

static int read_scenario(struct error *err)
{
	const struct scenario_options options = {.lab = CONFIG_VIRTUAL};
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	char digest[HASH_HEX_SIZE];

	if (scenario_load(FILE_NAME, &options, &scenario, err))
		return -1;
	scenario_digest(&scenario, NULL, digest);
	return 0;
}

static int read_config(struct error *err)
{
	CLEANUP(config_finish) struct config config = {0};

	return config_load(FILE_NAME, &config, err);
}

static int read_classes(struct error *err)
{
	CLEANUP(device_classes_finish) struct device_classes classes = {0};

	return device_classes_load(FILE_NAME, &classes, err);
}

/* Returns how many of the files were taken. */
static size_t fuzz(const struct text *seed, int (*read)(struct error *), uint64_t state)
{
	const char *wanted = getenv("KREGRESS_FUZZ_ROUNDS");
	size_t rounds = wanted ? strtoul(wanted, NULL, 10) : 600;
	size_t taken = 0;

	for (size_t i = 0; i < rounds; i++) {
		CLEANUP(text_finish) struct text text = {0};
		struct error err = {0};

		text_add_bytes(&text, text_string(seed), seed->size);
		mutate(&text, &state);
		write_bytes(&text);
		if (!read(&err)) {
			taken++;
			continue;
		}
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_memory_equal(err.text, FILE_NAME, strlen(FILE_NAME));
		for (const char *c = err.text; *c; c++)
			if (iscntrl((unsigned char)*c))
				fail_msg("control character in '%s'", err.text);
	}
	return taken;
}

static void fuzz_file(const char *path, int (*read)(struct error *), uint64_t state)
{
	CLEANUP(text_finish) struct text seed = {0};
	struct error err = {0};
	size_t taken;

	if (file_read(path, 1 << 20, &seed, &err))
		fail_msg("%s", err.text);
	taken = fuzz(&seed, read, state);
	/* Both ways must have been gone, or the mutations are no good. */
	assert_true(taken > 0);
}

static void mutated_scenarios_do_no_harm(void **state)
{
	(void)state;
	fuzz_file("scenarios/fsync-loop.yaml", read_scenario, 1);
	fuzz_file("scenarios/multi-disk-fsync.yaml", read_scenario, 2);
}

static void mutated_device_classes_do_no_harm(void **state)
{
	(void)state;
	fuzz_file("vm-images/devices.yaml", read_classes, 3);
}

static void mutated_configurations_do_no_harm(void **state)
{
	CLEANUP(text_finish) struct text seed = {0};

	(void)state;
	text_add(&seed, "tree: /src/linux\nscenarios: [a, b]\nlab: disk\ndisks:\n"
			"  fast: {device: /dev/x, serial: S1, io: threads, queues: 4}\n"
			"  slow:\n    device: /dev/y\n    serial: S2\n    bus: ide\n"
			"build: {jobs: 4}\nkernel_config: ['my.*']\n");
	assert_true(fuzz(&seed, read_config, 4) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutated_scenarios_do_no_harm),
		cmocka_unit_test(mutated_device_classes_do_no_harm),
		cmocka_unit_test(mutated_configurations_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
