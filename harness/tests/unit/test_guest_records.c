/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames, records and histograms: round trips, and input that nobody should trust. */
#include "guest/frame.h"
#include "guest/histogram.h"
#include "guest/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A fixed stream of numbers, the same at every run. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static struct frame_decoder *new_decoder(void)
{
	struct frame_decoder *decoder = calloc(1, sizeof(*decoder));

	assert_non_null(decoder);
	return decoder;
}

static void test_crc32_known_value(void **state)
{
	(void)state;
	assert_int_equal(frame_crc32(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(frame_crc32(frame_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
}

static void test_frames_between_garbage(void **state)
{
	static char stream[3 * FRAME_SIZE_MAX];
	struct frame_decoder *decoder = new_decoder();
	struct frame frame;
	size_t length = 0, cut;

	(void)state;
	memcpy(stream, "boot noise KRF", 14);
	length = 14;
	length += frame_encode(stream + length, 7, 0, "first", 5);
	memcpy(stream + length, "KRF\1\xff\xff\xff\xff", 8);
	length += 8;
	cut = length;
	length += frame_encode(stream + length, 8, 1, "broken", 6);
	stream[cut + FRAME_HEADER_SIZE] ^= 1;
	length += frame_encode(stream + length, 9, 2, "third", 5);
	for (size_t i = 0; i < length; i++)
		assert_int_equal(frame_decoder_feed(decoder, stream + i, 1), 1);
	assert_int_equal(frame_decoder_next(decoder, &frame), 1);
	assert_int_equal(frame.type, 7);
	assert_memory_equal(frame.payload, "first", 5);
	assert_int_equal(frame_decoder_next(decoder, &frame), 1);
	assert_int_equal(frame.type, 9);
	assert_int_equal(frame.length, 5);
	assert_int_equal(frame_decoder_next(decoder, &frame), 0);
	assert_int_equal(decoder->lost, 1);
	assert_int_equal(decoder->skipped, 14 + 8 + FRAME_HEADER_SIZE + 6);
	free(decoder);
}

static void test_cut_frame_does_not_hide_the_next(void **state)
{
	static char stream[3 * FRAME_SIZE_MAX], big[FRAME_PAYLOAD_MAX];
	struct frame_decoder *decoder = new_decoder();
	struct frame frame;
	size_t length;

	(void)state;
	frame_encode(stream, 1, 0, big, sizeof(big));
	length = 100 + frame_encode(stream + 100, 2, 0, "next", 4);
	frame_decoder_feed(decoder, stream, length);
	assert_int_equal(frame_decoder_next(decoder, &frame), 0);
	frame_decoder_end(decoder);
	assert_int_equal(frame_decoder_next(decoder, &frame), 1);
	assert_int_equal(frame.type, 2);
	assert_int_equal(frame_encode(stream, 1, 0, big, FRAME_PAYLOAD_MAX + 1), 0);
	free(decoder);
}

/* Frames in random noise are all found, in whatever portions the bytes come. */
static void test_random_noise(void **state)
{
	static char stream[1 << 20];
	struct frame_decoder *decoder = new_decoder();
	uint32_t random = 1;
	size_t length = 0, sent = 0, got = 0, at = 0, part;
	struct frame frame;

	(void)state;
	while (length < sizeof(stream) - 2 * FRAME_SIZE_MAX) {
		for (part = next_random(&random) % 300; part; part--)
			stream[length++] =
				(char)(next_random(&random) % 5 ? random >> 9 : 'K');
		length += frame_encode(stream + length, 3, (uint16_t)sent++, stream,
				       next_random(&random) % 2000);
	}
	while (at < length) {
		part = 1 + next_random(&random) % 5000;
		at += frame_decoder_feed(decoder, stream + at,
					 part < length - at ? part : length - at);
		while (frame_decoder_next(decoder, &frame))
			assert_int_equal(frame.sequence, got++);
	}
	assert_int_equal(got, sent);
	assert_int_equal(decoder->lost, 0);
	free(decoder);
}

static struct result *sample(enum result_type type)
{
	struct result *result = calloc(1, sizeof(*result));

	assert_non_null(result);
	result->type = type;
	if (type != RESULT_HELLO && type != RESULT_SYMBOLS && type != RESULT_DONE)
		result->case_index = 3;
	return result;
}

/* Encodes, decodes, and compares the whole struct. */
static void check_round_trip(const struct result *result)
{
	char payload[FRAME_PAYLOAD_MAX];
	struct result *back = sample(0);
	struct problem problem;
	struct frame frame = {.type = (uint16_t)result->type, .payload = payload};

	frame.length = (uint32_t)result_encode(result, payload);
	assert_int_not_equal(frame.length, 0);
	if (result_decode(&frame, back, &problem))
		fail_msg("%s", problem.text);
	assert_memory_equal(result, back, sizeof(*back));
	free(back);
}

static void test_records_come_back(void **state)
{
	struct result *result = sample(RESULT_HELLO);

	(void)state;
	strcpy(result->hello.release, "6.1.0");
	strcpy(result->hello.command_line, "console=ttyS0 quiet");
	result->hello.uptime = UINT64_MAX;
	check_round_trip(result);
	free(result);

	result = sample(RESULT_SERIES);
	result->run = 2;
	strcpy(result->series.name, "window_mean");
	result->series.count = RESULT_POINTS_MAX;
	for (size_t i = 0; i < RESULT_POINTS_MAX; i++)
		result->series.value[i] = -1e300 / (double)(i + 3);
	check_round_trip(result);
	free(result);

	result = sample(RESULT_HISTOGRAM);
	result->histogram.count = RESULT_POINTS_MAX;
	for (size_t i = 0; i < RESULT_POINTS_MAX; i++) {
		result->histogram.bucket[i] = HISTOGRAM_BUCKETS - 1 - i;
		result->histogram.hits[i] = UINT64_MAX / 2;
	}
	check_round_trip(result);
	free(result);

	result = sample(RESULT_COUNTERS);
	strcpy(result->values.disk, "disk with spaces");
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		metric_values_set(&result->values.values, id, 1.0 / 3 + id);
	check_round_trip(result);
	free(result);

	result = sample(RESULT_OUTPUT);
	strcpy(result->output.parser, "fio-json");
	result->output.length = RESULT_TEXT_SIZE - 1;
	memset(result->output.bytes, '\n', RESULT_TEXT_SIZE - 1);
	result->output.bytes[5] = '\0';
	check_round_trip(result);
	free(result);

	result = sample(RESULT_SYMBOLS);
	strcpy(result->output.bytes, "ffffffff81000000 T _text\n");
	result->output.length = strlen(result->output.bytes);
	check_round_trip(result);
	free(result);
}

static void test_control_characters_are_replaced(void **state)
{
	struct result *result = sample(RESULT_FAILURE), *back = sample(0);
	char payload[FRAME_PAYLOAD_MAX];
	struct problem problem;
	struct frame frame = {.type = RESULT_FAILURE, .payload = payload};

	(void)state;
	strcpy(result->failure.text, "line\nrun 7\x1b[2J");
	frame.length = (uint32_t)result_encode(result, payload);
	assert_int_equal(result_decode(&frame, back, &problem), 0);
	assert_string_equal(back->failure.text, "line?run 7?[2J");
	free(result);
	free(back);
}

static int decode_text(unsigned type, const char *text, size_t length)
{
	struct result *back = sample(0);
	struct problem problem = {""};
	struct frame frame = {
		.type = (uint16_t)type, .payload = text, .length = (uint32_t)length};
	int result = result_decode(&frame, back, &problem);

	assert_int_equal(result != 0, problem.text[0] != '\0');
	free(back);
	return result;
}

static void test_bad_records_are_refused(void **state)
{
	static const struct {
		enum result_type type;
		const char *text;
	} bad[] = {
		{RESULT_DONE, ""},
		{RESULT_DONE, "cases 1\nfailed 0\n"},
		{RESULT_DONE, "cases 1\nfailed 0\nuptime 5"},
		{RESULT_DONE, "cases 1\nfailed 0\nuptime 5\nmore 1\n"},
		{RESULT_DONE, "cases -1\nfailed 0\nuptime 5\n"},
		{RESULT_DONE, "cases 99999999999999999999\nfailed 0\nuptime 5\n"},
		{RESULT_DONE, "failed 0\ncases 1\nuptime 5\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed nan\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed 1e999\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed 0x10\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed 1 2\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric nonsense 1\n"},
		{RESULT_RUN, "case 0\nrun 1\nmetric elapsed 1\nmetric elapsed 1\n"},
		{RESULT_HISTOGRAM, "case 0\nrun 1\nmaximum 5\nhits 99999999:1\n"},
		{RESULT_HISTOGRAM, "case 0\nrun 1\nmaximum 5\nhits 1\n"},
		{RESULT_SERIES, "case 0\nrun 1\nname x\nstep 1\nfirst 0\npoints 1 two\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!decode_text(bad[i].type, bad[i].text, strlen(bad[i].text)))
			fail_msg("taken: %s", bad[i].text);
	assert_int_equal(decode_text(RESULT_DONE, "cases 1\nfailed 0\nuptime 5\n", 26),
			 0);
	assert_int_equal(decode_text(RESULT_DONE, "cases 1\0\nfailed 0\nuptime 5\n", 27),
			 -1);
	assert_int_equal(decode_text(0, "", 0), -1);
	assert_int_equal(decode_text(500, "", 0), -1);
}

static void test_a_point_too_many(void **state)
{
	static char text[8 * RESULT_POINTS_MAX] =
		"case 0\nrun 1\nname x\nstep 1\nfirst 0\npoints";

	(void)state;
	for (int i = 0; i < RESULT_POINTS_MAX + 1; i++)
		strcat(text, " 7");
	strcat(text, "\n");
	assert_int_equal(decode_text(RESULT_SERIES, text, strlen(text)), -1);
}

/* Whatever a legal record is turned into, decoding ends and stays inside its bounds. */
static void test_mutated_records(void **state)
{
	struct result *result = sample(RESULT_HISTOGRAM);
	char payload[FRAME_PAYLOAD_MAX], *exact;
	uint32_t random = 7;
	size_t length, cut;

	(void)state;
	result->histogram.count = 20;
	length = result_encode(result, payload);
	for (int round = 0; round < 20000; round++) {
		cut = next_random(&random) % (length + 1);
		exact = malloc(cut + 1);
		assert_non_null(exact);
		memcpy(exact, payload, cut);
		for (int flips = 0; flips < 3 && cut; flips++)
			exact[next_random(&random) % cut] = (char)next_random(&random);
		decode_text(RESULT_HELLO + next_random(&random) % RESULT_DONE, exact,
			    cut);
		free(exact);
	}
	free(result);
}

static void test_histogram_buckets(void **state)
{
	(void)state;
	assert_int_equal(histogram_bucket(0), 0);
	assert_int_equal(histogram_bucket(1023), 1023);
	assert_int_equal(histogram_bucket(1024), 1024);
	assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_bucket(((uint64_t)1 << HISTOGRAM_TOP) - 1),
			 HISTOGRAM_BUCKETS - 1);
	for (size_t i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		assert_int_equal(histogram_bucket(histogram_low(i)), i);
		assert_int_equal(histogram_bucket(histogram_high(i) - 1), i);
	}
}

static void test_histogram_percentiles(void **state)
{
	struct histogram *histogram = calloc(1, sizeof(*histogram));

	(void)state;
	assert_non_null(histogram);
	assert_true(histogram_percentile(histogram, 0.5) == 0);
	for (uint64_t i = 1; i <= 1000; i++)
		histogram_add(histogram, i);
	assert_true(histogram_percentile(histogram, 0.5) == 500);
	assert_true(histogram_percentile(histogram, 0.999) == 999);
	assert_true(histogram_percentile(histogram, 1) == 1000);
	histogram_add(histogram, 1000000);
	assert_true(histogram_percentile(histogram, 1) <= 1000000);
	assert_true(histogram_percentile(histogram, 1) >= 998000);
	free(histogram);
}

static void test_derived_metrics(void **state)
{
	struct metric_values values = {0};

	(void)state;
	metric_values_set(&values, METRIC_ELAPSED, 2e9);
	metric_values_set(&values, METRIC_OPERATIONS, 1000);
	metric_values_set(&values, METRIC_FLUSH_REQUESTS, 500);
	metric_values_set(&values, METRIC_USER, 1e8);
	metric_values_set(&values, METRIC_SYSTEM, 3e8);
	metric_values_derive(&values);
	assert_true(values.value[METRIC_OPS_PER_SECOND] == 500);
	assert_true(values.value[METRIC_MEAN_OP] == 2e6);
	assert_true(values.value[METRIC_FLUSHES_PER_OP] == 0.5);
	assert_true(values.value[METRIC_CPU_PERCENT] == 20);
	assert_false(metric_values_has(&values, METRIC_WRITES_PER_OP));
	assert_false(metric_values_has(&values, METRIC_THROUGHPUT));
	assert_int_equal(metric_find("elapsed"), METRIC_ELAPSED);
	assert_int_equal(metric_find("Elapsed"), METRIC_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc32_known_value),
		cmocka_unit_test(test_frames_between_garbage),
		cmocka_unit_test(test_cut_frame_does_not_hide_the_next),
		cmocka_unit_test(test_random_noise),
		cmocka_unit_test(test_records_come_back),
		cmocka_unit_test(test_control_characters_are_replaced),
		cmocka_unit_test(test_bad_records_are_refused),
		cmocka_unit_test(test_a_point_too_many),
		cmocka_unit_test(test_mutated_records),
		cmocka_unit_test(test_histogram_buckets),
		cmocka_unit_test(test_histogram_percentiles),
		cmocka_unit_test(test_derived_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
