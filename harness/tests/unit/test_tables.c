/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the four reports: columns, cells, and the sentences below. */
#include "report/report.h"
#include "store_fixture.h"

#include <stdio.h>
#include <string.h>

struct point {
	const char *label;
	double elapsed;
	double windows[3]; /* of "window_mean" or "bytes_per_second" */
	double drift;
};

struct story {
	struct world world;
	int64_t versions[2], kernels[2];
	struct report_model model;
};

static void check(int result, const struct error *err)
{
	if (result < 0)
		fail_msg("%s", err->text);
}

/* One boot: the points with some more metrics that the layouts ask for. */
static void tell_boot(struct story *story, int version, const struct point *points,
		      size_t count, const char *series_name)
{
	struct sample_record samples[64];
	struct series_record series[64];
	double runs[64][3], disks[64][2];
	struct boot_record boot = world_boot(&story->world);
	size_t used = 0, lists = 0;
	struct error err = {0};
	int64_t id;

	for (size_t i = 0; i < count; i++) {
		const char *label = points[i].label;

		samples[used++] = (struct sample_record){label, "elapsed", "ns", "lower",
							 points[i].elapsed};
		samples[used++] = (struct sample_record){label, "drift", "ns/op", "lower",
							 points[i].drift};
		samples[used++] =
			(struct sample_record){label, "user", "ns", "lower", 0.5e9};
		samples[used++] = (struct sample_record){label, "major_faults", "count",
							 "lower", 1986};
		samples[used++] = (struct sample_record){label, "minor_faults", "count",
							 "lower", 3228};
		for (int run = 0; run < 3; run++)
			runs[i][run] = points[i].elapsed + run * 1e6;
		disks[i][0] = points[i].elapsed * 0.9;
		disks[i][1] = points[i].elapsed;
		series[lists++] = (struct series_record){label, series_name,       "ns",
							 1,     points[i].windows, 3};
		series[lists++] = (struct series_record){label, "runs.elapsed", "ns",
							 0,     runs[i],        3};
		series[lists++] = (struct series_record){
			label, "disk.disk0.elapsed", "ns", 1, &disks[i][0], 1};
		series[lists++] = (struct series_record){
			label, "disk.disk9.elapsed", "ns", 1, &disks[i][1], 1};
	}
	boot.kernel = story->kernels[version];
	boot.version = story->versions[version];
	boot.samples = samples;
	boot.sample_count = used;
	boot.series = series;
	boot.series_count = lists;
	check(store_add_boot(story->world.store, &boot, &id, &err), &err);
}

static void story_init(struct story *story, const char *scenario)
{
	struct error err = {0};

	*story = (struct story){0};
	world_init(&story->world);
	check(store_add_scenario(story->world.store, scenario, scenario, "",
				 &story->world.scenario, &err),
	      &err);
	story->versions[0] =
		world_add_version(&story->world, "A", NULL, &story->kernels[0]);
	story->versions[1] =
		world_add_version(&story->world, "B", NULL, &story->kernels[1]);
}

static const struct table *table_of(struct story *story, size_t versions)
{
	const struct report_options options = {.now = 1};
	struct error err = {0};

	check(store_add_session_versions(story->world.store, story->world.session,
					 story->versions, versions, &err),
	      &err);
	check(report_collect(story->world.store, &options, &story->model, &err), &err);
	assert_int_equal(story->model.section_count, 1);
	assert_int_equal(story->model.sections[0].table_count, 1);
	return &story->model.sections[0].tables[0].table;
}

static void story_finish(struct story *story)
{
	report_model_finish(&story->model);
	world_finish(&story->world);
}

static const char *cell(const struct table *table, size_t row, const char *title)
{
	for (size_t i = 0; i < table->titles.count; i++)
		if (!strcmp(table->titles.items[i], title))
			return table_cell(table, row, i);
	fail_msg("no column %s", title);
	return "";
}

static void readaheads_are_told_apart(void **state)
{
	static const struct point a[] = {
		{"target=file,readahead_sectors=256", 42.888e9, {0}, 0},
		{"target=file,readahead_sectors=128", 35.892e9, {0}, 0},
		{"target=file,readahead_sectors=64", 35.260e9, {0}, 0},
		{"target=device,readahead_sectors=256", 40e9, {0}, 0},
		{"target=device,readahead_sectors=128", 30e9, {0}, 0},
		{"target=device,readahead_sectors=64", 30.01e9, {0}, 0},
	};
	struct point b[6];
	struct story story;
	const struct table *table;

	(void)state;
	memcpy(b, a, sizeof(b));
	b[1].elapsed *= 1.001;
	story_init(&story, "cat-readahead");
	tell_boot(&story, 0, a, 6, "none");
	tell_boot(&story, 1, b, 6, "none");
	table = table_of(&story, 2);
	assert_int_equal(table_rows(table), 12);
	assert_string_equal(table_cell(table, 0, 0), "device");
	assert_string_equal(table_cell(table, 0, 1), "64");
	assert_string_equal(cell(table, 10, "real (s)"), "42.89 42.89 42.89");
	assert_true(text_list_contains(&table->remarks,
				       "A, target=file: readahead_sectors 64 is best; "
				       "128 takes 1.8 % longer, 256 21.6 %"));
	assert_true(text_list_contains(
		&table->remarks,
		"B, file against device: +17.5 % time at readahead_sectors=64, +19.8 % "
		"time at readahead_sectors=128, +7.2 % time at readahead_sectors=256"));
	assert_true(text_list_contains(&table->remarks,
				       "B against A: no time differs by as much as 0.5 "
				       "%"));
	story_finish(&story);
}

static void windows_and_drift_have_columns(void **state)
{
	static const struct point a[] = {{"target=device", 22.8e9, {0, 0, 1e6}, 0}};
	static const struct point b[] = {
		{"target=device", 202.4e9, {0, 39e6, 40e6}, 4012.5}};
	struct story story;
	const struct table *table;

	(void)state;
	story_init(&story, "raw-sync");
	tell_boot(&story, 0, a, 1, "window_mean");
	tell_boot(&story, 1, b, 1, "window_mean");
	table = table_of(&story, 2);
	assert_string_equal(cell(table, 1, "window means over the run (ms)"), "0 39 40");
	assert_string_equal(cell(table, 1, "total (ms)"), "202400");
	assert_string_equal(cell(table, 0, "drift (ns)"), "0");
	assert_string_equal(cell(table, 1, "drift (ns)"), "4012");
	assert_true(text_list_contains(&table->remarks,
				       "B against A: the largest difference is +787.7 % "
				       "time at target=device"));
	story_finish(&story);
}

static void queue_depths_have_throughput_and_disks(void **state)
{
	static const struct point a[] = {
		{"direct=no,queue_depth=63", 69.39e9, {20e6, 5e6, 40e6}, 0},
		{"direct=no,queue_depth=8", 32.71e9, {30e6, 31e6, 30e6}, 0},
	};
	struct story story;
	const struct table *table;

	(void)state;
	story_init(&story, "multi-disk-fsync");
	tell_boot(&story, 0, a, 2, "bytes_per_second");
	table = table_of(&story, 1);
	assert_string_equal(cell(table, 1, "elapsed"), "1:09.39");
	assert_string_equal(cell(table, 1, "faults"), "1986 + 3228");
	assert_string_equal(cell(table, 1, "MB/s over the run"), "20 5 40");
	assert_true(text_list_contains(&table->remarks,
				       "A, direct=no: queue_depth 8 is best; 63 takes "
				       "112.1 % longer"));
	assert_true(text_list_contains(&table->remarks,
				       "A, direct=no,queue_depth=8: 2 disks took from "
				       "29.44 s (disk0) to 32.71 s (disk9)"));
	story_finish(&story);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readaheads_are_told_apart),
		cmocka_unit_test(windows_and_drift_have_columns),
		cmocka_unit_test(queue_depths_have_throughput_and_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
